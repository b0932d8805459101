// How long everything takes, and in which order it is shown. Pure.

import { follow } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {"show" | "hold" | "fly" | "home" | "shuffle"} Motion */
/**
 * One moment of a story: show `scene`, do `motion` on it for `ms`.
 * @typedef {{scene: Scene, motion: Motion, ms: number}} Step
 */

export const FLIP_MS = 250;
export const HOLD_MS = 350;
export const FLY_MS = 350;
const PRESS_MS = 120;
/** Longer would hold the game up. */
const SHUFFLE_MS = 400;
/** A reason takes longer to read than a card. */
const REASON_MS = 900;

/** How much longer everything takes at each tempo. */
export const TEMPO = Object.freeze({ slow: 1.8, normal: 1, fast: 0.35 });

/** More rounds than these waiting to be shown, and all but the last are skipped. */
export const ROUNDS_BEHIND = 2;

/**
 * The steps that show what was told, from the scene before it.
 * @param {readonly ToldEvent[]} events
 * @param {Scene} before
 * @returns {Step[]}
 */
export function plan(events, before) {
  /** @type {Step[]} */
  const steps = [];
  let scene = before;
  for (const [i, event] of events.entries()) {
    const after = follow(scene, event, i, events);
    if (after !== scene) steps.push(...stepsFor(event, after));
    scene = after;
  }
  return steps;
}

/**
 * @param {ToldEvent} event
 * @param {Scene} scene
 * @returns {Step[]}
 */
function stepsFor(event, scene) {
  switch (event.type) {
    case "flipped":
      return [{ scene, motion: "show", ms: PRESS_MS }];
    case "reshuffled":
      return [{ scene, motion: "shuffle", ms: SHUFFLE_MS }];
    case "staked":
    case "turned":
      return [{ scene, motion: "show", ms: FLIP_MS }];
    case "war":
      return [{ scene, motion: "show", ms: HOLD_MS }];
    case "short":
    case "time_struck":
      return [{ scene, motion: "show", ms: REASON_MS }];
    case "pot_won":
      return [
        { scene, motion: "hold", ms: HOLD_MS },
        { scene, motion: "fly", ms: FLY_MS },
      ];
    case "pot_left":
    case "round_void":
      return [
        { scene, motion: "hold", ms: REASON_MS },
        { scene, motion: "home", ms: FLY_MS },
      ];
    default:
      return [{ scene, motion: "show", ms: 0 }];
  }
}

/**
 * How many of the told entries to skip: all but the last finished round where more than
 * two are waiting.
 * @param {readonly {events: readonly ToldEvent[]}[]} told
 * @returns {number}
 */
export function skippable(told) {
  const ends = told.flatMap(({ events }, i) =>
    events.some((e) => e.type === "round_ended") ? [i] : [],
  );
  return ends.length > ROUNDS_BEHIND ? (ends.at(-2) ?? -1) + 1 : 0;
}
