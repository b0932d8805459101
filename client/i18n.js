/**
 * Words in the reader's language: Norwegian, German or English.
 *
 * A text is a string with `{holes}`, or one string for each plural form, chosen by the
 * parameter `n`. A missing key shows itself, so that it is seen and not silent.
 */

/** @typedef {"nb" | "de" | "en"} Language */
/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Text */
/** @typedef {Readonly<Record<string, Text>>} Catalogue */
/** @typedef {Readonly<Record<string, string | number>>} Params */

/** How each catalogue is fetched: only the language that is spoken is loaded. */
const FETCH = {
  nb: async () => (await import("./lang/nb.js")).nb,
  de: async () => (await import("./lang/de.js")).de,
  en: async () => (await import("./lang/en.js")).en,
};

/** The catalogues that have been fetched. @type {Partial<Record<Language, Catalogue>>} */
const catalogues = {};

/** The languages, each under its own name. */
export const languages = Object.freeze(
  /** @type {const} */ ([
    ["nb", "Norsk"],
    ["de", "Deutsch"],
    ["en", "English"],
  ]),
);

/** @type {Language} */
let current = "en";
/** @type {Language} */
let wanted = current;
/** @type {Language | null} */
let lettersOf = null;
/** Both are made when they are first needed. @type {Intl.PluralRules | null} */
let plurals = null;
/** It takes a phone longer to make this than to draw home. @type {Intl.NumberFormat | null} */
let numbers = null;
const changed = new EventTarget();

/**
 * The language we have for the first of these tags that we know, else English.
 * @param {readonly string[]} tags as in `navigator.languages`
 * @returns {Language}
 */
export function bestLanguage(tags) {
  for (const tag of tags) {
    const primary = tag.toLowerCase().split("-")[0];
    if (primary === "nb" || primary === "nn" || primary === "no") return "nb";
    if (primary === "de" || primary === "en") return primary;
  }
  return "en";
}

/** @returns {Language} */
export function language() {
  return current;
}

/**
 * The texts of a language.
 * @param {Language} which
 * @returns {Promise<Catalogue>}
 */
export async function catalogueOf(which) {
  return (catalogues[which] ??= await FETCH[which]());
}

/**
 * Speak this language from now on. Everyone who listens redraws.
 * @param {Language} next
 */
export async function setLanguage(next) {
  wanted = next;
  await catalogueOf(next);
  if (wanted !== next) return; // Another was chosen meanwhile.
  current = next;
  plurals = numbers = null;
  changed.dispatchEvent(new Event("language"));
}

/**
 * The language whose letters stand on the cards (K D Kn, K D B, K Q J).
 * @param {Language | null} next null: the language spoken
 */
export async function setLetters(next) {
  if (next !== null) await catalogueOf(next);
  lettersOf = next;
  changed.dispatchEvent(new Event("language"));
}

/**
 * Call back whenever the language or the cards' letters change.
 * @param {() => void} callback
 * @param {AbortSignal} [signal] stops it
 */
export function onLanguage(callback, signal) {
  changed.addEventListener("language", () => callback(), signal ? { signal } : {});
}

/**
 * A text in the current language: `t("table.round", {round: 17, limit: 40})`.
 * `card.Qs` is put together from suit and rank: "ruter dame".
 * @param {string} key
 * @param {Params} [params] numbers are written the language's way; `n` picks the plural
 * @returns {string}
 */
export function t(key, params = {}) {
  return maybeT(key, params) ?? key;
}

/**
 * As `t`, but null where there is no such text: for codes that a server may invent.
 * @param {string} key
 * @param {Params} [params]
 * @returns {string | null}
 */
export function maybeT(key, params = {}) {
  const text = catalogues[current]?.[key];
  if (text !== undefined) return fill(text, params);
  return key.startsWith("card.") ? cardName(key.slice("card.".length)) : null;
}

/**
 * A card's name: "ruter dame", "Karo-Dame", "queen of diamonds".
 * @param {string} card rank then suit, as on the wire: `Qd`, `Th`, `Xr`
 * @returns {string}
 */
export function cardName(card) {
  const [rank, suit] = card;
  if (rank === "X") return t(`joker.${suit}`);
  return t("card", { rank: t(`rank.${rank}`), suit: t(`suit.${suit}`) });
}

/**
 * A rank's name: "dame", "sju".
 * @param {string} card a card or a rank as on the wire
 * @returns {string}
 */
export function rankName(card) {
  return t(`rank.${card[0]}`);
}

/**
 * What stands in a card's corner: "D" for a queen in Norwegian, "10" for a ten.
 * @param {string} card a card or a rank as on the wire
 * @returns {string}
 */
export function rankLetter(card) {
  const text = catalogues[lettersOf ?? current]?.[`letter.${card[0]}`];
  return typeof text === "string" ? text : String(card[0]);
}

/** Whole numbers below this are written alike in all our languages. */
const ALIKE = 1000;

/**
 * A number the language's way: "1 000" or "1,000".
 * @param {number} value
 * @returns {string}
 */
export function number(value) {
  if (Number.isInteger(value) && value >= 0 && value < ALIKE) return String(value);
  return (numbers ??= new Intl.NumberFormat(current)).format(value);
}

/**
 * "Kari, Ola og Åse".
 * @param {readonly string[]} words
 * @returns {string}
 */
export function listOf(words) {
  return new Intl.ListFormat(current, { type: "conjunction" }).format(words);
}

/**
 * @param {Text} text
 * @param {Params} params
 * @returns {string}
 */
function fill(text, params) {
  const form = typeof text === "string" ? text : pluralOf(text, params["n"]);
  return form.replace(/\{(\w+)\}/g, (hole, name) => {
    const value = params[name];
    if (value === undefined) return hole;
    return typeof value === "number" ? number(value) : value;
  });
}

/**
 * @param {Partial<Record<Intl.LDMLPluralRule, string>>} forms
 * @param {string | number | undefined} n
 * @returns {string}
 */
function pluralOf(forms, n) {
  plurals ??= new Intl.PluralRules(current);
  return forms[plurals.select(Number(n ?? 0))] ?? forms.other ?? "";
}
