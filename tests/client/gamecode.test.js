// Shuffles, codes and whole games: the same vectors that the server is held to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  commitment,
  freshDeck,
  seedOf,
  SERVER,
  shuffled,
  stream,
} from "../../client/fair.js";
import { faultIn, parseCode, tidy, writeCode } from "../../client/gamecode.js";
import { dealGame } from "../../client/verify.js";

const VECTORS = JSON.parse(
  readFileSync(new URL("../data/shuffle_vectors.json", import.meta.url), "utf8"),
);
const CODE = "10MGG-CD2KZ-3A44N-QQ9V8";
/** The last passes over three words of ten. */
const BELOW = [2, 3, 6, 10, 52, 1000, 3e9, 3e9, 3e9];
const REASONS = { all_cards: "last_left", round_limit: "round_limit" };

for (const vector of VECTORS.seeds) {
  const seed = BigInt(vector.seed);

  test(`seed ${seed}: numbers and decks`, () => {
    const word = stream(seed, "deal/52");
    assert.deepEqual(
      [1, 2, 3, 4].map(() => word(2 ** 32)),
      vector.words,
    );
    assert.deepEqual(BELOW.map(stream(seed, "test")), vector.below);
    for (const size of [52, 54, 32]) {
      const deck = shuffled(seed, `deal/${size}`, freshDeck(size)).map((c) =>
        c.toUpperCase(),
      );
      assert.equal(deck.join(" "), vector[`deck${size}`]);
    }
    const won = [..."23456789"].map((rank) => `${rank}S`);
    assert.equal(shuffled(seed, "reshuffle/0/1", won).join(" "), vector.reshuffle);
  });

  for (const [name, code] of Object.entries(vector.codes)) {
    test(`seed ${seed}: ${name} by its code ${code}`, () => {
      const game = parseCode(code);
      assert.equal(game.seed, seed);
      assert.equal(`${game.players}`, name.at(-1));
      assert.equal(writeCode(game), code);

      const players = /** @type {any[]} */ (Array(game.players).fill({}));
      const play = dealGame({ rules: game.rules, players }, seed);
      let wars = 0;
      while (play.outcome === null) {
        for (const seat of play.waiting) play.flip(seat, "player");
        wars += play.news().filter(({ type }) => type === "war").length;
      }
      const { ending, winners, counts } = play.outcome;
      assert.deepEqual(
        {
          reason: REASONS[/** @type {"all_cards"} */ (ending)],
          rounds: play.rounds,
          wars,
          winner: winners[0] ?? null,
          counts,
        },
        vector.games[name],
      );
    });
  }
}

test("commitments and seed of the worked example", () => {
  const { game_id, server_nonce, nonces, C_server, C, seed, code_krieg_40 } =
    VECTORS.commit;
  assert.equal(commitment(game_id, SERVER, server_nonce), C_server);
  const made = nonces.map((/** @type {string} */ n, /** @type {number} */ i) =>
    commitment(game_id, i, n),
  );
  assert.deepEqual(made, C);
  const pairs = nonces.map((/** @type {string} */ n, /** @type {number} */ i) => [
    i,
    n,
  ]);
  assert.equal(String(seedOf(game_id, server_nonce, pairs)), seed);
  assert.equal(parseCode(code_krieg_40).seed, BigInt(seed));
});

test("a code is read as people type it", () => {
  assert.equal(faultIn("1omgg cd2kz 3a44n qq9v8"), null);
  assert.equal(faultIn("IOMGG-CD2KZ-3A44N-QQ9V8"), null);
  assert.equal(tidy("lomggcd2kz3a44nqq9v8"), CODE);
  assert.equal(faultIn("10MGG-CD2KZ"), "length");
  assert.equal(faultIn("10MGG-CD2KZ-3A44N-QQ9VU"), "length");
});

test("every single wrong letter and every swap of neighbours is caught", () => {
  const letters = [...CODE.replaceAll("-", "")];
  letters.forEach((right, i) => {
    for (const wrong of "0123456789ABCDEFGHJKMNPQRSTVWXYZ") {
      if (wrong === right) continue;
      assert.equal(faultIn(letters.with(i, wrong).join("")), "letter");
    }
    const next = letters[i + 1];
    if (next === undefined || next === right) return;
    assert.equal(
      faultIn(
        letters
          .with(i, next)
          .with(i + 1, right)
          .join(""),
      ),
      "letter",
    );
  });
});

test("a newer version and a reserved rule are not typing errors", () => {
  const reserved = (/** @type {string} */ body) => {
    const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const n =
      [...body].reduce((sum, l) => sum * 32n + BigInt(letters.indexOf(l)), 0n) % 1021n;
    return body + letters[Number(n >> 5n)] + letters[Number(n & 31n)];
  };
  assert.equal(faultIn(reserved("20MGGCD2KZ3A44NQQ9")), "newer");
  assert.equal(faultIn(reserved("1ZMGGCD2KZ3A44NQQ9")), "newer");
});

test("what no code holds has none", () => {
  const { rules, players, seed } = parseCode(CODE);
  assert.equal(
    writeCode({ rules: { ...rules, round_limit: 41 }, players, seed }),
    null,
  );
  assert.equal(writeCode({ rules: { ...rules, order: "auto" }, players, seed }), null);
});
