import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
  commitment,
  freshDeck,
  hex,
  seedOf,
  SERVER,
  shuffled,
} from "../../client/fair.js";
import { sha256 } from "../../client/sha256.js";

// The worked example of the rules' section on the fair deal.
const ID = "000102030405060708090a0b0c0d0e0f";
const SERVER_NONCE = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf".repeat(2);
const NONCES = /** @type {[number, string][]} */ ([
  [0, "01".repeat(32)],
  [1, "02".repeat(32)],
]);

test("our SHA-256 agrees with node's for every length up to 300", () => {
  for (let length = 0; length <= 300; length++) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
    assert.equal(
      hex(sha256(message)),
      createHash("sha256").update(message).digest("hex"),
    );
  }
});

test("the commitments of the worked example", () => {
  assert.equal(
    commitment(ID, SERVER, SERVER_NONCE),
    "65df652c7e60e5d64fdc9c43c4b5730d6d1b83b816d28ae6b3ff0568399c9a91",
  );
  assert.equal(
    commitment(ID, 0, "01".repeat(32)),
    "bf31afb5107eec90cf1252536b22e69ede08dd15ae008566de7b76bb2f88b4bb",
  );
  assert.equal(
    commitment(ID, 1, "02".repeat(32)),
    "62cf6d2b51d8c9b705e8568aa349d08ede6197ee85166a5a2797a25b506430c4",
  );
});

test("the seed of the worked example, whatever the order the nonces come in", () => {
  assert.equal(seedOf(ID, SERVER_NONCE, NONCES), 471328862946123497n);
  assert.equal(seedOf(ID, SERVER_NONCE, [...NONCES].reverse()), 471328862946123497n);
});

test("seed 0 deals the 52 cards of the shuffle vectors", () => {
  const deck = shuffled(0n, "deal/52", freshDeck(52)).join(" ");
  assert.match(deck, /^8s Kd 7h 2c Td 9c 7d Js 2h Qh Qd 3c Kh /);
  assert.match(deck, / 8h Qc 3h 6s 5s Jd Ac 3s Th 2s$/);
});

test("a shuffle keeps every card, with jokers and with 32 cards", () => {
  for (const size of [32, 52, 54]) {
    const deck = shuffled(7n, `deal/${size}`, freshDeck(size));
    assert.deepEqual([...deck].sort(), [...freshDeck(size)].sort());
  }
});
