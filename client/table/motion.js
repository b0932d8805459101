// How cards move: only transform and opacity, so that a slow phone keeps up.
// Every function starts its animations and hands them back; nobody waits for them here.

import { element } from "./dom.js";

const EASE = "cubic-bezier(.3, .1, .2, 1)";

/** @param {number} x */
export function at(x) {
  return `translateX(${x}px)`;
}

/**
 * A card comes from its owner's pile.
 * @param {HTMLElement} card
 * @param {number} x
 * @param {number} ms
 */
export function enter(card, x, ms) {
  const from = { transform: `${at(x * 0.4)} scale(.8)`, opacity: 0 };
  return card.animate([from, { transform: at(x), opacity: 1 }], {
    duration: ms,
    easing: EASE,
  });
}

/**
 * A card moves along its lane.
 * @param {HTMLElement} card
 * @param {number} from
 * @param {number} to
 * @param {number} ms
 */
export function slide(card, from, to, ms) {
  return card.animate([{ transform: at(from) }, { transform: at(to) }], {
    duration: ms,
    easing: EASE,
  });
}

/**
 * A card that lay face down turns over: it narrows to its edge and widens again, and its
 * back is gone from half way.
 * @param {HTMLElement} card showing its face already
 * @param {number} from
 * @param {number} to
 * @param {number} ms
 */
export function flip(card, from, to, ms) {
  const back = element("div", "kt-back kt-rear");
  card.append(back);
  const edge = { transform: `${at((from + to) / 2)} scaleX(0)`, offset: 0.5 };
  const turning = card.animate(
    [{ transform: at(from) }, edge, { transform: at(to) }],
    ms,
  );
  const hiding = back.animate(
    [
      { opacity: 1 },
      { opacity: 1, offset: 0.5 },
      { opacity: 0, offset: 0.5 },
      { opacity: 0 },
    ],
    ms,
  );
  const gone = () => back.remove();
  hiding.finished.then(gone, gone);
  return [turning, hiding];
}

/**
 * A card goes to another lane, or into its own pile where dx and dy are 0.
 * @param {HTMLElement} card
 * @param {{x: number, dx: number, dy: number, delay: number}} way
 * @param {number} ms
 */
export function fly(card, { x, dx, dy, delay }, ms) {
  const there = `translate(${x + dx}px, ${dy}px)`;
  const pile = `translate(${dx - 30}px, ${dy}px) scale(.5)`;
  return card.animate(
    [
      { transform: at(x), opacity: 1, easing: "ease-in-out" },
      { transform: there, opacity: 1, offset: 0.65, easing: "ease-in" },
      { transform: pile, opacity: 0 },
    ],
    { duration: ms, delay, fill: "forwards" },
  );
}

/**
 * A pile is shuffled.
 * @param {HTMLElement} pile
 * @param {number} ms
 */
export function shuffle(pile, ms) {
  const tilt = (/** @type {number} */ by) => ({
    transform: `translateX(${by}px) rotate(${by}deg)`,
  });
  return pile.animate([tilt(0), tilt(-6), tilt(6), tilt(-6), tilt(6), tilt(0)], ms);
}
