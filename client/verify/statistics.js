/**
 * What the end screen tells of a game: counts after each round, and who won it, made into
 * a story. The server says the same; this is to check it.
 */

/** @typedef {import("../api.js").RoundRecord} RoundRecord */
/** @typedef {import("../api.js").Statistics} Statistics */

/**
 * @param {readonly number[]} start the cards of each seat as they were dealt
 * @param {readonly RoundRecord[]} rounds
 * @param {readonly number[]} winners
 * @returns {Statistics}
 */
export function statisticsOf(start, rounds, winners) {
  return {
    wars: rounds.reduce((sum, { war }) => sum + war, 0),
    rounds_in_war: rounds.filter(({ war }) => war > 0).length,
    turning_round: turningRound(start, rounds, winners),
    seats: start.map((_, seat) => ofSeat(seat, rounds)),
  };
}

/**
 * @param {number} seat
 * @param {readonly RoundRecord[]} rounds
 */
function ofSeat(seat, rounds) {
  const story = { wars_won: 0, longest_streak: 0, biggest_lead: 0, rounds_led: 0 };
  let streak = 0;
  for (const { winner, war, counts } of rounds) {
    streak = winner === seat ? streak + 1 : 0;
    const lead = leadOf(counts, seat);
    if (winner === seat) story.wars_won += war;
    if (lead > 0) story.rounds_led++;
    story.longest_streak = Math.max(story.longest_streak, streak);
    story.biggest_lead = Math.max(story.biggest_lead, lead);
  }
  return story;
}

/**
 * How many cards a seat is ahead of whoever has most besides.
 * @param {readonly number[]} counts
 * @param {number} seat
 */
function leadOf(counts, seat) {
  return (counts[seat] ?? 0) - Math.max(...counts.filter((_, other) => other !== seat));
}

/**
 * The war after which the winner led to the end, else the one with the greatest swing,
 * if anybody gained anything.
 * @param {readonly number[]} start
 * @param {readonly RoundRecord[]} rounds
 * @param {readonly number[]} winners
 * @returns {number | null} from 1
 */
function turningRound(start, rounds, winners) {
  const inWar = rounds.flatMap(({ war }, i) => (war > 0 ? [i] : []));
  const [winner] = winners;
  if (winners.length === 1 && winner !== undefined) {
    const first = rounds.findLastIndex(({ counts }) => leadOf(counts, winner) <= 0) + 1;
    if (inWar.includes(first)) return first + 1;
  }
  const before = [start, ...rounds.map(({ counts }) => counts)];
  const swing = (/** @type {number} */ i) =>
    Math.max(
      ...(rounds[i]?.counts ?? []).map((n, seat) => n - (before[i]?.[seat] ?? 0)),
    );
  const most = Math.max(...inWar.map(swing));
  const turned = inWar.find((i) => most > 0 && swing(i) === most);
  return turned === undefined ? null : turned + 1;
}
