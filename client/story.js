/** What a finished game was like: who led, whose streak, which war turned it. Pure. */

/** @typedef {import("./api.js").RoundRecord} RoundRecord */

/**
 * @typedef {object} Told about one seat
 * @property {number} warsWon
 * @property {number} streak rounds won in a row
 * @property {number} lead the biggest, in cards; 0: never ahead
 * @property {number} led rounds after which it had the most cards
 */

/**
 * @param {readonly RoundRecord[]} rounds
 * @param {number} seat
 * @returns {Told}
 */
export function storyOf(rounds, seat) {
  const told = { warsWon: 0, streak: 0, lead: 0, led: 0 };
  let run = 0;
  for (const { war, winner, counts } of rounds) {
    run = winner === seat ? run + 1 : 0;
    if (winner === seat) told.warsWon += war;
    told.streak = Math.max(told.streak, run);
    const ahead = aheadOf(counts, seat);
    told.lead = Math.max(told.lead, ahead);
    if (ahead > 0) told.led++;
  }
  return told;
}

/**
 * The war after which the winner led to the end, if it was a war that did it.
 * @param {readonly RoundRecord[]} rounds
 * @param {number} winner
 * @returns {number | null} the round
 */
export function turningWar(rounds, winner) {
  const behind = rounds.findLastIndex(({ counts }) => aheadOf(counts, winner) <= 0);
  const turned = rounds[behind + 1];
  return behind >= 0 && turned !== undefined && turned.war > 0 ? turned.round : null;
}

/**
 * How many cards a seat has more than the best of the others.
 * @param {readonly number[]} counts
 * @param {number} seat
 */
function aheadOf(counts, seat) {
  const others = counts.filter((_, other) => other !== seat);
  return (counts[seat] ?? 0) - Math.max(...others);
}
