// The worked cases that the server's engine is held to, played by the client's own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { freshDeck } from "../../../client/fair.js";
import { dealt } from "../../../client/verify.js";
import { Game } from "../../../client/verify/game.js";

const { cases } = JSON.parse(
  readFileSync(new URL("../../data/cases.json", import.meta.url), "utf8"),
);

/** The cases' words for why a game ended. @type {Record<string, string>} */
const REASONS = {
  all_cards: "last_left",
  out_of_cards: "void",
  round_limit: "round_limit",
  time_limit: "time",
  repetition: "cycle",
};
const UNSAID = { deck: 52, time_limit: null, deal: "round_robin", repetition: "stop" };

/** A card as a case writes it: `KS`. */
const ours = (/** @type {string} */ card) => card[0] + card.slice(1).toLowerCase();
const theirs = (/** @type {string} */ card) => card.toUpperCase();

/** @param {any} scripted  piles in a list, a list of one's cards, or by round */
function pilesIn(scripted) {
  if (!scripted) return [];
  if (!Array.isArray(scripted)) return Object.values(scripted).flatMap(pilesIn);
  return (Array.isArray(scripted[0]) ? scripted : [scripted]).map((pile) =>
    pile.map(ours),
  );
}

/** A case being played by someone who may look at the face-down cards too. */
class Play {
  /** @param {any} told */
  constructor(told) {
    const {
      time_up_in_round: strikes,
      teams,
      ...rules
    } = told.rules_resolved ?? {
      ...cases.find((/** @type {any} */ c) => c.id === "A01").rules_resolved,
      ...told.preset_or_rules,
    };
    this.first = told.round_no ?? 0;
    this.strikes = strikes ?? null;
    /** @type {Record<string, string[][]>} */
    const scripts = { pot: pilesIn(told.pot_shuffles) };
    for (const [seat, piles] of Object.entries(told.shuffles ?? {}))
      scripts[`reshuffle/${seat}`] = pilesIn(piles);
    this.game = new Game(
      { ...UNSAID, ...rules, teams: false },
      told.piles.map((/** @type {any[]} */ pile) => pile.map(ours)),
      (label) => scripts[label.slice(0, label.lastIndexOf("/"))]?.shift() ?? [],
      {
        rounds: this.first,
        aside: told.aside?.map(ours) ?? [],
        ...(told.won
          ? { won: told.won.map((/** @type {any[]} */ pile) => pile.map(ours)) }
          : {}),
        ...(teams ? { sides: teams } : {}),
      },
    );
    /** @type {Map<string, number>} */
    this.seen = new Map();
    /** @type {any} */
    this.cycle = null;
    /** @type {any[]} */
    this.news = [];
  }

  get finished() {
    return this.game.rounds - this.first;
  }

  /** Whether this position has been there before, when nothing random is left. */
  repeats() {
    const { rules, stocks, laid } = this.game;
    if (this.strikes !== null || rules["pile"] === "reshuffle") return false;
    if (rules["round_limit"] !== null) return false;
    const position = JSON.stringify([stocks, laid]);
    const first = this.seen.get(position);
    if (first === undefined) {
      this.seen.set(position, this.finished);
      return false;
    }
    const period = this.finished - first;
    this.cycle = {
      reason: "cycle",
      winners: [],
      counts: this.game.counts,
      first,
      period,
    };
    return true;
  }

  round() {
    const { game } = this;
    const before = this.finished;
    game.news();
    this.news = [];
    while (game.outcome === null && this.finished === before) {
      if (this.strikes === game.rounds + 1 && game.battle > 0 && !game.timeStruck)
        game.strike();
      if (game.outcome === null)
        for (const seat of game.waiting) game.flip(seat, "player");
      this.news.push(...game.news());
    }
    if (this.strikes === game.rounds && game.outcome === null) game.strike();
    this.news.push(...game.news());
  }

  told() {
    const { game } = this;
    const of = (/** @type {string} */ type) =>
      this.news.filter((event) => event.type === type);
    const wars = of("war");
    const [pot] = of("pot_won");
    const { outcome } = game;
    const result = outcome && {
      reason: REASONS[outcome.ending],
      winners: game.sides.flatMap((side, i) =>
        side.some((seat) => outcome.winners.includes(seat)) ? [i] : [],
      ),
      counts: outcome.counts,
    };
    const pile =
      pot && (game.rules["pile"] === "reshuffle" ? game.won : game.stocks)[pot.seat];
    return {
      winner: pot ? pot.seat : null,
      by: pot ? pot.by : null,
      pot: pot ? pile?.slice(-pot.count).map(theirs) : null,
      wars: wars.length,
      war_players: wars.map(({ seats }) => seats),
      void: of("round_void").length > 0,
      eliminated: of("seat_out")
        .map(({ seat }) => seat)
        .sort(),
      rounds_played: this.finished,
      piles: game.stocks.map((stock) => stock.map(theirs)),
      won: game.won.map((won) => won.map(theirs)),
      result: this.cycle ?? result,
    };
  }
}

for (const told of cases) {
  if (told.type !== "play") continue; // Decks of numbers are no deck of a record.
  test(`${told.id} ${told.title}`, () => {
    const play = new Play(told);
    const rounds = told.run === "game" ? null : told.run.rounds;
    while (play.game.outcome === null && play.finished !== rounds) {
      if (rounds === null && play.repeats()) break;
      play.round();
    }
    const found = /** @type {Record<string, any>} */ (play.told());
    for (const [name, expected] of Object.entries(told.expected)) {
      if (!(name in found)) continue; // The cards of stakes: the pot holds them too.
      const value = found[name];
      if (name !== "result" || expected === null)
        assert.deepEqual(value, expected, name);
      else
        for (const part in expected)
          assert.deepEqual(value?.[part], expected[part], part);
    }
  });
}

for (const told of cases.filter((/** @type {any} */ { type }) => type === "deal")) {
  test(`${told.id} ${told.title}`, () => {
    const { deck, players, deal } = told.preset_or_rules;
    const { stocks, aside } = dealt(freshDeck(deck), players, deal);
    const { expected } = told;
    assert.deepEqual(
      stocks.map((pile) => pile.length),
      expected.sizes,
    );
    assert.deepEqual(aside.map(theirs), expected.aside);
    assert.deepEqual(
      stocks.map((pile) => theirs(pile[0] ?? "")),
      expected.top,
    );
    assert.deepEqual(
      stocks.map((pile) => theirs(pile.at(-1) ?? "")),
      expected.bottom,
    );
  });
}
