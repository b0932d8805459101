/**
 * A game of War, played again from its deal: the only place of the client with rules.
 *
 * Rule 1: chance is the `shuffle` that it is handed; the same deal gives the same game.
 * Rule 2: what happens is told in the words of the wire, in the order it happens, so that
 * a table can show it.
 */

import {
  bestOfWaiting,
  clockwise,
  heightOf,
  highest,
  leaders,
  shortSeats,
  stakesDue,
} from "./battle.js";

/** @typedef {import("../messages.d.ts").Rules} Rules */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("../messages.d.ts").OutcomeView} Outcome */
/** @typedef {(label: string, cards: readonly string[]) => string[]} Shuffle */
/** @typedef {{seat: number, card: string, up: boolean, battle: number}} Laid */

/** The battle of a card that an earlier round left on the table. */
const CARRIED = -1;

export class Game {
  /** @type {ToldEvent[]} what has been told since somebody last took it */
  told = [];
  /** @type {Outcome | null} */
  outcome = null;
  battle = 0;
  timeStruck = false;
  /** @type {Laid[]} */
  laid = [];
  /** @type {number[]} */
  flipped = [];
  #orphaned = false;
  #shortage = false;
  /** @type {number[][]} the heights each seat has shown this round */
  #shown = [];
  /** @type {{kept: string, age: number, renewal: number} | null} */
  #trail = null;

  /**
   * @param {Rules} rules resolved
   * @param {string[][]} stocks by seat, the top card first
   * @param {Shuffle} shuffle
   * @param {object} [more]
   * @param {string[][]} [more.won] oldest first
   * @param {string[]} [more.aside]
   * @param {number} [more.rounds] finished before
   * @param {number[][]} [more.sides] who wins together
   */
  constructor(rules, stocks, shuffle, more = {}) {
    this.rules = rules;
    this.stocks = stocks.map((pile) => [...pile]);
    this.won = stocks.map((_, seat) => [...(more.won?.[seat] ?? [])]);
    this.out = stocks.map((_, seat) => this.count(seat) === 0);
    this.aside = more.aside ?? [];
    this.rounds = more.rounds ?? 0;
    this.sides = more.sides ?? sidesOf(stocks.length, rules["teams"] === true);
    this.reshuffles = stocks.map(() => 0);
    this.fighting = this.living;
    this.waiting = this.living;
    this.shuffle = shuffle;
    if (mayRepeat(rules)) {
      this.#trail = { kept: this.#position(), age: 0, renewal: 1 };
    }
  }

  /** The seats that are not out. */
  get living() {
    return this.out.flatMap((out, seat) => (out ? [] : [seat]));
  }

  /** The cards every seat has left. */
  get counts() {
    return this.stocks.map((_, seat) => this.count(seat));
  }

  /** @param {number} seat */
  count(seat) {
    return pile(this.stocks, seat).length + pile(this.won, seat).length;
  }

  /** What was told since this was last asked. */
  news() {
    return this.told.splice(0);
  }

  /**
   * A seat presses; when all that the battle waits for have, it is fought.
   * @param {number} seat
   * @param {"player" | "autoplay" | "clock"} by
   */
  flip(seat, by) {
    if (this.outcome !== null) throw new RangeError("the game is over");
    if (!this.waiting.includes(seat))
      throw new RangeError(`seat ${seat} does not flip`);
    if (this.flipped.includes(seat)) throw new RangeError(`seat ${seat} flips twice`);
    this.flipped.push(seat);
    this.#tell({ type: "flipped", seat, by });
    if (this.flipped.length === this.waiting.length) this.#fight();
  }

  /** The game would be over at once if the clock struck now. */
  get endsWithTime() {
    return this.battle === 0 || this.rules["time_mid_war"] === "return";
  }

  /** The clock strikes: the cards are counted, now or after the war. */
  strike() {
    if (this.endsWithTime) return this.countOff("time_limit");
    if (!this.timeStruck) this.#tell({ type: "time_struck" });
    this.timeStruck = true;
  }

  /**
   * End the game now: whoever has the most cards wins, and a shared lead is a draw.
   * @param {"round_limit" | "time_limit"} ending
   */
  countOff(ending) {
    if (this.battle > 0) this.#giveBack();
    this.#end(ending, leaders(this.counts, this.sides));
  }

  /** End the game now, with no winner. */
  abandon() {
    if (this.battle > 0) this.#giveBack();
    this.#end("abandoned", []);
  }

  #fight() {
    this.flipped = [];
    if (this.battle > 0) this.#layStakes();
    else {
      this.#shown = this.stocks.map(() => []);
      this.#shortage = false;
    }
    this.#turnUp();
    this.#settle(highest(this.fighting, this.#shown));
    if (this.outcome !== null) return;
    const { rounds, battle, waiting } = this;
    this.#tell({ type: "battle", round: rounds + 1, battle, waiting });
  }

  #layStakes() {
    const due = stakesDue(
      this.rules,
      this.fighting.map((seat) => [seat, this.count(seat)]),
    );
    for (const seat of this.waiting) {
      for (let n = due.get(seat) ?? 0; n > 0; n--) this.#lay(seat, false);
    }
    const stakes = this.waiting.map((seat) => pair(seat, due.get(seat) ?? 0));
    this.#tell({ type: "staked", stakes });
  }

  #turnUp() {
    const cards = this.waiting.map((seat) => pair(seat, this.#lay(seat, true)));
    this.#tell({ type: "turned", cards });
    for (const seat of this.fighting) {
      const shown = pile(this.#shown, seat);
      if (!this.waiting.includes(seat)) shown.push(shown.at(-1) ?? 0); // It stands.
    }
  }

  /**
   * @param {number} seat
   * @param {boolean} up
   */
  #lay(seat, up) {
    const stock = pile(this.stocks, seat);
    if (stock.length === 0) this.#reshuffle(seat);
    const card = stock.shift();
    if (card === undefined) throw new RangeError(`seat ${seat} has no card`);
    this.laid.push({ seat, card, up, battle: this.battle });
    if (up) pile(this.#shown, seat).push(heightOf(card));
    return card;
  }

  /** @param {number} seat */
  #reshuffle(seat) {
    const count = (this.reshuffles[seat] ?? 0) + 1;
    this.reshuffles[seat] = count;
    const won = pile(this.won, seat).splice(0);
    const shuffled = this.shuffle(`reshuffle/${seat}/${count}`, won);
    pile(this.stocks, seat).push(...shuffled);
    this.#tell({ type: "reshuffled", seat, count: shuffled.length });
  }

  /**
   * Give the pot to the best seat; if they are several, it is war.
   * @param {number[]} best
   */
  #settle(best) {
    const [first] = best;
    if (best.length === 1 && first !== undefined)
      return this.#win(first, this.#orphaned ? "orphan" : "high");
    if (this.rules["participants"] === "tied") this.fighting = best;
    this.battle++;
    this.#tell({ type: "war", seats: this.fighting, war: this.battle });
    this.#dropShortSeats();
    const [left] = this.fighting;
    if (left === undefined) this.#orphan();
    else if (this.fighting.length === 1)
      this.#win(left, this.#orphaned ? "orphan" : "walkover");
    else this.waiting = this.fighting.filter((seat) => this.count(seat) > 0);
  }

  #dropShortSeats() {
    const counts = this.fighting.map((seat) => pair(seat, this.count(seat)));
    const short = shortSeats(this.rules, counts);
    for (const seat of short) {
      this.#tell({ type: "short", seat, count: this.count(seat) });
      const rest = [
        ...pile(this.stocks, seat).splice(0),
        ...pile(this.won, seat).splice(0),
      ];
      for (const card of rest)
        this.laid.push({ seat, card, up: false, battle: this.battle });
      this.#retire(seat);
      this.#shortage = true;
    }
    this.fighting = this.fighting.filter((seat) => !short.includes(seat));
  }

  /** Everyone in the war is out: the pot falls to those who had waited, if any. */
  #orphan() {
    const { living } = this;
    const orphan = this.rules["orphan"];
    const some = living.some((seat) => this.count(seat) > 0);
    if (living.length === 0) this.#void();
    else if (living.length === 1 || orphan === "next_highest") {
      this.#orphaned = true;
      this.fighting = living;
      this.#settle(bestOfWaiting(living, this.#shown));
    } else if (orphan === "void_end" || !some) this.#void();
    else {
      const how = orphan === "carry" ? "carry" : "discard";
      this.#tell({ type: "pot_left", how, count: this.laid.length });
      this.laid =
        how === "carry" ? this.laid.map((laid) => ({ ...laid, battle: CARRIED })) : [];
      this.#endRound();
    }
  }

  /**
   * @param {number} winner
   * @param {"high" | "walkover" | "orphan"} by
   */
  #win(winner, by) {
    const bySeat = this.stocks.map((_, seat) => this.#laidBy(seat));
    let cards = clockwise(bySeat, winner, this.rules["order"]).flat();
    this.laid = [];
    if (this.rules["order"] === "random")
      cards = this.shuffle(`pot/${this.rounds + 1}`, cards);
    const stock = pile(this.stocks, winner);
    if (this.rules["pile"] === "top") stock.unshift(...cards);
    else if (this.rules["pile"] === "bottom") stock.push(...cards);
    else pile(this.won, winner).push(...cards);
    this.#tell({ type: "pot_won", seat: winner, count: cards.length, by });
    this.#endRound();
  }

  /** @param {number} seat */
  #laidBy(seat) {
    return this.laid.flatMap((laid) => (laid.seat === seat ? [laid.card] : []));
  }

  #void() {
    this.#giveBack();
    this.#close();
    const count = this.rules["void"] === "count";
    const winners = count ? leaders(this.counts, this.sides) : [];
    this.#end("out_of_cards", winners, this.#shortage);
  }

  #giveBack() {
    this.stocks.forEach((stock, seat) => stock.unshift(...this.#laidBy(seat)));
    this.laid = [];
    this.#tell({ type: "round_void" });
  }

  /** Clear the table, and see whether the game is over. */
  #endRound() {
    const emptied = this.living.filter((seat) => this.count(seat) === 0);
    for (const seat of emptied) this.#retire(seat);
    this.#close();
    const left = this.sides.filter((side) => side.some((seat) => !this.out[seat]));
    const fewer = emptied.length > 0 || this.#shortage;
    if (fewer && left.length === 1 && left[0])
      this.#end("all_cards", left[0], this.#shortage);
    else if (this.rounds === this.rules["round_limit"]) this.countOff("round_limit");
    else if (this.timeStruck) this.countOff("time_limit");
    else if (this.#trail) this.#followTrail(this.#trail);
  }

  /** @param {number} seat */
  #retire(seat) {
    this.out[seat] = true;
    this.#tell({ type: "seat_out", seat });
  }

  #close() {
    this.rounds++;
    this.battle = 0;
    this.#orphaned = false;
    this.fighting = this.waiting = this.living;
    const counts = this.stocks.map((stock, seat) =>
      pair(stock.length, pile(this.won, seat).length),
    );
    this.#tell({ type: "round_ended", round: this.rounds, counts });
  }

  /**
   * End the game if the position has been there before. Only one old position is kept,
   * renewed after 1, 2, 4, 8 … rounds (R. P. Brent 1980), as the server does it.
   * @param {{kept: string, age: number, renewal: number}} trail
   */
  #followTrail({ kept, age, renewal }) {
    const position = this.#position();
    if (position === kept) this.#end("repetition", []);
    else if (age + 1 < renewal) this.#trail = { kept, age: age + 1, renewal };
    else this.#trail = { kept: position, age: 0, renewal: renewal * 2 };
  }

  #position() {
    return JSON.stringify([this.stocks, this.laid]);
  }

  /**
   * @param {string} ending
   * @param {readonly number[]} winners
   * @param {boolean} [byShortage]
   */
  #end(ending, winners, byShortage = false) {
    this.battle = 0;
    this.fighting = this.waiting = [];
    this.outcome = {
      ending,
      winners: [...winners],
      counts: this.counts,
      by_shortage: byShortage,
    };
    const { outcome, aside } = this;
    this.#tell({ type: "game_ended", game: 0, outcome, aside, server_nonce: "" });
  }

  /** @param {ToldEvent} event */
  #tell(event) {
    this.told.push(event);
  }
}

/**
 * Who wins together: partners sit across the table.
 * @param {number} players
 * @param {boolean} teams
 */
export function sidesOf(players, teams) {
  if (teams)
    return [
      [0, 2],
      [1, 3],
    ];
  return Array.from({ length: players }, (_, seat) => [seat]);
}

/**
 * Whether a game stops at a repetition: only if nothing else can end it.
 * @param {Rules} rules
 */
function mayRepeat(rules) {
  return (
    rules["repetition"] === "stop" &&
    rules["pile"] !== "reshuffle" &&
    rules["order"] !== "random" &&
    rules["round_limit"] === null &&
    rules["time_limit"] === null
  );
}

/**
 * @template T
 * @param {T[][]} piles
 * @param {number} seat
 * @returns {T[]}
 */
function pile(piles, seat) {
  const found = piles[seat];
  if (found === undefined) throw new RangeError(`there is no seat ${seat}`);
  return found;
}

/**
 * @template A, B
 * @param {A} a
 * @param {B} b
 * @returns {[A, B]}
 */
function pair(a, b) {
  return [a, b];
}
