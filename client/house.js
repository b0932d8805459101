/**
 * The house rules as people read them: one line, a list of choices, an expected length.
 *
 * Only words and choices; how they are played is the server's affair.
 */

import { maybeT, t } from "./i18n.js";

/** @typedef {import("./messages.d.ts").Rules} Rules */
/** @typedef {import("./messages.d.ts").RuleValue} RuleValue */
/** @typedef {import("./messages.d.ts").Tempo} Tempo */

/** The presets that a table starts from. */
export const PRESETS = ["krieg_40", "krieg_240", "krig_klassisk", "krig_nettversjon"];

/**
 * Every rule a table can choose, with its choices in the order shown. `limit` is two of
 * the wire's rules in one: rounds, minutes, or none.
 * @type {readonly (readonly [string, readonly RuleValue[]])[]}
 */
export const CHOICES = [
  ["deck", [52, 54, 32]],
  ["war_down", [0, 1, 2, 3]],
  ["short", ["play_have", "lose", "last_stands"]],
  ["limit", ["none", "r40", "r100", "r240", "m10", "m15", "m20"]],
  ["pile", ["bottom", "reshuffle", "top"]],
  ["teams", [false, true]],
  ["all_short", ["longest", "all_out"]],
  ["participants", ["tied", "all"]],
  ["match_down", [false, true]],
  ["order", ["auto", "winner_first", "loser_first", "random", "seat"]],
  ["orphan", ["next_highest", "carry", "void_end", "discard"]],
  ["void", ["draw", "count"]],
  ["deal", ["round_robin", "cut"]],
  ["time_mid_war", ["finish", "return"]],
  ["repetition", ["stop", "ignore"]],
];

/** The rules that most tables talk about; the others fold away. */
export const COMMON = 6;

/**
 * The value of a rule as `CHOICES` counts it.
 * @param {Rules} rules
 * @param {string} name
 * @returns {RuleValue}
 */
export function valueOf(rules, name) {
  if (name !== "limit") return rules[name] ?? null;
  if (rules["round_limit"]) return `r${rules["round_limit"]}`;
  return rules["time_limit"] ? `m${rules["time_limit"]}` : "none";
}

/**
 * The rules with one of them changed.
 * @param {Rules} rules
 * @param {string} name
 * @param {RuleValue} value
 * @returns {Rules}
 */
export function changed(rules, name, value) {
  if (name !== "limit") return { ...rules, [name]: value };
  const n = Number(String(value).slice(1));
  return {
    ...rules,
    round_limit: String(value).startsWith("r") ? n : null,
    time_limit: String(value).startsWith("m") ? n : null,
  };
}

/**
 * @param {string} name
 * @param {RuleValue} value
 * @returns {string}
 */
export function choiceText(name, value) {
  if (typeof value === "boolean") return t(value ? "rule.yes" : "rule.no");
  if (name === "war_down") return t("rule.war_down.n", { n: Number(value) });
  if (name === "limit" && value !== "none") return limitText(String(value));
  return maybeT(`rule.${name}.${value}`) ?? String(value);
}

/**
 * @param {string} value `r40` or `m10`
 * @returns {string}
 */
function limitText(value) {
  const n = Number(value.slice(1));
  return value.startsWith("r")
    ? t("rule.limit.rounds", { n })
    : t("rule.limit.minutes", { n });
}

/**
 * "Kort spill, 40 runder", or "Endret: Kort spill, 40 runder".
 * @param {string | null} preset
 * @param {boolean} [altered] the rules are not the preset's any more
 * @returns {string}
 */
export function presetName(preset, altered = false) {
  if (preset === null) return t("preset.own");
  const name = maybeT(`preset.${preset}`) ?? preset;
  return altered ? t("preset.own.from", { preset: name }) : name;
}

/**
 * The rules as one readable line, with what happens when somebody runs short, and how
 * long it will take.
 * @param {Rules} rules
 * @param {Tempo} tempo
 * @param {number} players
 * @returns {string}
 */
export function ruleLine(rules, tempo, players) {
  const deck = Number(rules["deck"] ?? 52);
  const limit = String(valueOf(rules, "limit"));
  const parts = [
    t("line.deck", { n: deck }),
    deck === 54 ? t("line.jokers") : "",
    t("line.war_down", { n: Number(rules["war_down"] ?? 1) }),
    t(`line.short.${rules["short"]}`),
    limit === "none" ? t("line.limit.none") : limitText(limit),
    rules["teams"] === true ? t("line.teams") : "",
    limit.startsWith("m") || (limit === "none" && goesRound(rules, players))
      ? ""
      : t("line.length", { n: minutes(rules, tempo, players) }),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Seconds that a round takes at each tempo, flights and wars included. */
const SECONDS = { slow: 5, normal: 4, fast: 1.5 };

/**
 * The expected length in whole minutes, from the medians measured over a million games
 * (two players; own cards first, random order and reshuffle): how many rounds half of
 * the games need.
 * @param {Rules} rules
 * @param {Tempo} tempo
 * @param {number} players
 * @returns {number}
 */
export function minutes(rules, tempo, players) {
  const median = medianRounds(rules, players);
  const rounds = Math.min(median, Number(rules["round_limit"] ?? Infinity));
  return Math.max(1, Math.round((rounds * SECONDS[tempo]) / 60));
}

/**
 * Whether won cards come back in an order that nobody knows.
 * @param {Rules} rules
 * @param {number} players
 */
export function isRandom({ pile, order }, players) {
  const auto = order === "auto" && players === 3;
  return pile === "reshuffle" || order === "random" || auto;
}

/**
 * Whether most games go round in circles if nothing ends them (measured: up to all).
 * @param {Rules} rules
 * @param {number} players
 */
export function goesRound(rules, players) {
  const { pile, order } = rules;
  const loserOnTop = pile === "top" && order === "loser_first";
  const loops = order === "seat" || players === 3 || loserOnTop;
  return loops && !isRandom(rules, players);
}

/**
 * After how many rounds half of the games are over.
 * @param {Rules} rules
 * @param {number} players
 * @returns {number}
 */
export function medianRounds(rules, players) {
  if (goesRound(rules, players)) return Infinity;
  if (rules["pile"] === "top") return 56;
  const three = Number(rules["war_down"]) >= 2;
  const lose = rules["short"] === "lose";
  const [own, mixed] = three
    ? [lose ? 138 : 145, lose ? 180 : 204]
    : [lose ? 220 : 224, lose ? 333 : 344];
  const rounds = isRandom(rules, players) ? mixed : own;
  return rules["deck"] === 32 ? Math.round(rounds * 0.31) : rounds;
}
