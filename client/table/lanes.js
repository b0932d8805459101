// All lanes: which is where, how large a card is, and what flies from one to another.

import { element } from "./dom.js";
import { cardWidth, laneOrder } from "./layout.js";
import { Lane } from "./lane.js";
import { fly, shuffle } from "./motion.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./plan.js").Step} Step */

/** Cards of one lane leave one after the other, this far apart, as a part of the flight. */
const STAGGER = 0.03;
/** In a lower lane there is no room for three lines beside the cards. */
const TIGHT = 52;
/** They land beside the winner's cards, by this part of a card's width. */
const BESIDE = 0.56;

export class Lanes {
  /** @type {Lane[]}  by seat */
  #lanes = [];
  /** @type {Animation[]} */
  #moving = [];
  #size = { width: 300, card: 57 };
  #bottom = -1;
  /** A lane turned by 180 degrees, for who sits across. @type {number | null} */
  turned = null;

  constructor() {
    this.element = element("div", "kt-lanes");
  }

  /**
   * Have a lane for each player, the given seat's at the bottom.
   * @param {number} players
   * @param {number} bottom
   * @returns {boolean} whether anything changed
   */
  seat(players, bottom) {
    if (this.#lanes.length === players && this.#bottom === bottom) return false;
    if (this.#lanes.length !== players) {
      this.#lanes = Array.from({ length: players }, (_, i) => new Lane(i));
    }
    this.#bottom = bottom;
    this.element.dataset["players"] = String(players);
    this.element.replaceChildren(
      ...laneOrder(players, bottom).flatMap((i) => this.#lanes[i]?.element ?? []),
    );
    return true;
  }

  /**
   * Measure a lane and set the cards' size.
   * @param {number} warDown
   */
  measure(warDown) {
    const { clientWidth: width = 0, clientHeight: height = 0 } =
      this.#lanes[0]?.cards ?? {};
    if (width === 0) return;
    const card = cardWidth({ width, height, warDown });
    this.#size = { width, card };
    this.element.style.setProperty("--kt-card", `${card}px`);
    this.element.classList.toggle("kt-tight", height < TIGHT);
  }

  /**
   * @param {Scene} scene
   * @param {View} view
   * @param {number | null} mine
   * @param {number} ms  how long cards take to their new places; 0: at once
   */
  draw(scene, view, mine, ms) {
    if (ms === 0) this.still();
    for (const lane of this.#lanes) {
      lane.element.classList.toggle("kt-turned", lane.seat === this.turned);
      lane.element.classList.remove("kt-leaving");
      lane.label(scene, view, mine);
      this.#moving.push(...lane.lay(scene, this.#size, ms));
    }
  }

  /** End all movement where it would have ended. */
  still() {
    const moving = this.#moving;
    this.#moving = [];
    for (const animation of moving) animation.cancel();
  }

  /**
   * The motion of a step whose scene is drawn already.
   * @param {Step} step
   * @param {number} ms
   */
  move({ motion, scene }, ms) {
    if (motion === "fly" && scene.winner !== null) this.#flyTo(scene.winner, ms);
    if (motion === "home") {
      for (const lane of this.#lanes) this.#flyFrom(lane, lane, ms);
    }
    const note = scene.note;
    const shuffling =
      motion === "shuffle" && note?.kind === "shuffle"
        ? this.#lanes[note.seat]
        : undefined;
    if (shuffling) this.#moving.push(shuffle(shuffling.pile, ms));
  }

  /**
   * @param {number} seat
   * @param {number} ms
   */
  #flyTo(seat, ms) {
    const winner = this.#lanes[seat];
    if (winner) for (const lane of this.#lanes) this.#flyFrom(lane, winner, ms);
  }

  /**
   * @param {Lane} from
   * @param {Lane} to
   * @param {number} ms
   */
  #flyFrom(from, to, ms) {
    const sign = from.seat === this.turned ? -1 : 1;
    const beside = from === to ? 0 : BESIDE * this.#size.card;
    const dx = sign * (to.element.offsetLeft - from.element.offsetLeft) + beside;
    const dy = sign * (to.element.offsetTop - from.element.offsetTop);
    from.element.classList.toggle("kt-leaving", from !== to);
    const cards = from.lying();
    const delay = Math.min(STAGGER * ms, (ms * 0.25) / Math.max(1, cards.length));
    cards.forEach(({ element: card, x }, i) => {
      this.#moving.push(fly(card, { x, dx, dy, delay: i * delay }, ms - i * delay));
    });
  }

  /** Write every card's name anew. */
  rename() {
    for (const lane of this.#lanes) lane.rename();
  }

  /**
   * @param {number} seat
   * @param {string} text
   */
  say(seat, text) {
    this.#lanes[seat]?.say(text);
  }
}
