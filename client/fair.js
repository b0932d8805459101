/**
 * A fair deal: nobody, the server included, can choose it.
 *
 * Everyone binds themselves to a nonce by its hash before anyone shows one, and the
 * cards follow from all of them. This file makes our part, and checks the whole.
 */

import { sha256 } from "./sha256.js";

/** The byte that stands for the server where a seat's number would stand. */
export const SERVER = 0xff;

/** @returns {string} 32 random bytes, in hexadecimal */
export function secret() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * What somebody publishes before they show their nonce.
 * @param {string} id the deal's, 16 bytes in hexadecimal
 * @param {number} who the place among the taken seats, or `SERVER`
 * @param {string} nonce 32 bytes in hexadecimal
 * @returns {string}
 */
export function commitment(id, who, nonce) {
  const parts = [
    ascii("krig-commit-v1\0"),
    bytes(id),
    Uint8Array.of(who),
    bytes(nonce),
  ];
  return hex(sha256(joined(parts)));
}

/**
 * The seed that follows from all nonces: 60 bits.
 * @param {string} id
 * @param {string} serverNonce
 * @param {readonly (readonly [number, string])[]} nonces who and nonce, any order
 * @returns {bigint}
 */
export function seedOf(id, serverNonce, nonces) {
  const parts = [ascii("krig-seed-v1\0"), bytes(id), bytes(serverNonce)];
  for (const [who, nonce] of [...nonces].sort((a, b) => a[0] - b[0])) {
    parts.push(Uint8Array.of(who), bytes(nonce));
  }
  return new DataView(sha256(joined(parts)).buffer).getBigUint64(0) >> 4n;
}

/**
 * Shuffle as the seed and the label say; the same on every machine.
 * @template T
 * @param {bigint} seed
 * @param {string} label
 * @param {readonly T[]} cards
 * @returns {T[]}
 */
export function shuffled(seed, label, cards) {
  const below = stream(seed, label);
  const deck = [...cards];
  for (let i = deck.length - 1; i > 0; i--) {
    const j = below(i + 1);
    const [one, other] = [deck[i], deck[j]];
    if (one !== undefined && other !== undefined) [deck[i], deck[j]] = [other, one];
  }
  return deck;
}

/**
 * The deck in its first order: suits S H D C, each from low to ace, then the jokers.
 * @param {number} size 52, 54 or 32
 * @returns {string[]}
 */
export function freshDeck(size) {
  const ranks = size === 32 ? "789TJQKA" : "23456789TJQKA";
  const deck = [..."shdc"].flatMap((suit) => [...ranks].map((rank) => rank + suit));
  return size === 54 ? [...deck, "Xr", "Xb"] : deck;
}

/**
 * Numbers from the seed's stream, each below what is asked for.
 * @param {bigint} seed
 * @param {string} label
 * @returns {(n: number) => number}
 */
export function stream(seed, label) {
  const head = ascii(`krig-stream-v1\0${label}\0`);
  /** @type {DataView} */
  let block = new DataView(new ArrayBuffer(0));
  let at = 0;
  let counter = 0;
  const word = () => {
    if (at === block.byteLength) {
      const tail = new DataView(new ArrayBuffer(12));
      tail.setBigUint64(0, seed);
      tail.setUint32(8, counter++);
      block = new DataView(sha256(joined([head, new Uint8Array(tail.buffer)])).buffer);
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
  return (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let drawn = word();
    while (drawn >= limit) drawn = word();
    return drawn % n;
  };
}

/** @param {string} text */
function ascii(text) {
  return new TextEncoder().encode(text);
}

/** @param {string} text two digits a byte */
function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} array */
export function hex(array) {
  return Array.from(array, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
