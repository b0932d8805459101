/** The rules in force, short enough to be read aloud; printable. */

import { make } from "../dom.js";
import { t } from "../i18n.js";
import { openSheet } from "./sheet.js";

/** @typedef {import("../messages.d.ts").Rules} Rules */

/** What the first table is played by, until a room says otherwise. @type {Rules} */
export const KRIEG_40 = {
  deck: 52,
  war_down: 1,
  short: "play_have",
  pile: "reshuffle",
  round_limit: 40,
  time_limit: null,
  teams: false,
};

const MISTAKES = ["suit", "top", "look", "agree", "open", "strategy"];

/**
 * @param {Rules} [rules]
 * @param {number} [players]
 */
export function openRules(rules = KRIEG_40, players = 2) {
  openSheet(t("page.title"), () => [
    make(
      "div",
      { class: "stack" },
      ...told(rules, players).map((text) => make("p", {}, text)),
    ),
    make("h2", {}, t("page.mistakes")),
    make(
      "ul",
      { class: "steps" },
      ...MISTAKES.filter((name) => name !== "top" || rules["pile"] !== "top").map(
        (name) => make("li", {}, t(`page.mistake.${name}`)),
      ),
    ),
    make("h2", {}, t("page.keys")),
    make(
      "ul",
      { class: "steps" },
      ...["flip", "auto", "tempo", "help"].map((name) =>
        make("li", {}, t(`page.keys.${name}`)),
      ),
    ),
    make("button", { type: "button", onclick: () => window.print() }, t("page.print")),
  ]);
}

/**
 * The rules as sentences.
 * @param {Rules} rules
 * @param {number} players
 * @returns {string[]}
 */
function told(rules, players) {
  const deck = Number(rules["deck"] ?? 52);
  const each = Math.floor(deck / players);
  const aside = deck - each * players;
  const down = Number(rules["war_down"] ?? 1);
  const { round_limit: rounds, time_limit: minutes } = rules;
  return [
    aside === 0
      ? t("page.deal.2", { deck, each })
      : t("page.deal.aside", { deck, each, players, aside }),
    t("page.flip") + (deck === 54 ? ` ${t("page.flip.joker")}` : ""),
    down === 0 ? t("page.war.0") : t("page.war.1", { n: down }),
    t(`page.short.${rules["short"]}`),
    t(`page.pile.${rules["pile"]}`),
    (rounds && t("page.limit.rounds", { n: Number(rounds) })) ||
      (minutes && t("page.limit.minutes", { n: Number(minutes) })) ||
      t("page.limit.none"),
    ...(rules["teams"] === true ? [t("page.teams")] : []),
  ].map(String);
}
