import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../client/i18n.js";
import { FLIP_MS, FLY_MS, HOLD_MS, plan, skippable } from "../../client/table/plan.js";
import { pressOf } from "../../client/table/press.js";
import { potLine, roundSentence } from "../../client/table/say.js";
import { follow, maybePoorest, sceneOf } from "../../client/table/scene.js";
import { STATES, STORIES, hand, view } from "./table-states.js";

/** @typedef {import("../../client/table/scene.js").Scene} Scene */

await setLanguage("nb");

/** @param {import("../../client/messages.d.ts").View} from */
const sceneFrom = (from) => /** @type {Scene} */ (sceneOf(from));

for (const [name, story] of Object.entries(STORIES)) {
  test(`${name}: following what is told leads to the view it ends at`, () => {
    let scene = sceneFrom(story.before);
    for (const { events, view: after } of story.entries) {
      scene = events.reduce(follow, scene);
      if (!after.table) continue;
      const { hands, pot, pressed, round } = sceneFrom(after);
      assert.deepEqual(
        { hands, pot, round },
        { hands: scene.hands, pot: scene.pot, round: scene.round },
      );
      assert.deepEqual(scene.pressed, pressed);
    }
  });
}

test("no card is made or lost in any scene of a story", () => {
  for (const story of Object.values(STORIES)) {
    let scene = sceneFrom(story.before);
    const all = cardsIn(scene);
    for (const step of story.entries.flatMap(({ events }) => events)) {
      const before = scene;
      scene = follow(scene, step);
      if (step.type !== "round_ended") assert.equal(cardsIn(scene), all, step.type);
      assert.notEqual(before, null);
    }
    assert.equal(cardsIn(scene), all);
  }
});

/** @param {Scene} scene */
function cardsIn(scene) {
  const held = scene.hands.reduce((sum, h) => sum + h.stock + h.won, 0);
  return held + scene.pot;
}

test("a round takes a flip, a hold and a flight", () => {
  const story = STORIES["story-round"];
  const steps = plan(
    story?.entries[0]?.events ?? [],
    sceneFrom(story?.before ?? view([])),
  );
  const timed = steps.filter(({ ms }) => ms > 0).map(({ motion, ms }) => [motion, ms]);
  assert.deepEqual(timed, [
    ["show", FLIP_MS],
    ["hold", HOLD_MS],
    ["fly", FLY_MS],
  ]);
});

test("more than two rounds behind skips to the last", () => {
  /** @type {import("../../client/messages.d.ts").ToldEvent[]} */
  const ended = [{ type: "round_ended", round: 1, counts: [] }];
  const round = { events: ended };
  const flip = { events: [] };
  assert.equal(skippable([round, round]), 0);
  assert.equal(skippable([round, flip, round]), 0);
  assert.equal(skippable([round, round, flip, round]), 2);
  assert.equal(skippable([round, round, round, round, flip]), 3);
});

test("the poorer of unequal stakes is named with the reason", () => {
  const state = STATES["two-unequal"];
  const scene = sceneFrom(state?.view ?? view([]));
  assert.deepEqual(maybePoorest(scene), { seat: 1, down: 0 });
  const { loud, text } = potLine(scene, state?.view ?? view([]), 0);
  assert.equal(loud, "KRIG!");
  assert.equal(text, "Ingrid har bare ett kort igjen og legger ingen ned.");
});

test("a round is told in one sentence, you first", () => {
  const story = STORIES["story-round"];
  const before = sceneFrom(story?.before ?? view([]));
  const entry = story?.entries[0];
  const note = entry?.events.reduce(follow, before).note;
  assert.equal(note?.kind, "won");
  if (note?.kind !== "won" || !entry) return;
  assert.equal(
    roundSentence(note, entry.view, 0),
    "Runde 17: Du tok 2\u00a0kort: konge mot sju. Du 27, Ingrid 25.",
  );
});

test("the button is live exactly when the seat may press", () => {
  const quiet = view([hand(26), hand(26)]);
  assert.equal(pressOf(quiet, 0, true, false).act, "flip");
  assert.equal(pressOf(quiet, 0, true, true).act, "none");
  assert.equal(pressOf(quiet, 0, false, false).act, "none");
  assert.equal(
    pressOf(view([hand(26), hand(26)], { flipped: [0] }), 0, true, false).act,
    "none",
  );
  assert.equal(
    pressOf(view([hand(26), hand(26)], {}, { asleep: true }), 0, true, false).act,
    "flip",
  );
  const paused = view([hand(26), hand(26)], {}, { paused: { seat: 1, agreed: [1] } });
  assert.equal(pressOf(paused, 0, true, false).act, "resume");
  assert.equal(pressOf(paused, 0, true, false).hint, "Ingrid tok pause");
  assert.equal(pressOf(paused, 1, true, false).hint, "Du tok pause");
});

test("the button says whom we wait for, and in a war that it is one", () => {
  const waiting = view([hand(26), hand(26)], { flipped: [0] });
  assert.equal(pressOf(waiting, 0, true, false).label, "Venter på Ingrid");
  const war = STATES["two-war-declared"]?.view ?? view([]);
  assert.equal(pressOf(war, 0, true, false).label, "Krig! Snu");
  const last = view([hand(26), hand(26)], { flipped: [1] });
  assert.equal(pressOf(last, 0, true, false).hint, "Ingrid venter på deg");
});

test("who is away reads that they are pressed for, and is said to wait for nobody", () => {
  const away = view([hand(26), hand(26)]);
  for (const seat of away.seats) if (seat) seat.state = "away";
  const hint = "Du var borte – kortet ditt snus snart for deg";
  assert.equal(pressOf(away, 0, true, false).hint, hint);
  const last = view([hand(26), hand(26), hand(0)], { flipped: [1, 2] });
  assert.equal(pressOf(last, 0, true, false).hint, "Ingrid venter på deg");
  const gone = view([hand(26), hand(26)], { flipped: [1] });
  if (gone.seats[1]) gone.seats[1].state = "auto";
  assert.equal(pressOf(gone, 0, true, false).hint, "");
});

test("why the table rests is read by who plays on the button, by all others above", () => {
  for (const [name, text] of [
    ["two-paused", "Ingrid tok pause"],
    ["two-asleep", "Bordet sover"],
  ]) {
    const rests = STATES[name ?? ""]?.view ?? view([]);
    assert.deepEqual(potLine(sceneFrom(rests), rests, null), { loud: "", text });
    assert.notEqual(potLine(sceneFrom(rests), rests, 0).text, text);
    assert.equal(pressOf(rests, 0, true, false).hint, text);
  }
});

test("what was said of a round stays until the next card", () => {
  const story = STORIES["story-round"];
  const entry = story?.entries[0];
  if (!story || !entry) return assert.fail();
  const told = entry.events.reduce(follow, sceneFrom(story.before));
  const after = sceneOf(entry.view, told);
  assert.equal(after?.note?.kind, "won");
  assert.equal(after?.winner, 0);
  assert.equal(sceneOf(entry.view)?.note, null);
});

const STRUCK = STATES["two-time-struck"]?.view ?? view([]);

/** Time strikes in a war whose cards go back; the server then counts a round less. */
const CUT_OFF = /** @type {import("../../client/messages.d.ts").ToldEvent[]} */ ([
  { type: "round_void" },
  {
    type: "game_ended",
    game: 1,
    outcome: { ending: "time_limit", winners: [], counts: [], by_shortage: false },
    aside: [],
    server_nonce: "",
  },
]);

test("that the last round is played stays to be read until the next card", () => {
  const steps = plan([{ type: "time_struck" }], sceneFrom(STRUCK));
  assert.ok((steps[0]?.ms ?? 0) > HOLD_MS);
  const after = sceneOf(STRUCK, steps[0]?.scene ?? null);
  assert.ok(after);
  assert.deepEqual(potLine(after, STRUCK, 0), {
    loud: "KRIG!",
    text: "Tiden er ute: dette er siste runde.",
  });
  const turned = follow(after, { type: "turned", cards: [[0, "2s"]] });
  assert.equal(turned.note, null);
});

test("cards that go back because time is up do so for that reason, in the same round", () => {
  const before = sceneFrom(STRUCK);
  const text = (/** @type {Scene} */ scene) => potLine(scene, STRUCK, 0);
  const [hold] = plan(CUT_OFF, before);
  const told = { loud: "", text: "Tiden er ute: alle får kortene sine tilbake." };
  assert.deepEqual(text(hold?.scene ?? before), told);
  const end = view([hand(26), hand(26)], { round: before.round - 1, waiting: [] });
  const after = sceneOf(end, CUT_OFF.reduce(follow, before));
  assert.deepEqual(text(after ?? before), told);
  assert.equal(after?.round, before.round);
  const void_ = follow(before, { type: "round_void" });
  assert.equal(text(void_).text, "Ingen kan gå videre: hver får kortene sine tilbake.");
  // On a table that stays, the next game begins at one.
  assert.equal(sceneOf(view([hand(26), hand(26)], { round: 1 }), after)?.round, 1);
});
