/**
 * What this device keeps: a name, settings, and the secret of each seat it holds.
 *
 * Rule 1: where the browser gives no storage, all of it works, until the page is closed.
 * Rule 2: a room has a key of its own, so that two tabs do not overwrite each other.
 */

/**
 * Which of a page's players: a page that plays two seats keeps two secrets.
 * @typedef {"first" | "second"} Who
 */

/**
 * @typedef {object} Kept what is kept about a room
 * @property {number} at when it was last used (ms since 1970)
 * @property {boolean} seated a seat was held
 * @property {Partial<Record<Who, string>>} tokens
 * @property {Partial<Record<Who, {id: string, nonce: string}>>} nonces for the next deal
 * @property {number} dismissed the last game whose end screen was put away
 * @property {number} [counted] the last game that is in the balance
 * @property {number | null} [drew] where it was drawn: the streak that this ended
 * @property {string} [link] how guests get in, as the server said
 */

/**
 * @typedef {object} Settings
 * @property {"nb" | "de" | "en" | null} language null: the browser's
 * @property {"nb" | "de" | "en" | null} letters null: the language's
 * @property {boolean} fourColours
 * @property {boolean} lessMotion
 * @property {boolean} sound off until asked for
 * @property {boolean} strip the ranks in their order, over the table
 * @property {boolean} mute hide what others react
 * @property {string} keys two letters: the upper and the lower player's, on one screen
 */

/** @typedef {{won: number, lost: number, drawn: number, streak: number}} Balance */

const ROOM = "krig.room.";
/** @type {Map<string, string>} */
const memory = new Map();

/** @type {Settings} */
const DEFAULTS = {
  language: null,
  letters: null,
  fourColours: true,
  lessMotion: false,
  sound: false,
  strip: false,
  mute: false,
  keys: "fj",
};

/** @returns {Settings} */
export function settings() {
  return { ...DEFAULTS, ...parsed("krig.settings") };
}

/** @param {Partial<Settings>} change */
export function changeSettings(change) {
  write("krig.settings", JSON.stringify({ ...settings(), ...change }));
}

/** @returns {string} the last name used here, or "" */
export function lastName() {
  return read("krig.name") ?? "";
}

/** @param {string} name one that a server has taken */
export function keepName(name) {
  write("krig.name", name);
}

export function forgetName() {
  remove("krig.name");
}

/**
 * What is kept about a room.
 * @param {string} code
 * @returns {Kept}
 */
export function room(code) {
  return {
    at: 0,
    seated: false,
    tokens: {},
    nonces: {},
    dismissed: 0,
    ...parsed(ROOM + code),
  };
}

/**
 * @param {string} code
 * @param {Partial<Kept>} change
 */
export function changeRoom(code, change) {
  write(ROOM + code, JSON.stringify({ ...room(code), ...change, at: Date.now() }));
}

/** @param {string} code */
export function forgetRoom(code) {
  remove(ROOM + code);
}

/** @returns {string[]} the rooms in which a seat was held, newest first */
export function rooms() {
  const codes = keys()
    .filter((key) => key.startsWith(ROOM))
    .map((key) => key.slice(ROOM.length));
  return codes
    .filter((code) => room(code).seated)
    .sort((a, b) => room(b).at - room(a).at);
}

/** @returns {Balance} of the games that ended on this device; streak: wins in a row */
export function balance() {
  return { won: 0, lost: 0, drawn: 0, streak: 0, ...parsed("krig.balance") };
}

/**
 * Count a finished game, once; a draw whose cards were counted after all is one no more.
 * @param {string} code the room's
 * @param {number} game
 * @param {"won" | "lost" | "drawn"} how
 */
export function countGame(code, game, how) {
  const { counted = 0, drew = null } = room(code);
  const again = counted === game && drew !== null && how !== "drawn";
  if (counted >= game && !again) return;
  const sum = balance();
  if (again) {
    sum.drawn = Math.max(0, sum.drawn - 1);
    sum.streak = drew;
  }
  changeRoom(code, { counted: game, drew: how === "drawn" ? sum.streak : null });
  sum[how]++;
  sum.streak = how === "won" ? sum.streak + 1 : 0;
  write("krig.balance", JSON.stringify(sum));
}

export function resetBalance() {
  remove("krig.balance");
}

/** Forget everything that is kept here. */
export function forgetAll() {
  for (const key of keys()) if (key.startsWith("krig.")) remove(key);
}

/** @returns {Storage | null} */
function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @returns {string | null}
 */
function read(key) {
  try {
    return memory.get(key) ?? storage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  try {
    const kept = storage();
    if (kept === null) throw new Error("no storage");
    kept.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value);
  }
}

/** @param {string} key */
function remove(key) {
  memory.delete(key);
  try {
    storage()?.removeItem(key);
  } catch {
    // It was never kept.
  }
}

/** @returns {string[]} */
function keys() {
  try {
    return [...new Set([...Object.keys(storage() ?? {}), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

/**
 * @param {string} key
 * @returns {Record<string, unknown>} {} where it cannot be read
 */
function parsed(key) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(read(key) ?? "{}"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
