/** The rules in force, short enough to be read aloud; printable on one sheet. */

import { make } from "../dom.js";
import { goesRound, isRandom, medianRounds, minutes } from "../house.js";
import { listOf, t } from "../i18n.js";
import { KRIEG_40 } from "../rules.js";
import { cardElement } from "../table/cards.js";
import { openSheet } from "./sheet.js";

/** @typedef {import("../messages.d.ts").Rules} Rules */

const MISTAKES = ["suit", "top", "look", "agree", "open", "strategy"];

/**
 * The six rounds as they lie on a table: who turned up what, face down where there is no
 * card, and the counts after it.
 * @type {readonly (readonly [string, string, string])[]}
 */
export const SIX = [
  ["Ks", "7d", "27 : 25"],
  ["4h", "Jc", "26 : 26"],
  ["9s - Ah", "9c - Ts", "29 : 23"],
  ["Td", "Qh", "28 : 24"],
  ["6h - 2d", "6s - Kc", "25 : 27"],
  ["5h", "3d", "26 : 26"],
];

/**
 * @param {Rules} [rules]
 * @param {number} [players]
 */
export function openRules(rules = KRIEG_40, players = 2) {
  const dialog = openSheet(t("page.title"), () => [
    make(
      "div",
      { class: "stack lead" },
      ...told(rules, players).map((text) => make("p", {}, text)),
    ),
    make("button", { type: "button", onclick: () => window.print() }, t("page.print")),
    make(
      "div",
      { class: "example" },
      cardElement("Ts"),
      make("span", { class: "strong" }, ">"),
      cardElement("6h"),
      make("p", {}, t("page.ten")),
    ),
    make("h2", {}, t("page.six")),
    rules["war_down"] !== 1 && make("p", { class: "soft" }, t("page.six.one")),
    make("ol", { class: "six" }, ...SIX.map(round)),
    make(
      "button",
      { type: "button", "data-key": "six", onclick: () => void playSix() },
      t("page.six.play"),
    ),
    ...section("page.mistakes", mistakes(rules)),
    make("h2", {}, t("page.real")),
    make("p", {}, t("page.real.text")),
    make("h2", {}, t("page.questions")),
    make("dl", { class: "questions" }, ...questions(rules, players).flatMap(entry)),
    ...section(
      "page.keys",
      ["flip", "auto", "tempo", "help"].map((name) => t(`page.keys.${name}`)),
    ),
  ]);
  dialog.classList.add("page");
}

/**
 * @param {string} title
 * @param {readonly string[]} texts
 */
function section(title, texts) {
  return [
    make("h2", {}, t(title)),
    make("ul", { class: "steps" }, ...texts.map((text) => make("li", {}, text))),
  ];
}

/** @param {(typeof SIX)[number]} of */
function round([mine, theirs, counts]) {
  /** @param {string} cards */
  const row = (cards) =>
    make(
      "span",
      { class: "cards" },
      ...cards.split(" ").map((card) => cardElement(card === "-" ? null : card)),
    );
  return make(
    "li",
    {},
    row(mine),
    row(theirs),
    make("span", { class: "strong" }, counts),
  );
}

/** By the game's own table and cards. */
async function playSix() {
  const [{ sixRounds }, { showReplay }] = await Promise.all([
    import("../six-rounds.js"),
    import("./replay.js"),
  ]);
  showReplay(sixRounds(t("app.name")), 0, 1);
}

/**
 * The rules as sentences: at most ninety words for a preset.
 * @param {Rules} rules
 * @param {number} players
 * @returns {string[]}
 */
export function told(rules, players) {
  const deck = Number(rules["deck"] ?? 52);
  const each = Math.floor(deck / players);
  const aside = deck - each * players;
  const down = Number(rules["war_down"] ?? 1);
  const { round_limit: rounds, time_limit: limit } = rules;
  const all = players > 2 && rules["participants"] === "all";
  const war = { n: down, who: t(all ? "page.war.all" : "page.war.tied") };
  const cut =
    rules["time_mid_war"] === "return" ? "page.limit.cut" : "page.limit.minutes";
  const deal = aside === 0 ? "page.deal.2" : "page.deal.aside";
  return [
    t(deal, { deck, each, aside }),
    t("page.flip") + (deck === 54 ? ` ${t("page.flip.joker")}` : ""),
    `${t(down === 0 ? "page.war.0" : "page.war.1", war)} ${t(`page.short.${rules["short"]}`)}`,
    t(`page.pile.${rules["pile"]}`),
    (rounds && t("page.limit.rounds", { n: Number(rounds) })) ||
      (limit && t(cut, { n: Number(limit) })) ||
      t("page.limit.none"),
    ...(rules["teams"] === true ? [t("page.teams")] : []),
  ].map(String);
}

/** @param {Rules} rules */
function mistakes(rules) {
  return MISTAKES.filter((name) => name !== "top" || rules["pile"] === "bottom").map(
    (name) => t(`page.mistake.${name}`),
  );
}

/** @param {readonly [string, string]} of */
function entry([question, answer]) {
  return [make("dt", {}, question), make("dd", {}, answer)];
}

/**
 * Ten questions, answered by the rules in force and by what was measured.
 * @param {Rules} rules
 * @param {number} players
 * @returns {[string, string][]}
 */
export function questions(rules, players) {
  return [
    [t("page.q.many"), t("page.a.many")],
    [t("page.q.high"), t(rules["deck"] === 54 ? "page.a.high.joker" : "page.a.high")],
    [t("page.q.war"), inWar(rules, players)],
    [t("page.q.short"), t(`page.short.${rules["short"]}`)],
    [t("page.q.long"), howLong(rules, players)],
    [t("page.q.plan"), t("page.a.plan")],
    [t("page.q.endless"), t(`page.a.endless.${endless(rules, players)}`)],
    [t("page.q.fair"), t("page.a.fair")],
    [t("page.q.kept"), t("page.a.kept")],
    [t("page.q.missing"), missing(rules)],
  ];
}

/** One flip in so many is a tie: 51 cards to meet, of which three are like mine. */
const TIES = /** @type {Record<number, number>} */ ({ 52: 17, 54: 18, 32: 10 });

/**
 * @param {Rules} rules
 * @param {number} players
 */
function inWar(rules, players) {
  const down = Number(rules["war_down"] ?? 1);
  const pot = 2 * (down + 2);
  const text = down === 0 ? t("page.a.war.0") : t("page.a.war", { pot });
  const n = TIES[Number(rules["deck"] ?? 52)] ?? 17;
  return players === 2 ? `${text} ${t("page.a.war.often", { n })}` : text;
}

/** One game in so many is drawn, measured over a million: by the limit on rounds. */
const DRAWN = /** @type {Record<number, number>} */ ({ 40: 10, 240: 25 });

/**
 * @param {Rules} rules
 * @param {number} players
 */
function howLong(rules, players) {
  const { round_limit: limit, time_limit: clock } = rules;
  if (clock) return t("page.a.long.minutes", { minutes: Number(clock) });
  const long = minutes(rules, "normal", players);
  if (!limit) {
    if (goesRound(rules, players)) return t("page.a.long.endless");
    return t("page.a.long.none", {
      rounds: medianRounds(rules, players),
      minutes: long,
    });
  }
  const text = t("page.a.long.rounds", { rounds: Number(limit), minutes: long });
  const measured = rules["pile"] === "reshuffle" && rules["deck"] === 52;
  const n = players === 2 && measured ? DRAWN[Number(limit)] : undefined;
  return n === undefined ? text : `${text} ${t("page.a.long.draw", { n })}`;
}

/**
 * @param {Rules} rules
 * @param {number} players
 */
function endless(rules, players) {
  if (rules["round_limit"] || rules["time_limit"]) return "limit";
  if (isRandom(rules, players)) return "random";
  if (!goesRound(rules, players)) return "no";
  return rules["repetition"] === "ignore" ? "ever" : "yes";
}

/** @param {Rules} rules */
function missing(rules) {
  const names = [
    rules["deck"] !== 54 && "jokers",
    rules["deck"] !== 32 && "skat",
    rules["teams"] !== true && "teams",
    !rules["time_limit"] && "clock",
    rules["war_down"] !== 3 && "three",
  ].filter((name) => name !== false);
  const list = listOf(names.map((name) => t(`page.missing.${name}`)));
  return t("page.a.missing", { list: list.charAt(0).toUpperCase() + list.slice(1) });
}
