// One lane: a seat's name, count and state, and its cards from left to right.

import { t } from "../i18n.js";
import { icon } from "./art.js";
import { cardElement, turn } from "./cards.js";
import { element, setText } from "./dom.js";
import { placeLane } from "./layout.js";
import { at, enter, flip, slide } from "./motion.js";
import { countOf, laneLabel, nameOf, seated, teamOf } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{element: HTMLElement, x: number, card: string | null}} Lying */
/** @typedef {"pressed" | "out" | "here" | "away" | "auto" | "bot" | "left"} Mark */

export class Lane {
  #name = element("span", "kt-name", { dir: "auto" });
  #count = element("span", "kt-count");
  #gain = element("span", "kt-gain");
  #state = element("span", "kt-state");
  #bubble = element("span", "kt-bubble");
  #chip = element("span", "kt-chip", { role: "img" });
  #slot = element("span", "kt-slot");
  /** @type {Map<string, Lying>} */
  #lying = new Map();
  /** @type {string} */
  #mark = "";

  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.element = element("section", "kt-lane", { "data-seat": String(seat) });
    this.cards = element("div", "kt-cards");
    this.cards.append(this.#slot, this.#chip);
    const who = element("div", "kt-who");
    who.append(this.#name, this.#count, this.#gain, this.#state);
    this.element.append(who, this.cards, this.#bubble);
    this.#bubble.hidden = true;
  }

  /**
   * @param {Scene} scene
   * @param {View} view
   * @param {number | null} mine
   */
  label(scene, view, mine) {
    const hand = scene.hands[this.seat];
    if (!hand) return;
    setText(
      this.#name,
      this.seat === mine ? t("you.capital") : nameOf(view, this.seat),
    );
    setText(this.#count, countOf(hand));
    this.element.classList.toggle("kt-split", hand.won > 0);
    const won = scene.winner === this.seat;
    setText(this.#gain, won && scene.gain > 0 ? `▲ +${scene.gain}` : "");
    this.element.setAttribute("aria-label", laneLabel(scene, view, this.seat, mine));
    this.element.dataset["team"] = teamOf(view.room.rules, this.seat);
    const apart = scene.wars > 0 && !scene.fighting.includes(this.seat);
    this.element.classList.toggle("kt-mine", this.seat === mine);
    this.element.classList.toggle("kt-won", won);
    this.element.classList.toggle("kt-apart", apart || hand.out);
    this.element.classList.toggle("kt-war", scene.wars > 0 && !apart);
    this.#drawState(this.#markOf(scene, view));
  }

  /**
   * @param {Scene} scene
   * @param {View} view
   * @returns {Mark}
   */
  #markOf(scene, view) {
    if (scene.hands[this.seat]?.out) return "out";
    const state = seated(view)[this.seat]?.state ?? "here";
    // For who is not here the server presses, which says nothing of them.
    return state === "here" && scene.pressed.includes(this.seat) ? "pressed" : state;
  }

  /** @param {Mark} mark */
  #drawState(mark) {
    const text = t(`table.state.${mark}`);
    if (this.#mark === mark + text) return;
    this.#mark = mark + text;
    this.#state.dataset["mark"] = mark;
    this.#state.hidden = mark === "here" && this.element.classList.contains("kt-mine");
    const word = element("span", "");
    word.textContent = text;
    this.#state.replaceChildren(icon(mark === "pressed" ? "check" : mark), word);
  }

  /**
   * Lay the cards as the scene has them. With `ms` those that are new come in, those that
   * were face down turn over, the others make room.
   * @param {Scene} scene
   * @param {{width: number, card: number}} size
   * @param {number} ms  0: at once
   * @returns {Animation[]}
   */
  lay(scene, size, ms) {
    const hand = scene.hands[this.seat];
    if (!hand) return [];
    const row = placeLane(hand.laid, scene.pressed.includes(this.seat), size);
    /** @type {Animation[]} */
    const moving = [];
    const kept = new Set(row.cards.map((placed) => placed.key));
    for (const [key, { element: card }] of this.#lying) {
      if (!kept.has(key)) {
        card.remove();
        this.#lying.delete(key);
      }
    }
    for (const { key, x, card, newest } of row.cards) {
      const before = this.#lying.get(key);
      const lying = before ?? { element: cardElement(card), x, card };
      if (!before) {
        this.#lying.set(key, lying);
        this.cards.append(lying.element);
        if (ms > 0) moving.push(...comeIn(lying.element, card, x, ms));
      }
      const turns = ms > 0 && before?.card === null && card !== null;
      if (before && ms > 0 && before.x !== x && !turns) {
        moving.push(slide(lying.element, before.x, x, ms));
      }
      if (before && before.card !== card) {
        turn(lying.element, card);
        if (turns) moving.push(...flip(lying.element, before.x, x, ms));
      }
      Object.assign(lying, { x, card });
      lying.element.style.setProperty("transform", at(x));
      lying.element.classList.toggle("kt-spent", card !== null && !newest);
    }
    this.#inOrder(row.cards.map(({ key }) => key));
    this.#chip.hidden = row.folded === 0;
    setText(this.#chip, `+${row.folded}`);
    this.#chip.setAttribute("aria-label", t("table.folded", { n: row.folded }));
    this.#slot.hidden = row.cards.length > 0 || row.folded > 0 || hand.out;
    return moving;
  }

  /**
   * A stake comes in below a card that lay ready: the page's order is the order of time.
   * @param {string[]} keys
   */
  #inOrder(keys) {
    const wanted = keys.flatMap((key) => this.#lying.get(key)?.element ?? []);
    const now = Array.from(this.cards.children).slice(2);
    if (wanted.every((card, i) => card === now[i])) return;
    this.cards.append(...wanted);
  }

  /** The cards that lie here, and how far along. */
  lying() {
    return [...this.#lying.values()];
  }

  get pile() {
    return this.#count;
  }

  /** Write the cards' names anew: the language or the letters changed. */
  rename() {
    this.#mark = "";
    for (const { element: card, card: shown } of this.#lying.values()) {
      turn(card, shown);
    }
  }

  /** @param {string} text  empty: take it away */
  say(text) {
    setText(this.#bubble, text);
    this.#bubble.hidden = text === "";
  }
}

/**
 * A new card comes from the pile; one that is shown already turns over on its way.
 * @param {HTMLElement} element
 * @param {string | null} card
 * @param {number} x
 * @param {number} ms
 */
function comeIn(element, card, x, ms) {
  return card ? flip(element, x * 0.4, x, ms) : [enter(element, x, ms)];
}
