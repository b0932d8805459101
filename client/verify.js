/**
 * Checks a game's record: whoever has it needs to trust nobody.
 *
 * Rule 1: nothing is believed that can be recomputed: commitments, seed, cards, every
 * round, the outcome, the statistics and the code.
 * Rule 2: the first thing that differs is named by where it stands in the record.
 *
 * What remains to be believed: names, times, and who made a flip for whom.
 */

import { commitment, freshDeck, seedOf, SERVER, shuffled } from "./fair.js";
import { isRule, parseCode, writeCode } from "./gamecode.js";
import { resolved } from "./verify/battle.js";
import { Game } from "./verify/game.js";
import { statisticsOf } from "./verify/statistics.js";

/** @typedef {import("./api.js").GameRecord} GameRecord */
/** @typedef {import("./api.js").DealRecord} DealRecord */
/** @typedef {import("./api.js").RoundRecord} RoundRecord */
/** @typedef {import("./api.js").BattleRecord} BattleRecord */
/** @typedef {import("./messages.d.ts").Rules} Rules */
/** @typedef {import("./messages.d.ts").ToldEvent} ToldEvent */

/**
 * @typedef {{holds: "yes"} | {holds: "unknown"}
 *   | {holds: "no", where: string, found: string, expected: string}} Verdict
 *   unknown: no card was dealt
 */

const SCHEMA = 1;
const RULES_VERSION = 1;
/** As many house rules as a record tells. */
const RULES = 16;
const FLIPPED_BY = ["player", "autoplay", "clock"];

class Differs extends Error {
  /**
   * @param {string} where
   * @param {unknown} found
   * @param {unknown} expected
   */
  constructor(where, found, expected) {
    super(where);
    this.verdict = {
      holds: /** @type {const} */ ("no"),
      where,
      found: shown(found),
      expected: shown(expected),
    };
  }
}

/**
 * Recompute a record.
 * @param {GameRecord} record
 * @param {{id: string, commitment: string} | null} seen what the server was bound to when
 *   this page saw the cards being dealt
 * @returns {Verdict}
 */
export function verdictOn(record, seen) {
  try {
    recompute(record);
    if (seen !== null) {
      expect("deal.id", record.deal.id, seen.id);
      expect("deal.server_commitment", record.deal.server_commitment, seen.commitment);
    }
    return { holds: record.seed === null ? "unknown" : "yes" };
  } catch (error) {
    if (error instanceof Differs) return error.verdict;
    const { message } = /** @type {Error} */ (error);
    return { holds: "no", where: message, found: "?", expected: "" };
  }
}

/** @param {GameRecord} record */
function recompute(record) {
  expect("schema", record.schema, SCHEMA);
  expect("rules_version", record.rules_version, RULES_VERSION);
  checkRules(record.rules);
  checkPeople(record);
  record.void_deals.forEach((deal, i) =>
    checkDeal(`void_deals[${i}]`, deal, deal.withheld),
  );
  const known = record.known_beforehand;
  expect("known_beforehand", known, known === true);
  const bound = record.deal.commitments.map(([seat]) => seat);
  checkDeal("deal", record.deal, record.seed === null || known ? bound : []);
  if (known) compare("deal.nonces", record.deal.nonces, []);
  if (record.seed === null) return compareAll(record, unplayed(record.rules));
  const seed = known
    ? parseCode(record.code ?? "").seed
    : seedOf(record.deal.id, record.deal.server_nonce, record.deal.nonces);
  expect("seed", record.seed, String(seed));
  compareAll(record, playedAgain(record, seed));
}

/** @param {Rules} rules */
function checkRules(rules) {
  for (const [name, value] of Object.entries(rules)) {
    if (!isRule(name, value)) throw new Differs(`rules.${name}`, value, undefined);
  }
  expect("rules.length", Object.keys(rules).length, RULES);
}

/** @param {GameRecord} record */
function checkPeople({ players, deal, void_deals }) {
  const bound = new Set(deal.commitments.map(([seat]) => seat));
  players.forEach(({ seat, kind }, i) => {
    const where = `players[${i}]`;
    expect(`${where}.seat`, seat, i);
    const bot = kind === "bot";
    if (!bot) expect(`${where}.kind`, kind, "human");
    // A computer player is bound to nothing; a person is, or withheld.
    const part = !bot && !deal.withheld.includes(seat);
    if (bot || part) expect(`${where}.kind`, bound.has(seat), part);
  });
  const given = void_deals.flatMap(({ withheld }) => withheld);
  const byNumber = (/** @type {number} */ a, /** @type {number} */ b) => a - b;
  compare("deal.withheld", deal.withheld.toSorted(byNumber), given.toSorted(byNumber));
}

/**
 * Every nonce is the one that its commitment was made of, and none is hidden.
 * @param {string} where
 * @param {DealRecord} deal
 * @param {readonly number[]} silent the seats that need not have revealed
 */
function checkDeal(where, deal, silent) {
  expectHex(`${where}.id`, deal.id, 16);
  expectHex(`${where}.server_nonce`, deal.server_nonce, 32);
  const server = commitment(deal.id, SERVER, deal.server_nonce);
  expect(`${where}.server_commitment`, deal.server_commitment, server);
  const bound = new Map(deal.commitments);
  expect(`${where}.commitments`, bound.size, deal.commitments.length);
  deal.commitments.forEach(([, hash], i) =>
    expectHex(`${where}.commitments[${i}]`, hash, 32),
  );
  deal.nonces.forEach(([seat, nonce], i) => {
    expectHex(`${where}.nonces[${i}]`, nonce, 32);
    const made = commitment(deal.id, seat, nonce);
    expect(`${where}.nonces[${i}]`, bound.get(seat), made);
  });
  const told = new Set(deal.nonces.map(([seat]) => seat));
  const hidden = [...bound.keys()].filter((s) => !told.has(s) && !silent.includes(s));
  compare(`${where}.nonces`, hidden, []);
}

/**
 * What the flips of the record come to, with the cards of its seed.
 * @param {GameRecord} record
 * @param {bigint} seed
 */
function playedAgain(record, seed) {
  const game = dealGame(record, seed);
  /** @type {[ToldEvent, number][]} */
  const told = [];
  for (const [where, battle, at] of battlesOf(record)) {
    strikeIfDue(game, record, false);
    battle.flips.forEach(([seat, by], i) => {
      const here = `${where}.flips[${i}]`;
      if (!FLIPPED_BY.includes(by)) throw new Differs(here, by, undefined);
      try {
        game.flip(seat, /** @type {"player"} */ (by));
      } catch (error) {
        throw new Differs(here, seat, /** @type {Error} */ (error).message);
      }
      for (const event of game.news()) told.push([event, at]);
    });
  }
  strikeIfDue(game, record, true);
  endAsTold(game, record);
  const struck = record.time_struck === null || game.timeStruck || endedByTime(game);
  if (!struck) throw new Differs("time_struck", record.time_struck, null);
  const players = game.stocks.length;
  const each = Math.floor(Number(record.rules["deck"]) / players);
  const { rounds, unfinished } = roundsOf(told);
  const { outcome, rules } = game;
  return {
    rules,
    seed: String(seed),
    code: writeCode({ rules, players, seed }),
    aside: game.aside,
    rounds,
    unfinished,
    outcome,
    statistics: statisticsOf(Array(players).fill(each), rounds, outcome?.winners ?? []),
  };
}

/**
 * The game of a record as it was dealt.
 * @param {Pick<GameRecord, "rules" | "players">} record
 * @param {bigint} seed
 */
export function dealGame({ rules, players }, seed) {
  const size = Number(rules["deck"]);
  const n = players.length;
  if (rules["teams"] === true && n !== 4) throw new Differs("rules.teams", true, false);
  const deck = shuffled(seed, `deal/${size}`, freshDeck(size));
  const { stocks, aside } = dealt(deck, n, rules["deal"]);
  return new Game(
    resolved(rules, n),
    stocks,
    (label, cards) => shuffled(seed, label, cards),
    { aside },
  );
}

/**
 * Equal piles; what is left over lies aside.
 * @param {readonly string[]} deck
 * @param {number} players
 * @param {unknown} way `cut` or `round_robin`
 */
export function dealt(deck, players, way) {
  const each = Math.floor(deck.length / players);
  const used = each * players;
  const stocks = Array.from({ length: players }, (_, seat) =>
    way === "cut"
      ? deck.slice(seat * each, (seat + 1) * each)
      : deck.slice(0, used).filter((_card, i) => i % players === seat),
  );
  return { stocks, aside: deck.slice(used) };
}

/**
 * Every battle: where it stands, and when its round was over.
 * @param {Pick<GameRecord, "rounds" | "unfinished">} record
 * @returns {[string, BattleRecord, number][]}
 */
function battlesOf({ rounds, unfinished }) {
  return [
    ...rounds.flatMap(({ battles, at }, i) =>
      battles.map(
        (battle, k) =>
          /** @type {[string, BattleRecord, number]} */ ([
            `rounds[${i}].battles[${k}]`,
            battle,
            at,
          ]),
      ),
    ),
    ...unfinished.map(
      (battle, k) =>
        /** @type {[string, BattleRecord, number]} */ ([`unfinished[${k}]`, battle, 0]),
    ),
  ];
}

/**
 * Let the time be over where the record says that it was. If that ends the game, it was
 * behind the last of all flips; if not, it was before the last one of its battle.
 * @param {Game} game
 * @param {Pick<GameRecord, "time_struck">} record
 * @param {boolean} isLast no flip follows
 */
export function strikeIfDue(game, { time_struck: struck }, isLast) {
  if (struck === null || game.outcome !== null) return;
  const [round, battle] = struck;
  const isDue = round === game.rounds + 1 && battle === game.battle;
  if (isDue && (isLast || !game.endsWithTime)) game.strike();
}

/** @param {Game} game */
function endedByTime(game) {
  return game.outcome?.ending === "time_limit";
}

/**
 * End a game as a room may end it that has not ended by itself.
 * @param {Game} game
 * @param {Pick<GameRecord, "outcome">} record
 */
export function endAsTold(game, { outcome }) {
  if (game.outcome !== null) return;
  if (outcome?.ending === "abandoned") game.abandon();
  else if (outcome?.ending === "round_limit") game.countOff("round_limit");
  else throw new Differs("outcome.ending", outcome?.ending, null);
}

/**
 * What was played, from what was told and when.
 * @param {readonly (readonly [ToldEvent, number])[]} told
 * @returns {{rounds: RoundRecord[], unfinished: BattleRecord[]}}
 */
function roundsOf(told) {
  /** @type {RoundRecord[]} */
  const rounds = [];
  let battles = [emptyBattle()];
  let [war, pot] = [0, 0];
  /** @type {number | null} */
  let winner = null;
  for (const [event, at] of told) {
    const battle = battles.at(-1) ?? emptyBattle();
    if (event.type === "flipped") battle.flips.push([event.seat, event.by]);
    else if (event.type === "staked") battle.down = event.stakes;
    else if (event.type === "turned") battle.up = event.cards;
    else if (event.type === "war") {
      battles.push(emptyBattle());
      war++;
    } else if (event.type === "pot_won") [winner, pot] = [event.seat, event.count];
    else if (event.type === "round_ended") {
      const counts = event.counts.map(([stock, won]) => stock + won);
      const { round } = event;
      rounds.push({ round, battles: fought(battles), war, winner, pot, counts, at });
      [battles, war, winner, pot] = [[emptyBattle()], 0, null, 0];
    }
  }
  return { rounds, unfinished: fought(battles) };
}

/** @returns {BattleRecord} */
function emptyBattle() {
  return { down: [], up: [], flips: [] };
}

/**
 * Leave out the battle that a walkover made needless.
 * @param {readonly BattleRecord[]} battles
 */
function fought(battles) {
  return battles.filter(({ flips }) => flips.length > 0);
}

/** @param {Rules} rules */
function unplayed(rules) {
  return {
    rules,
    code: null,
    aside: [],
    rounds: [],
    unfinished: [],
    outcome: null,
    statistics: null,
  };
}

/**
 * @param {GameRecord} record
 * @param {object} expected
 */
function compareAll(record, expected) {
  for (const [key, value] of Object.entries(expected)) {
    compare(key, /** @type {Record<string, unknown>} */ ({ ...record })[key], value);
  }
}

/**
 * Find the first thing of `expected` that `found` does not have so.
 * @param {string} where
 * @param {unknown} found
 * @param {unknown} expected
 */
function compare(where, found, expected) {
  if (Array.isArray(expected) && Array.isArray(found)) {
    expected.forEach((one, i) => compare(`${where}[${i}]`, found[i], one));
    expect(`${where}.length`, found.length, expected.length);
  } else if (isObject(expected) && isObject(found)) {
    for (const [key, one] of Object.entries(expected)) {
      compare(`${where}.${key}`, found[key], one);
    }
  } else expect(where, found, expected);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {string} where
 * @param {unknown} found
 * @param {unknown} expected
 */
function expect(where, found, expected) {
  if (found !== expected) throw new Differs(where, found, expected);
}

/**
 * @param {string} where
 * @param {string} text
 * @param {number} bytes
 */
function expectHex(where, text, bytes) {
  const isHex = /^[0-9a-f]*$/.test(text) && text.length === 2 * bytes;
  if (!isHex) throw new Differs(where, text, undefined);
}

/** @param {unknown} value */
function shown(value) {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
