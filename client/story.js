/** One sentence from a game's statistics: who led, and which war turned it. */

import { t } from "./i18n.js";

/** @typedef {import("./api.js").RoundRecord} RoundRecord */
/** @typedef {import("./api.js").Statistics} Statistics */

/**
 * "You led 31 of 40 rounds; the war in round 22 turned it."
 * @param {Statistics} statistics
 * @param {readonly RoundRecord[]} rounds with the cards of each that has a name here
 * @param {readonly string[]} names of the players, or of the teams
 * @param {{me: number, winners: readonly number[]}} who of these; me may be -1
 */
export function storyLine({ turning_round: round }, rounds, names, who) {
  const led = names.map(
    (_, i) => rounds.filter(({ counts }) => leads(counts, i)).length,
  );
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
  const led = rounds.map(({ counts }) => leads(counts, winner));
  // Before the first round there is nothing to turn.
  return led[round - 2] === false && led.slice(round - 1).every(Boolean);
}

/**
 * @param {readonly number[]} counts
 * @param {number} one
 */
function leads(counts, one) {
  return counts.every((n, other) => other === one || n < (counts[one] ?? 0));
}
