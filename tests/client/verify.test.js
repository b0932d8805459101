import assert from "node:assert/strict";
import { test } from "node:test";

import { commitment, freshDeck, seedOf, SERVER, shuffled } from "../../client/fair.js";
import { verdictOn } from "../../client/verify.js";

const ID = "000102030405060708090a0b0c0d0e0f";
const NONCE = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf".repeat(2);
const NONCES = /** @type {[number, string][]} */ ([
  [0, "01".repeat(32)],
  [1, "02".repeat(32)],
]);

/** A cut deal's first round, and a war in which each lays one card down. */
function record() {
  const seed = seedOf(ID, NONCE, NONCES);
  const deck = shuffled(seed, "deal/52", freshDeck(52));
  /** @param {number} i @returns {[number, string][]} */
  const up = (i) => [
    [0, deck[i] ?? ""],
    [1, deck[26 + i] ?? ""],
  ];
  const battle = { down: /** @type {[number, number][]} */ ([]), up: up(0) };
  const war = {
    down: /** @type {[number, number][]} */ ([
      [0, 1],
      [1, 1],
    ]),
    up: up(2),
  };
  return {
    rules: { deck: 52, deal: "cut", pile: "reshuffle" },
    players: [0, 1].map((seat) => ({ seat, player: seat, name: String(seat) })),
    deal: {
      id: ID,
      server_commitment: commitment(ID, SERVER, NONCE),
      server_nonce: NONCE,
      commitments: NONCES.map(
        ([seat, nonce]) =>
          /** @type {[number, string]} */ ([seat, commitment(ID, seat, nonce)]),
      ),
      nonces: NONCES,
      withheld: [],
    },
    seed: String(seed),
    rounds: [{ round: 1, battles: [battle, war], war: 1, winner: 0, counts: [29, 23] }],
  };
}

test("an honest record holds, also against what the page saw before the deal", () => {
  const honest = record();
  assert.equal(verdictOn(honest, null), "yes");
  const seen = { id: ID, commitment: honest.deal.server_commitment };
  assert.equal(verdictOn(honest, seen), "yes");
});

test("another server nonce, player nonce, seed or card does not hold", () => {
  const other = "ff".repeat(32);
  const lies = [record(), record(), record(), record(), record()];
  const [server, player, seed, card, seen] = lies;
  if (!server || !player || !seed || !card || !seen) return;
  server.deal.server_nonce = other;
  player.deal.nonces = [[0, other], ...NONCES.slice(1)];
  seed.seed = "1";
  const first = card.rounds[0]?.battles[0];
  if (first) first.up = [...first.up].map(([seat, up]) => [1 - seat, up]);
  for (const lie of lies.slice(0, 4)) assert.equal(verdictOn(lie, null), "no");
  assert.equal(verdictOn(seen, { id: ID, commitment: other }), "no");
});

test("a game that was never dealt cannot be checked", () => {
  assert.equal(verdictOn({ ...record(), seed: null }, null), "unknown");
});
