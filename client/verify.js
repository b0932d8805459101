/**
 * Whether a finished game was dealt as everybody was bound to before it.
 *
 * The one place of the client where cards follow from rules: the deal alone.
 */

import { commitment, freshDeck, seedOf, SERVER, shuffled } from "./fair.js";

/** @typedef {import("./api.js").GameRecord} GameRecord */

/**
 * @typedef {"yes" | "no" | "unknown"} Verdict unknown: the record does not say enough
 */

/**
 * @param {GameRecord} record
 * @param {{id: string, commitment: string} | null} seen what the server was bound to when
 *   this page saw the cards being dealt
 * @returns {Verdict}
 */
export function verdictOn(record, seen) {
  const { deal, seed } = record;
  if (seed === null) return "unknown";
  const bound = new Map(deal.commitments);
  const all = [
    seen === null ||
      (seen.id === deal.id && seen.commitment === deal.server_commitment),
    commitment(deal.id, SERVER, deal.server_nonce) === deal.server_commitment,
    deal.nonces.every(
      ([seat, nonce]) => commitment(deal.id, seat, nonce) === bound.get(seat),
    ),
    seedOf(deal.id, deal.server_nonce, deal.nonces) === BigInt(seed),
    cardsFit(record, BigInt(seed)),
  ];
  return all.every(Boolean) ? "yes" : "no";
}

/**
 * Whether every card that was turned up from a dealt stock is the one that lay there.
 * @param {GameRecord} record
 * @param {bigint} seed
 */
function cardsFit({ rules, players, rounds }, seed) {
  const size = Number(rules["deck"]);
  const stocks = dealt(
    shuffled(seed, `deal/${size}`, freshDeck(size)),
    players.length,
    rules["deal"],
  );
  const at = stocks.map(() => 0);
  const told = rules["pile"] === "top" ? rounds.slice(0, 1) : rounds;
  for (const { down, up } of told.flatMap(({ battles }) => battles)) {
    for (const [seat, count] of down) at[seat] = (at[seat] ?? 0) + count;
    for (const [seat, card] of up) {
      const i = at[seat] ?? 0;
      const lay = stocks[seat]?.[i];
      if (lay !== undefined && lay !== card) return false;
      at[seat] = i + 1;
    }
  }
  return true;
}

/**
 * @param {readonly string[]} deck
 * @param {number} players
 * @param {unknown} way `cut` or `round_robin`
 * @returns {string[][]}
 */
function dealt(deck, players, way) {
  const each = Math.floor(deck.length / players);
  return Array.from({ length: players }, (_, seat) =>
    way === "cut"
      ? deck.slice(seat * each, (seat + 1) * each)
      : Array.from({ length: each }, (_, i) => deck[i * players + seat] ?? ""),
  );
}
