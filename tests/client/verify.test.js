import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { verdictOn } from "../../client/verify.js";

/**
 * Games as the server records them (made by tests/room/records.py).
 * @type {Record<string, any>}
 */
const RECORDS = JSON.parse(
  readFileSync(new URL("../data/records.json", import.meta.url), "utf8"),
);

for (const [name, record] of Object.entries(RECORDS)) {
  test(`an honest record holds: ${name}`, () => {
    const holds = record.seed === null ? "unknown" : "yes";
    assert.deepEqual(verdictOn(record, null), { holds });
  });
}

/**
 * Where every single word and number of a record stands.
 * @param {any} value
 * @param {(string | number)[]} path
 * @returns {(string | number)[][]}
 */
function leaves(value, path = []) {
  if (Array.isArray(value)) return value.flatMap((one, i) => leaves(one, [...path, i]));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, one]) => leaves(one, [...path, key]));
}

/** @param {any} value */
function changed(value) {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (value === null) return 1;
  return value.slice(0, -1) + (value.endsWith("s") ? "h" : "s");
}

/** What nobody can recompute, and no card depends on. */
const BELIEVED = ["room", "game", "preset", "name", "player", "at"];

/**
 * Whether a place holds a commitment whose nonce was never shown.
 * @param {any} record
 * @param {(string | number)[]} path
 */
function isNeverShown(record, path) {
  const at = path.indexOf("commitments");
  if (at < 0) return false;
  const deal = path.slice(0, at).reduce((one, step) => one[step], record);
  const [seat] = deal.commitments[Number(path[at + 1])];
  return deal.nonces.every((/** @type {[number, string]} */ [who]) => who !== seat);
}

for (const name of ["krieg", "bots", "teams", "withheld", "clock-in-war", "again"]) {
  test(`a change at any position is found: ${name}`, () => {
    const told = RECORDS[name];
    const forged = structuredClone(told);
    let tried = 0;
    for (const path of leaves(told)) {
      const last = path.at(-1) ?? "";
      if (BELIEVED.includes(String(last)) || isNeverShown(told, path)) continue;
      const within = path.slice(0, -1).reduce((one, step) => one[step], forged);
      const kept = within[last];
      within[last] = changed(kept);
      const verdict = verdictOn(forged, null);
      assert.equal(verdict.holds, "no", `${path.join(".")} was changed unseen`);
      within[last] = kept;
      tried++;
    }
    assert.ok(tried > 200);
  });
}

test("what differs is named by where it stands", () => {
  const forged = structuredClone(RECORDS["krieg"]);
  const card = forged.rounds[7].battles[0].up[1];
  const was = card[1];
  card[1] = was === "As" ? "Ks" : "As";
  assert.deepEqual(verdictOn(forged, null), {
    holds: "no",
    where: "rounds[7].battles[0].up[1][1]",
    found: card[1],
    expected: was,
  });
});

test("flips and rounds left out, said twice or added are found", () => {
  const told = RECORDS["krieg"];
  /** @param {(forged: any) => void} forge */
  const found = (forge) => {
    const forged = structuredClone(told);
    forge(forged);
    assert.equal(verdictOn(forged, null).holds, "no");
  };
  told.rounds.forEach((/** @type {any} */ round, /** @type {number} */ i) => {
    round.battles.forEach((/** @type {any} */ _, /** @type {number} */ k) => {
      found(({ rounds }) => rounds[i].battles[k].flips.pop());
      found(({ rounds }) => {
        const { flips } = rounds[i].battles[k];
        flips.push(flips.at(-1));
      });
    });
  });
  found(({ rounds }) => rounds.pop());
  found(({ rounds }) => rounds.push(rounds.at(-1)));
});

test("what the page saw before the deal must be what is shown after it", () => {
  const { deal } = RECORDS["krieg"];
  const seen = { id: deal.id, commitment: deal.server_commitment };
  assert.equal(verdictOn(RECORDS["krieg"], seen).holds, "yes");
  const other = { ...seen, commitment: "00".repeat(32) };
  assert.deepEqual(verdictOn(RECORDS["krieg"], other), {
    holds: "no",
    where: "deal.server_commitment",
    found: `${deal.server_commitment.slice(0, 23)}…`,
    expected: `${other.commitment.slice(0, 23)}…`,
  });
});

test("what is no record at all does not hold", () => {
  for (const none of [{}, { schema: 1 }, { ...RECORDS["krieg"], players: null }]) {
    assert.equal(verdictOn(/** @type {any} */ (none), null).holds, "no");
  }
});
