/**
 * What a battle comes to: who is highest, who is short, what is staked, whose the pot is.
 *
 * Pure, and read in the same order as the server's `battle.py`, of which it shares nothing.
 */

/** @typedef {import("../messages.d.ts").Rules} Rules */

const RANKS = "23456789TJQKAX";

/** @param {string} card */
export function heightOf(card) {
  return RANKS.indexOf(card[0] ?? "") + 2;
}

/**
 * The seats whose last shown card is the highest; two or more are a war.
 * @param {readonly number[]} fighting
 * @param {readonly (readonly number[])[]} shown the heights of each seat in this round
 */
export function highest(fighting, shown) {
  const top = Math.max(...fighting.map((seat) => shown[seat]?.at(-1) ?? 0));
  return fighting.filter((seat) => shown[seat]?.at(-1) === top);
}

/**
 * Of those who waited: the seats with the best cards of the round, the first one first.
 * @param {readonly number[]} living
 * @param {readonly (readonly number[])[]} shown
 */
export function bestOfWaiting(living, shown) {
  const of = (/** @type {number} */ seat) => shown[seat] ?? [];
  const top = living.reduce((best, seat) =>
    compare(of(seat), of(best)) > 0 ? seat : best,
  );
  return living.filter((seat) => compare(of(seat), of(top)) === 0);
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function compare(a, b) {
  const at = a.findIndex((height, i) => height !== b[i]);
  if (at < 0) return a.length - b.length;
  return at < b.length ? (a[at] ?? 0) - (b[at] ?? 0) : 1;
}

/**
 * The seats that cannot go on with a war.
 * @param {Rules} rules
 * @param {readonly (readonly [number, number])[]} counts seat, and the cards it has left
 * @returns {number[]}
 */
export function shortSeats(rules, counts) {
  const without = counts.filter(([, n]) => n === 0);
  if (rules["short"] === "play_have") return without.map(([seat]) => seat);
  if (rules["short"] === "last_stands")
    return without.length === counts.length ? counts.map(([seat]) => seat) : [];
  const short = counts.filter(([, n]) => n < Number(rules["war_down"]) + 1);
  const all = short.length === counts.length && rules["all_short"] === "longest";
  const most = Math.max(...counts.map(([, n]) => n));
  const richest = counts.filter(([, n]) => n === most);
  const survivor =
    all && most > 0 && richest.length === 1 ? richest[0]?.[0] : undefined;
  return short.map(([seat]) => seat).filter((seat) => seat !== survivor);
}

/**
 * How many cards each seat at war lays face down; its last card is never a stake.
 * @param {Rules} rules
 * @param {readonly (readonly [number, number])[]} counts
 * @returns {Map<number, number>}
 */
export function stakesDue(rules, counts) {
  const most = Number(rules["war_down"]);
  const due = counts.map(([, n]) => Math.min(most, Math.max(n - 1, 0)));
  const poorest = Math.min(...due);
  return new Map(
    counts.map(([seat], i) => [seat, rules["match_down"] ? poorest : (due[i] ?? 0)]),
  );
}

/**
 * What each seat laid, in the order in which it is drawn again.
 * @template T
 * @param {readonly T[]} bySeat
 * @param {number} winner
 * @param {unknown} order
 * @returns {T[]}
 */
export function clockwise(bySeat, winner, order) {
  if (order === "seat") return [...bySeat];
  const first = order === "loser_first" ? winner + 1 : winner;
  return [...bySeat.slice(first), ...bySeat.slice(0, first)];
}

/**
 * The seats of the side with the most cards; none if two sides share the lead.
 * @param {readonly number[]} counts
 * @param {readonly (readonly number[])[]} sides
 * @returns {number[]}
 */
export function leaders(counts, sides) {
  const sums = sides.map((side) =>
    side.reduce((sum, seat) => sum + (counts[seat] ?? 0), 0),
  );
  const most = Math.max(...sums);
  const first =
    sums.filter((sum) => sum === most).length === 1 ? sides[sums.indexOf(most)] : [];
  return [...(first ?? [])];
}

/**
 * The rules as so many players play them, with no order left to choose.
 * @param {Rules} rules
 * @param {number} players
 * @returns {Rules}
 */
export function resolved(rules, players) {
  if (rules["order"] !== "auto") return rules;
  const odd = (Math.floor(Number(rules["deck"]) / players) * players) % 2 === 1;
  const loops = rules["pile"] !== "reshuffle" && (players === 3 || odd);
  return { ...rules, order: loops ? "random" : "winner_first" };
}
