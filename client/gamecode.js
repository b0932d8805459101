/**
 * Game codes: rules, players and seed in twenty letters that a person can type.
 *
 * `VRRRR-RSSSS-SSSSS-SSSCC`: the version, the rules in 25 bits, the seed in 60, and a
 * checksum that catches every wrong letter and every swap of neighbours.
 */

/** @typedef {import("./messages.d.ts").Rules} Rules */
/** @typedef {import("./messages.d.ts").RuleValue} RuleValue */

/** Crockford's base 32: no I, L, O or U. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 20;
const VERSION = 1;
const RULE_BITS = 25n;
const SEED_BITS = 60n;
/** The largest prime below 32 x 32: two letters hold the remainder. */
const CHECK_MODULUS = 1021n;

/** The limits a code can hold: rounds, and minutes. */
const LIMITS = [
  [null, null],
  [40, null],
  [240, null],
  [100, null],
  [null, 10],
  [null, 15],
  [null, 20],
];

/**
 * Which field takes how many bits, from the most significant on, and what the bits stand
 * for. A number without a meaning is reserved for later versions.
 * @type {readonly (readonly [string, number, readonly RuleValue[]])[]}
 */
const FIELDS = [
  ["players", 2, [2, 3, 4]],
  ["deck", 2, [52, 54, 32]],
  ["war_down", 2, [0, 1, 2, 3]],
  ["short", 2, ["lose", "play_have", "last_stands"]],
  ["all_short", 1, ["all_out", "longest"]],
  ["pile", 2, ["bottom", "reshuffle", "top"]],
  ["order", 2, ["winner_first", "loser_first", "random", "seat"]],
  ["orphan", 2, ["next_highest", "carry", "void_end", "discard"]],
  ["void", 1, ["draw", "count"]],
  ["match_down", 1, [false, true]],
  ["participants", 1, ["tied", "all"]],
  ["teams", 1, [false, true]],
  ["limits", 3, [0, 1, 2, 3, 4, 5, 6]],
  ["deal", 1, ["round_robin", "cut"]],
  ["repetition", 1, ["stop", "ignore"]],
  ["time_mid_war", 1, ["finish", "return"]],
];

/** @typedef {{rules: Rules, players: number, seed: bigint}} Game */
/** @typedef {"length" | "letter" | "newer"} Fault why a text is no code */

/**
 * The letters of what somebody typed or pasted: capitals, look-alikes mended, no blanks.
 * @param {string} text
 */
export function lettersOf(text) {
  return text
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
}

/** @param {string} code twenty letters */
function grouped(code) {
  return code.match(/.{1,5}/g)?.join("-") ?? "";
}

/**
 * What is wrong with a code, or null where nothing is.
 * @param {string} text as people type it
 * @returns {Fault | null}
 */
export function faultIn(text) {
  const code = lettersOf(text);
  if (code.length !== LENGTH || [...code].some((letter) => !LETTERS.includes(letter)))
    return "length";
  if (read(code.slice(-2)) !== checksum(code.slice(0, -2))) return "letter";
  if (code[0] !== String(VERSION)) return "newer";
  return choicesOf(read(code.slice(1, -2)) >> SEED_BITS) === null ? "newer" : null;
}

/**
 * The code in its usual form: `10MGG-CD2KZ-3A44N-QQ9V8`.
 * @param {string} text
 */
export function tidy(text) {
  return grouped(lettersOf(text));
}

/**
 * @param {string} text as people type it
 * @returns {Game}
 * @throws {RangeError} it is no code
 */
export function parseCode(text) {
  const fault = faultIn(text);
  if (fault !== null) throw new RangeError(fault);
  const number = read(lettersOf(text).slice(1, -2));
  const { players, limits, ...rules } = choicesOf(number >> SEED_BITS) ?? {};
  const [round_limit = null, time_limit = null] = LIMITS[Number(limits)] ?? [];
  return {
    rules: { ...rules, round_limit, time_limit },
    players: Number(players),
    seed: number & ((1n << SEED_BITS) - 1n),
  };
}

/**
 * @param {Game} game its rules resolved: the order is not `auto`
 * @returns {string | null} null: no code holds such rules
 */
export function writeCode({ rules, players, seed }) {
  const limits = LIMITS.findIndex(
    ([rounds, minutes]) =>
      rounds === rules["round_limit"] && minutes === rules["time_limit"],
  );
  const chosen = { ...rules, players, limits };
  let bits = 0n;
  for (const [name, width, meanings] of FIELDS) {
    const choice = meanings.indexOf(/** @type {Rules} */ (chosen)[name] ?? null);
    if (choice < 0) return null;
    bits = (bits << BigInt(width)) | BigInt(choice);
  }
  const head = (BigInt(VERSION) << RULE_BITS) | bits;
  const body = write((head << SEED_BITS) | seed, LENGTH - 2);
  return grouped(body + write(checksum(body), 2));
}

/**
 * Whether a rule of the wire can have this value; any limit will do, not only a code's.
 * @param {string} name
 * @param {RuleValue} value
 */
export function isRule(name, value) {
  if (name === "round_limit" || name === "time_limit")
    return value === null || (Number.isInteger(value) && Number(value) > 0);
  if (name === "order" && value === "auto") return true;
  const field = FIELDS.find(([known]) => known === name && known !== "limits");
  return field !== undefined && name !== "players" && field[2].includes(value);
}

/**
 * What each field of the rule bits stands for.
 * @param {bigint} bits
 * @returns {Rules | null} null: a newer version knows more rules
 */
function choicesOf(bits) {
  /** @type {Rules} */
  const choices = {};
  for (const [name, width, meanings] of [...FIELDS].reverse()) {
    const meaning = meanings[Number(bits & ((1n << BigInt(width)) - 1n))];
    if (meaning === undefined) return null;
    choices[name] = meaning;
    bits >>= BigInt(width);
  }
  return choices;
}

/**
 * @param {bigint} number
 * @param {number} length
 */
function write(number, length) {
  let digits = "";
  for (let i = 0; i < length; i++) {
    digits = LETTERS[Number(number & 31n)] + digits;
    number >>= 5n;
  }
  return digits;
}

/** @param {string} letters */
function read(letters) {
  return [...letters].reduce(
    (n, letter) => n * 32n + BigInt(LETTERS.indexOf(letter)),
    0n,
  );
}

/** @param {string} body */
function checksum(body) {
  return read(body) % CHECK_MODULUS;
}
