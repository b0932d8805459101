/** One sentence from a game's statistics: who led, and which war turned it. */

import { t } from "./i18n.js";

/** @typedef {import("./api.js").RoundRecord} RoundRecord */
/** @typedef {import("./api.js").Statistics} Statistics */

/**
 * "You led 31 of 40 rounds; the war in round 22 turned it."
 * @param {Statistics} statistics
 * @param {readonly RoundRecord[]} rounds
 * @param {readonly string[]} names
 * @param {{me: number, winners: readonly number[]}} who my seat, or -1
 */
export function storyLine({ seats, turning_round: round }, rounds, names, who) {
  const led = seats.map(({ rounds_led: n }) => n);
  const most = led.indexOf(Math.max(...led));
  const n = led[most] ?? 0;
  const key = most === who.me ? "end.story.you_led" : "end.story.led";
  const text =
    n === 0
      ? t("end.story.even").replace(/\.$/, "")
      : t(key, { name: names[most] ?? "", n, of: rounds.length });
  if (round === null) return `${text}.`;
  const turned = turnedBy(rounds, round, who.winners);
  return `${text}; ${t(turned ? "end.story.war" : "end.story.swing", { round })}.`;
}

/**
 * Whether the one winner had most cards after every round from there on, and not before.
 * @param {readonly RoundRecord[]} rounds
 * @param {number} round
 * @param {readonly number[]} winners
 */
function turnedBy(rounds, round, winners) {
  const [winner] = winners;
  if (winner === undefined || winners.length > 1) return false;
  const led = rounds.map(({ counts }) =>
    counts.every((n, seat) => seat === winner || n < (counts[winner] ?? 0)),
  );
  // Before the first round there is nothing to turn.
  return led[round - 2] === false && led.slice(round - 1).every(Boolean);
}
