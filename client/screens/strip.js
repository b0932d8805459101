/** From two to ace, for children who learn the ranks: what lies face up lights up. */

import { make } from "../dom.js";
import { rankLetter } from "../i18n.js";

/** @typedef {import("../messages.d.ts").Rules} Rules */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */

/** @param {Rules} rules */
export function orderStrip(rules) {
  const ranks = [...(rules["deck"] === 32 ? "789TJQKA" : "23456789TJQKA")];
  if (rules["deck"] === 54) ranks.push("X");
  const cells = new Map(
    ranks.map((rank) => [rank, make("span", {}, rankLetter(rank))]),
  );
  const element = make(
    "div",
    { class: "strip", "aria-hidden": "true" },
    ...cells.values(),
  );
  return {
    element,
    /** @param {readonly ToldEvent[]} events */
    follow(events) {
      const turned = events.findLast((event) => event.type === "turned");
      if (turned?.type !== "turned") return;
      const shown = new Set(turned.cards.map(([, card]) => card[0]));
      const top = ranks.findLast((rank) => shown.has(rank));
      for (const [rank, cell] of cells) {
        cell.className = rank === top ? "lit top" : shown.has(rank) ? "lit" : "";
      }
    },
  };
}
