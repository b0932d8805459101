/**
 * A finished game as a story that a table can show: its views and what led to each.
 *
 * Pure. A record tells the cards; what follows from them, the verifier's game says.
 */

import { after } from "./state.js";
import { dealGame, endAsTold, strikeIfDue } from "./verify.js";

/** @typedef {import("./api.js").GameRecord} GameRecord */
/** @typedef {import("./messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("./messages.d.ts").View} View */
/** @typedef {import("./verify/game.js").Game} Game */

/**
 * @typedef {object} Step a battle: its presses, and what they came to
 * @property {number} round from 1
 * @property {boolean} war it ended in a tie
 * @property {readonly ToldEvent[]} events
 * @property {View} view after them
 */

/**
 * @param {GameRecord} record
 * @param {string} code the room's
 * @returns {{start: View, steps: Step[]}}
 */
export function replayOf(record, code) {
  const game = dealGame(record, BigInt(record.seed ?? 0));
  const start = viewOf(record, code, game);
  /** @type {Step[]} */
  const steps = [];
  const step = (/** @type {number} */ round) => {
    const events = game.news();
    const view = after(steps.at(-1)?.view ?? start, events);
    steps.push({ round, war: events.some(({ type }) => type === "war"), events, view });
  };
  for (const { round, battles } of record.rounds) {
    for (const { flips } of battles) {
      strikeIfDue(game, record);
      for (const [seat, by] of flips) game.flip(seat, /** @type {"player"} */ (by));
      step(round);
    }
  }
  const last = record.rounds.length + 1;
  for (const { flips } of record.unfinished) {
    for (const [seat, by] of flips) game.flip(seat, /** @type {"player"} */ (by));
    step(last);
  }
  strikeIfDue(game, record);
  endAsTold(game, record);
  if (game.told.length > 0) step(last - 1);
  return { start, steps };
}

/**
 * The first step of a round.
 * @param {readonly Step[]} steps
 * @param {number} round
 */
export function stepOfRound(steps, round) {
  return Math.max(
    0,
    steps.findIndex((step) => step.round === round),
  );
}

/**
 * The next step that ends in a tie.
 * @param {readonly Step[]} steps
 * @param {number} from
 * @returns {number | null} null: there is no other war
 */
export function nextWar(steps, from) {
  const found = steps.findIndex(({ war }, i) => war && i >= from);
  return found < 0 ? null : found;
}

/**
 * The table as it was dealt.
 * @param {GameRecord} record
 * @param {string} code
 * @param {Game} game
 * @returns {View}
 */
function viewOf({ players, preset }, code, game) {
  const everyone = game.living;
  return {
    room: {
      code,
      phase: "playing",
      game: 0,
      terms: 0,
      owner: null,
      closed: false,
      rules: game.rules,
      preset,
      game_code: null,
      tempo: "normal",
      wars_by_table: false,
      paused: null,
      asleep: false,
      deal: { id: "", commitment: "", stage: "done", missing: [], withheld: [] },
    },
    seats: players.map(({ player, name, kind }) => ({
      player,
      name,
      kind: kind === "bot" ? "bot" : "human",
      ready: true,
      commitment: null,
      state: kind === "bot" ? "bot" : "here",
    })),
    table: {
      round: 1,
      battle: 0,
      wars: 0,
      hands: game.counts.map((stock) => ({ stock, won: 0, out: false, laid: [] })),
      waiting: everyone,
      flipped: [],
      fighting: everyone,
      pot: 0,
      aside: game.aside.length,
      last_round: false,
      clock: null,
    },
    last: null,
  };
}
