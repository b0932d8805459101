// Where things lie on the table. Pure: numbers in, numbers out.
// Rule 1: a rank that lies face up is never covered (unless the lane is too narrow for it).
// Rule 2: the size of a card follows from the box, the players and the rules, never from
//         the cards on the table, so it cannot change in the middle of a round.

/** A card is 5 wide and 7 high. */
export const CARD_RATIO = 5 / 7;

/** How much of a card's width its rank needs to stay readable. */
const RANK_STRIP = 0.56;
const BACK_STRIP = 0.19;
const BACK_STRIP_LEAST = 0.075;
const GAP = 6;
/** How many groups of cards a lane shows before the oldest fold into a chip. */
const GROUPS_SHOWN = 3;
const GROUPS_LEFT_BY_FOLD = 2;
export const CHIP_WIDTH = 34;

/** @typedef {"big" | "wide" | "small" | "tall"} Shape */

/**
 * What kind of box the table has been given, in CSS pixels.
 * @param {number} width
 * @param {number} height
 * @param {boolean} watching
 * @returns {Shape}
 */
export function shapeOf(width, height, watching) {
  if (watching && width >= 1024) return "big";
  if (height <= 480 && width > 1.2 * height) return "wide";
  return height < 620 ? "small" : "tall";
}

/**
 * The seats from the top lane to the bottom one: in turn, the given seat last.
 * @param {number} players
 * @param {number} bottom
 * @returns {number[]}
 */
export function laneOrder(players, bottom) {
  return Array.from({ length: players }, (_, i) => (bottom + 1 + i) % players);
}

/**
 * The width of a card in a lane's card area, such that two wars still show every rank.
 * @param {{width: number, height: number, warDown: number}} lane
 * @returns {number}
 */
export function cardWidth({ width, height, warDown }) {
  const spread = 1 + 2 * RANK_STRIP + 2 * warDown * BACK_STRIP_LEAST;
  const byWidth = Math.min(
    width / spread,
    (width - CHIP_WIDTH - GAP) / (spread - RANK_STRIP),
  );
  return Math.max(24, Math.floor(Math.min(height * CARD_RATIO, byWidth)));
}

/** @typedef {{down: number, up: string | null}} Group */
/**
 * One card of a lane: `key` names it for as long as it lies there, `x` is how far its
 * leading edge is from the lane's, `card` what it shows (null: its back).
 * @typedef {{key: string, x: number, card: string | null, newest: boolean}} Placed
 */
/** @typedef {{cards: Placed[], folded: number, next: number}} Row */

/**
 * Lay out one lane. A seat that has pressed shows one more card, face down.
 * @param {Group[]} groups
 * @param {boolean} pressed
 * @param {{width: number, card: number}} size
 * @returns {Row} `folded` cards are in the chip; `next` is where the next card would lie
 */
export function placeLane(groups, pressed, size) {
  const laid = pressed ? withPressed(groups) : groups;
  const first = laid.length > GROUPS_SHOWN ? laid.length - GROUPS_LEFT_BY_FOLD : 0;
  const folded = laid.slice(0, first).reduce((sum, g) => sum + cardsIn(g), 0);
  const cards = laid.slice(first).flatMap((group, i) => cardsOf(group, first + i));
  const newest = cards.filter((card) => card.card !== null).at(-1);
  const start = folded > 0 ? CHIP_WIDTH + GAP : 0;
  const strides = cards.map((card, i) => stride(card, cards[i + 1], size.card));
  const squeeze = squeezeBy(strides.slice(0, -1), size.width - start - size.card);
  let x = start;
  const placed = cards.map((card, i) => {
    const here = {
      key: card.key,
      card: card.card,
      newest: card === newest,
      x: Math.round(x),
    };
    x += squeeze(strides[i] ?? NO_STRIDE);
    return here;
  });
  return { cards: placed, folded, next: Math.round(x) };
}

/**
 * @param {Group[]} groups
 * @returns {(Group & {pressed?: boolean})[]}
 */
function withPressed(groups) {
  const last = groups.at(-1);
  if (last && last.up === null) {
    return [...groups.slice(0, -1), { ...last, pressed: true }];
  }
  return [...groups, { down: 0, up: null, pressed: true }];
}

/** @param {Group} group */
function cardsIn(group) {
  return group.down + (group.up === null ? 0 : 1);
}

/**
 * @param {Group & {pressed?: boolean}} group
 * @param {number} number
 * @returns {{key: string, card: string | null, last: boolean}[]}
 */
function cardsOf(group, number) {
  const downs = Array.from({ length: group.down }, (_, i) => ({
    key: `${number}d${i}`,
    card: null,
    last: false,
  }));
  if (group.up === null && !group.pressed) {
    return downs.map((d, i) => ({ ...d, last: i === downs.length - 1 }));
  }
  return [...downs, { key: `${number}u`, card: group.up, last: true }];
}

/** @typedef {{wish: number, least: number}} Stride */
/** @type {Stride} */
const NO_STRIDE = { wish: 0, least: 0 };

/**
 * @param {{card: string | null, last: boolean}} card
 * @param {object | undefined} following
 * @param {number} width
 * @returns {Stride}
 */
function stride(card, following, width) {
  if (!card.last) return { wish: BACK_STRIP * width, least: BACK_STRIP_LEAST * width };
  const least = (card.card === null ? BACK_STRIP : RANK_STRIP) * width;
  return { wish: width + GAP, least: following ? least : width + GAP };
}

/**
 * How to shorten the strides so that they fill no more than `room`.
 * @param {Stride[]} strides
 * @param {number} room
 * @returns {(stride: Stride) => number}
 */
function squeezeBy(strides, room) {
  const wish = strides.reduce((sum, s) => sum + s.wish, 0);
  const least = strides.reduce((sum, s) => sum + s.least, 0);
  if (wish <= room) return (s) => s.wish;
  if (least > room) return (s) => (s.least * Math.max(room, 0)) / least;
  const share = (room - least) / (wish - least);
  return (s) => s.least + (s.wish - s.least) * share;
}
