import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  changed,
  CHOICES,
  minutes,
  presetName,
  ruleLine,
  valueOf,
} from "../../client/house.js";
import { listOf, maybeT, setLanguage, t } from "../../client/i18n.js";
import { newsOf } from "../../client/say.js";
import { whyEnded } from "../../client/screens/end.js";
import { codeIn } from "../../client/screens/join.js";
import { storyLine } from "../../client/story.js";
import { sumsOf } from "../../client/table/say.js";
import { statisticsOf } from "../../client/verify/statistics.js";

const KRIEG_40 = {
  deck: 52,
  war_down: 1,
  short: "play_have",
  pile: "reshuffle",
  round_limit: 40,
  time_limit: null,
};

before(() => setLanguage("en"));

test("the rules are one line that says what happens when somebody runs short", () => {
  assert.equal(
    ruleLine(KRIEG_40, "normal", 2),
    "52 cards · 1 face down in a war · too few cards in a war: play what you have · 40 rounds · about 3 minutes",
  );
});

test("a game with no limit takes as long as half of the measured games", () => {
  const endless = {
    ...KRIEG_40,
    round_limit: null,
    pile: "bottom",
    war_down: 3,
    order: "auto",
  };
  assert.equal(minutes(endless, "normal", 2), 10);
  assert.equal(minutes(endless, "normal", 3), 14);
});

test("a game that goes round in circles is given no length but its limit", () => {
  const bottom = { ...KRIEG_40, pile: "bottom", order: "winner_first" };
  const lines = (/** @type {object} */ rules, players = 2) =>
    [null, 240].map((round_limit) =>
      ruleLine({ ...bottom, ...rules, round_limit }, "normal", players),
    );
  const none = [/until somebody has every card$/, /240 rounds · about 16 minutes$/];
  for (const [line, end] of /** @type {[string[], RegExp[]][]} */ ([
    [lines({ order: "seat" }), none],
    [lines({ pile: "top", order: "loser_first" }), none],
    [lines({}, 3), none],
    [lines({}), [/about 15 minutes$/, /about 15 minutes$/]],
    [lines({ pile: "top" }), [/about 4 minutes$/, /about 4 minutes$/]],
    [lines({ pile: "reshuffle", order: "seat" }), [/about 23 minutes$/, none[1]]],
  ]))
    line.forEach((text, i) => assert.match(text, end[i] ?? /^$/));
});

test("a length is rounds, minutes or none, never two of them", () => {
  const timed = changed(KRIEG_40, "limit", "m10");
  assert.deepEqual([timed["round_limit"], timed["time_limit"]], [null, 10]);
  assert.equal(valueOf(timed, "limit"), "m10");
  assert.equal(valueOf(changed(timed, "limit", "none"), "limit"), "none");
});

test("every rule has a name and a sentence of help", () => {
  for (const [name] of CHOICES) {
    assert.notEqual(maybeT(`rule.${name}`), null, name);
    assert.notEqual(maybeT(`rule.${name}.help`), null, name);
  }
});

test("an altered preset says where it comes from", () => {
  assert.equal(presetName("krieg_40", true), "Changed: Short game, 40 rounds");
});

test("a code is found in a link, and look-alikes are repaired", () => {
  assert.equal(codeIn("http://192.168.1.7:8000/r/7KQ4M?watch"), "7KQ4M");
  assert.equal(codeIn("7kq-4m"), "7KQ4M");
  assert.equal(codeIn("kro7l"), "KR071");
  assert.equal(codeIn("hello there"), null);
});

test("news of the room is said, rounds are not", () => {
  const seats = [{ name: "Kari", player: 4 }, { name: "Ola" }, null, { name: "Liv" }];
  const view = /** @type {any} */ ({ seats });
  assert.equal(
    newsOf({ type: "paused", seat: 0 }, view, null),
    "Kari paused the game.",
  );
  assert.equal(newsOf({ type: "paused", seat: 0 }, view, 0), "You paused the game");
  assert.equal(
    newsOf({ type: "owner", player: 4 }, view, 0),
    t("say.owner", { name: "Kari" }),
  );
  const voided = /** @type {any} */ ({ type: "deal_voided", withheld: [1, 3] });
  assert.match(newsOf(voided, view, 0) ?? "", /^Ola and Liv did not answer/);
  assert.equal(
    newsOf({ type: "pot_won", seat: 0, count: 2, by: "high" }, view, 0),
    null,
  );
});

/** Rounds as pairs of counts, with who won and how many wars. */
const ROUNDS = /** @type {[number[], number, number][]} */ ([
  [[27, 25], 0, 0],
  [[26, 26], 1, 0],
  [[20, 32], 1, 1],
  [[32, 20], 0, 2],
  [[33, 19], 0, 0],
]).map(([counts, winner, war], i) => ({
  round: i + 1,
  counts,
  winner,
  war,
  pot: 2,
  at: 0,
  battles: [],
}));

test("streak, lead and wars of a game, and the war that turned it", () => {
  const { seats, ...story } = statisticsOf([26, 26], ROUNDS, [0]);
  assert.deepEqual(story, { wars: 3, rounds_in_war: 2, turning_round: 4 });
  assert.deepEqual(seats, [
    { wars_won: 2, longest_streak: 2, biggest_lead: 14, rounds_led: 3 },
    { wars_won: 1, longest_streak: 2, biggest_lead: 12, rounds_led: 1 },
  ]);
  assert.equal(statisticsOf([26, 26], ROUNDS.slice(0, 1), [0]).turning_round, null);
});

test("the story is one sentence, which says turned only where a war did it", () => {
  const names = ["You", "Ola"];
  /** @param {number[]} winners */
  const line = (winners) =>
    storyLine(statisticsOf([26, 26], ROUNDS, winners), ROUNDS, names, {
      me: 0,
      winners,
    });
  assert.equal(line([0]), "You led 3 of 5 rounds; the war in round 4 turned the game.");
  assert.equal(
    line([]),
    "You led 3 of 5 rounds; the war in round 4 moved the most cards.",
  );
});

test("a team is led by what both have, and told of by its name", () => {
  const names = ["Team 1", "Team 2"];
  const statistics = statisticsOf([26, 26], ROUNDS, []);
  const line = storyLine({ ...statistics, turning_round: null }, ROUNDS, names, {
    me: -1,
    winners: [0],
  });
  assert.equal(line, "Team 1 led 3 of 5 rounds.");
  assert.deepEqual(sumsOf(true, [8, 11, 9, 24]), [17, 35]);
  assert.deepEqual(sumsOf(false, [8, 44]), [8, 44]);
});

test("who won is said in the plural of two who won together", async () => {
  const won = { nb: "vant", de: "gewinnen", en: "won" };
  for (const [language, verb] of Object.entries(won)) {
    await setLanguage(/** @type {any} */ (language));
    const names = listOf(["Åse", "Raven"]);
    assert.equal(t("end.name", { names, n: 2 }), `${names} ${verb}`);
  }
  await setLanguage("en");
});

test("why a game ended names who has all the cards, and in a draw who shares the lead", () => {
  const told = (/** @type {object} */ of, me = -1) => {
    const names = ["Kari", "Ola", "Åse", "Bo"];
    return whyEnded(/** @type {any} */ ({ teams: false, names, ...of }), me);
  };
  const all = { ending: "all_cards", winners: [1], counts: [0, 52] };
  assert.equal(told(all), "Ola has all the cards.");
  assert.equal(told(all, 0), "Ola has all the cards.");
  assert.equal(told(all, 1), "You have all the cards.");
  const team = { ...all, teams: true, winners: [1, 3], counts: [0, 30, 0, 22] };
  assert.equal(told(team, 3), "Team 2 has all the cards.");

  const won = { ending: "round_limit", winners: [0], counts: [31, 21] };
  assert.equal(
    told(won),
    "All rounds have been played. Whoever has the most cards wins.",
  );
  const drawn = { ...won, winners: [], counts: [26, 26] };
  const rounds = "All rounds have been played.";
  assert.equal(told(drawn), `${rounds} Kari and Ola have the same number of cards.`);
  assert.equal(told(drawn, 1), `${rounds} You and Kari have the same number of cards.`);
  const three = { ending: "time_limit", winners: [], counts: [20, 12, 20] };
  assert.equal(
    told(three, 0),
    "Time is up. You and Åse have the same number of cards.",
  );
  assert.equal(
    told(three, 1),
    "Time is up. Kari and Åse have the same number of cards.",
  );
  const teams = { ...drawn, teams: true, counts: [20, 6, 6, 20] };
  assert.equal(
    told(teams, 0),
    `${rounds} Team 1 and Team 2 have the same number of cards.`,
  );
});

test("a war turned nothing for a winner who was in front before it", () => {
  const rounds = ROUNDS.map((round, i) => ({ ...round, counts: [28 + i, 24 - i] }));
  const line = (/** @type {number} */ from) =>
    storyLine(
      { ...statisticsOf([26, 26], rounds, [0]), turning_round: from },
      rounds,
      ["You", "Ola"],
      { me: 0, winners: [0] },
    );
  for (const round of [1, 2])
    assert.equal(
      line(round),
      `You led 5 of 5 rounds; the war in round ${round} moved the most cards.`,
    );
});
