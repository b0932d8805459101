/**
 * A finished game as a story that a table can show: its views and what led to each.
 *
 * Pure. A record tells the cards; what follows from them, the verifier's game says.
 */

import { dealtView, seatOf } from "./rules.js";
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

/** @typedef {{start: View, steps: Step[]}} Replay */

/**
 * @param {GameRecord} record
 * @param {string} code the room's
 * @returns {Replay}
 */
export function replayOf(record, code) {
  const game = dealGame(record, BigInt(record.seed ?? 0));
  const replay = stepsOf(game, code, (step) => {
    const battles = [
      ...record.rounds.flatMap((one) => one.battles),
      ...record.unfinished,
    ];
    for (const { flips } of battles) {
      strikeIfDue(game, record, false);
      for (const [seat, by] of flips) game.flip(seat, /** @type {"player"} */ (by));
      step();
    }
    strikeIfDue(game, record, true);
    endAsTold(game, record);
    if (game.told.length > 0) step();
  });
  const seats = record.players.map(({ player, name, kind }) =>
    seatOf(player, name, kind === "bot" ? "bot" : "human"),
  );
  /** @param {View} view */
  const named = (view) => ({ ...view, seats });
  return {
    start: named(replay.start),
    steps: replay.steps.map((step) => ({ ...step, view: named(step.view) })),
  };
}

/**
 * What a game tells while it is played, cut where `play` says so.
 * @param {Game} game that has just been dealt
 * @param {string} code for the table's header
 * @param {(step: () => void) => void} play
 * @returns {Replay}
 */
export function stepsOf(game, code, play) {
  const start = dealtView({
    room: { code, rules: game.rules },
    stocks: game.counts,
    playing: game.living,
    aside: game.aside.length,
  });
  /** @type {Step[]} */
  const steps = [];
  let round = 1;
  play(() => {
    const events = game.news();
    const view = after(steps.at(-1)?.view ?? start, events);
    const war = events.some(({ type }) => type === "war");
    steps.push({ round, war, events, view });
    if (game.outcome === null) round = game.rounds + 1;
  });
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
