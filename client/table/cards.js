// A card: one element, named in the reader's language, showing its face or its back.

import { cardName, rankLetter, t } from "../i18n.js";
import { glyph, svg } from "./art.js";

const COURTS = "KQJ";

/**
 * A card to lay somewhere: on the table, in the rules, on the front page.
 * @param {string | null} card rank then suit, as on the wire; null: face down
 * @returns {HTMLElement}
 */
export function cardElement(card) {
  const element = document.createElement("div");
  element.className = "kt-card";
  element.setAttribute("role", "img");
  turn(element, card);
  return element;
}

/**
 * Show this face (or the back) on a card that lies there already.
 * @param {HTMLElement} element
 * @param {string | null} card
 */
export function turn(element, card) {
  element.dataset["card"] = card ?? "";
  element.dataset["suit"] = card ? (card[1] ?? "") : "";
  element.setAttribute("aria-label", card ? cardName(card) : t("card.back"));
  element.classList.toggle("kt-back", card === null);
  element.replaceChildren(...(card ? face(card) : []));
}

/** @param {string} card */
function face(card) {
  const rank = card[0] ?? "";
  const suit = /** @type {"s" | "h" | "d" | "c"} */ (card[1]);
  return rank === "X" ? [drawing("X", suit)] : [index(rank), drawing(rank, suit)];
}

/** @param {string} rank */
function index(rank) {
  const letter = rankLetter(rank);
  const index = document.createElement("span");
  index.className = letter.length > 1 ? "kt-index kt-narrow" : "kt-index";
  index.textContent = letter;
  return index;
}

/** @type {Map<string, SVGElement>} */
const drawn = new Map();

/**
 * What is the same on many cards is drawn once, and then copied.
 * @param {string} rank
 * @param {"s" | "h" | "d" | "c"} suit
 */
function drawing(rank, suit) {
  const kind = "AKQJX".includes(rank) ? rank + suit : suit;
  let first = drawn.get(kind);
  if (!first) {
    const corner =
      rank === "X"
        ? glyph("X", { x: 6, y: 8, size: 40 })
        : glyph(suit, { x: 9, y: 53, size: 25 });
    const attributes = {
      class: "kt-face",
      viewBox: "0 0 100 140",
      "aria-hidden": "true",
    };
    first = svg("svg", attributes, corner, picture(rank, suit));
    drawn.set(kind, first);
  }
  return first.cloneNode(true);
}

/**
 * @param {string} rank
 * @param {"s" | "h" | "d" | "c"} suit
 */
function picture(rank, suit) {
  if (rank === "X") return glyph("jester", { x: 32, y: 68, size: 60 });
  if (COURTS.includes(rank)) {
    return glyph(/** @type {"K" | "Q" | "J"} */ (rank), {
      x: 34,
      y: 70,
      size: 58,
    });
  }
  const size = rank === "A" ? 66 : 54;
  return glyph(suit, { x: 94 - size, y: 132 - size, size });
}
