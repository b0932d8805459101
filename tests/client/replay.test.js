import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { nextWar, replayOf, stepOfRound } from "../../client/replay.js";

/**
 * Games as the server records them (made by tests/room/records.py).
 * @type {Record<string, any>}
 */
const RECORDS = JSON.parse(
  readFileSync(new URL("../data/records.json", import.meta.url), "utf8"),
);

for (const [name, record] of Object.entries(RECORDS)) {
  if (record.seed === null) continue;
  test(`a replay shows what was recorded: ${name}`, () => {
    const { start, steps } = replayOf(record, "ABCD");
    assert.equal(start.table?.hands.length, record.players.length);
    for (const { round, counts, battles } of record.rounds) {
      const played = steps.filter((step) => step.round === round);
      assert.ok(played.length >= battles.length);
      const table = played[battles.length - 1]?.view.table;
      assert.deepEqual(
        table?.hands.map(({ stock, won }) => stock + won),
        counts,
      );
      const up = played.flatMap(({ events }) =>
        events.flatMap((event) => (event.type === "turned" ? [event.cards] : [])),
      );
      assert.deepEqual(
        up,
        battles.map((/** @type {any} */ battle) => battle.up),
      );
    }
  });
}

test("a round is found, and so is the next war, until there is none", () => {
  const { steps } = replayOf(RECORDS["krieg"], "ABCD");
  const wars = RECORDS["krieg"].rounds.filter((/** @type {any} */ { war }) => war > 0);
  const first = nextWar(steps, 0);
  assert.equal(steps[first ?? -1]?.round, wars[0].round);
  assert.equal(stepOfRound(steps, wars[0].round), first);
  assert.equal(nextWar(steps, steps.length), null);
});
