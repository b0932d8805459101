/** What is asked over plain HTTP: to open a room, to look at one, to read a record. */

import { maybeT, t } from "./i18n.js";

/** @typedef {import("./messages.d.ts").Rules} Rules */

/**
 * A room as seen from its door.
 * @typedef {object} Door
 * @property {string} code
 * @property {"lobby" | "dealing" | "playing" | "over"} phase
 * @property {number} game
 * @property {string | null} preset
 * @property {({name: string, kind: "human" | "bot"} | null)[]} seats
 * @property {number} free
 * @property {number | null} round the one being played; null: no game
 * @property {string} link how guests get in
 * @property {("play" | "watch" | "next")[]} may
 */

/**
 * @typedef {object} DealRecord
 * @property {string} id
 * @property {string} server_commitment
 * @property {string} server_nonce
 * @property {[number, string][]} commitments
 * @property {[number, string][]} nonces
 * @property {number[]} withheld
 */

/**
 * @typedef {object} BattleRecord
 * @property {[number, number][]} down seat, and how many it laid face down
 * @property {[number, string][]} up seat, and the card it turned up
 * @property {[number, string][]} flips who pressed in what order, and who made the flip
 */

/**
 * @typedef {object} RoundRecord
 * @property {number} round
 * @property {BattleRecord[]} battles
 * @property {number} war wars fought in it
 * @property {number | null} winner
 * @property {number} pot
 * @property {number[]} counts
 * @property {number} at when the table was clear (ms since 1970)
 */

/**
 * @typedef {object} SeatStatistics
 * @property {number} wars_won
 * @property {number} longest_streak
 * @property {number} biggest_lead
 * @property {number} rounds_led
 */

/**
 * The story of a game.
 * @typedef {object} Statistics
 * @property {number} wars
 * @property {number} rounds_in_war
 * @property {number | null} turning_round the round whose war turned the game
 * @property {SeatStatistics[]} seats
 */

/**
 * A finished game.
 * @typedef {object} GameRecord
 * @property {number} schema
 * @property {number} rules_version
 * @property {number} game
 * @property {Rules} rules
 * @property {string | null} preset
 * @property {{seat: number, player: number, name: string, kind: string}[]} players
 * @property {DealRecord[]} void_deals
 * @property {DealRecord} deal
 * @property {boolean} known_beforehand
 * @property {[number, number] | null} time_struck
 * @property {string | null} seed
 * @property {string | null} code
 * @property {string[]} aside
 * @property {RoundRecord[]} rounds
 * @property {BattleRecord[]} unfinished
 * @property {import("./messages.d.ts").OutcomeView | null} outcome
 * @property {Statistics | null} statistics
 */

/** A refusal, with the code that names it. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {{preset: string} | {rules: Rules} | {code: string}} wanted
 * @returns {Promise<{code: string, link: string, watch_link: string}>}
 */
export function openRoom(wanted) {
  return ask("/api/rooms", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
}

/**
 * @param {string} code
 * @returns {Promise<Door>}
 */
export function lookAt(code) {
  return ask(`/api/rooms/${encodeURIComponent(code)}`);
}

/**
 * Whose server this is.
 * @returns {Promise<{version: string, imprint: string | null, privacy: string | null}>}
 */
export function about() {
  return ask("/api/about");
}

/**
 * @param {string} code
 * @param {number} game
 * @returns {Promise<GameRecord>}
 */
export function readRecord(code, game) {
  return ask(`/api/rooms/${encodeURIComponent(code)}/games/${game}`);
}

/**
 * The link by which another device takes over a seat, drawn as a QR.
 * @param {string} code
 * @param {string} claim the one-time code
 * @returns {Promise<{link: string, size: number, path: string}>}
 */
export function drawHandOff(code, claim) {
  return ask(`/api/rooms/${encodeURIComponent(code)}/qr`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ claim }),
  });
}

/** @returns {Promise<{name: string, rules: Rules}[]>} */
export function presets() {
  return ask("/api/presets");
}

/**
 * What went wrong, in the reader's language; a code unknown here says its own sentence.
 * @param {unknown} error
 * @returns {string}
 */
export function sentenceOf(error) {
  const { code, message } = /** @type {{code?: string, message?: string}} */ (error);
  return maybeT(`error.${code}`) ?? message ?? t("error.network");
}

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 * @throws {Refused}
 */
async function ask(path, how) {
  let response;
  try {
    response = await fetch(path, how);
  } catch {
    throw new Refused("network", "network");
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(
    answer.code ?? "network",
    answer.detail ?? answer.title ?? "network",
  );
}
