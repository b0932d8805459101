import assert from "node:assert/strict";
import { test } from "node:test";

import { setLanguage } from "../../client/i18n.js";
import { KRIEG_40 } from "../../client/rules.js";
import { questions, SIX, told } from "../../client/screens/rules.js";
import { sixRounds } from "../../client/six-rounds.js";

const LANGUAGES = /** @type {const} */ (["nb", "de", "en"]);
const KLASSISK = {
  ...KRIEG_40,
  war_down: 3,
  pile: "bottom",
  order: "auto",
  round_limit: null,
};
const PRESETS = {
  krieg_40: KRIEG_40,
  krieg_240: { ...KRIEG_40, round_limit: 240 },
  krig_klassisk: KLASSISK,
  krig_nettversjon: { ...KLASSISK, war_down: 1, short: "lose" },
};

for (const language of LANGUAGES) {
  test(`a preset is told in at most ninety words: ${language}`, async () => {
    await setLanguage(language);
    for (const [name, rules] of Object.entries(PRESETS)) {
      for (const players of [2, 3, 4]) {
        const text = told(rules, players).join(" ");
        const words = text.split(/\s+/).length;
        assert.ok(words <= 90, `${name} for ${players}: ${words} words`);
        assert.doesNotMatch(text, /page\.|\{/);
      }
    }
  });

  test(`ten questions have answers, whatever the rules: ${language}`, async () => {
    await setLanguage(language);
    const odd = { ...KLASSISK, deck: 54, teams: true, order: "seat" };
    const clock = { ...KLASSISK, time_limit: 10, war_down: 0 };
    for (const rules of [...Object.values(PRESETS), odd, clock]) {
      const all = questions(rules, 4);
      assert.equal(all.length, 10);
      for (const text of all.flat()) assert.doesNotMatch(text, /page\.|\{|undefined/);
    }
  });
}

test("numbers in the answers follow from the rules in force", async () => {
  await setLanguage("en");
  const answers = (/** @type {any} */ rules, players = 2) =>
    questions(rules, players).map(([, answer]) => answer);
  assert.match(answers(KRIEG_40)[2] ?? "", /^At least 6: .* one flip in 17 is a war/);
  assert.match(answers(KLASSISK)[2] ?? "", /^At least 10/);
  assert.match(answers(KRIEG_40)[4] ?? "", /^40 rounds, about 3 min.* one game in 10 /);
  assert.match(answers(KLASSISK)[4] ?? "", /after 145 rounds, about 10 min/);
});

test("what is told follows from the rules in force", async () => {
  await setLanguage("en");
  const text = (/** @type {object} */ rules, players = 3) =>
    told({ ...KLASSISK, ...rules }, players).join(" ");
  assert.match(text({}), /War: those who tied lay 3 cards/);
  assert.match(text({ participants: "all" }), /War: all lay 3 cards/);
  assert.match(text({ participants: "all", war_down: 0 }), /War: all turn up one/);
  assert.match(text({ participants: "all" }, 2), /War: those who tied lay/);
  const timed = { time_limit: 10, time_mid_war: "finish" };
  assert.match(text(timed), /10 minutes the round is finished/);
  const cut = text({ ...timed, time_mid_war: "return" });
  assert.match(cut, /10 minutes it is over, even in a war/);
});

test("a game that goes round in circles has no length, and may have no end", async () => {
  await setLanguage("en");
  const answers = (/** @type {object} */ rules) => {
    const all = questions({ ...KLASSISK, ...rules }, 2);
    return [all[4]?.[1] ?? "", all[6]?.[1] ?? ""];
  };
  for (const rules of [{ order: "seat" }, { pile: "top", order: "loser_first" }]) {
    const [long = "", endless = ""] = answers(rules);
    assert.match(long, /^Nobody can tell/);
    assert.match(endless, /Then it is a draw/);
    const [, ever = ""] = answers({ ...rules, repetition: "ignore" });
    assert.match(ever, /nothing stops it/);
    const [limited = ""] = answers({ ...rules, round_limit: 240 });
    assert.match(limited, /^240 rounds, about 16 min/);
  }
});

test("the six rounds come out as the source tells them, with the cards that are shown", () => {
  const { steps } = sixRounds("Krig");
  const counts = steps.flatMap(({ events, view }) =>
    events.some(({ type }) => type === "round_ended")
      ? [view.table?.hands.map(({ stock, won }) => stock + won).join(" : ")]
      : [],
  );
  assert.deepEqual(
    counts,
    SIX.map(([, , count]) => count),
  );
  const up = steps.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "turned" ? [event.cards] : [])),
  );
  for (const seat of [0, 1]) {
    const shown = SIX.flatMap((round) => String(round[seat]).split(" "));
    assert.deepEqual(
      up.map((cards) => cards[seat]?.[1]),
      shown.filter((card) => card !== "-"),
    );
  }
});
