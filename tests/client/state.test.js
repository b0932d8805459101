import assert from "node:assert/strict";
import { test } from "node:test";

import { mySeat, reduce, start } from "../../client/state.js";

/** @typedef {import("../../client/messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("../../client/messages.d.ts").HandView} HandView */
/** @typedef {import("../../client/state.js").State} State */

/**
 * @param {Partial<HandView>} [change]
 * @returns {HandView}
 */
const hand = (change) => ({ stock: 26, won: 0, out: false, laid: [], ...change });

/** @returns {import("../../client/messages.d.ts").View} */
const view = () => ({
  room: {
    code: "KR071",
    phase: "playing",
    game: 1,
    terms: 4,
    owner: 1,
    closed: false,
    rules: { round_limit: 40 },
    preset: "krieg_40",
    tempo: "normal",
    wars_by_table: false,
    paused: null,
    asleep: false,
    deal: { id: "00", commitment: "00", stage: "done", missing: [], withheld: [] },
  },
  seats: [
    {
      player: 1,
      name: "Kari",
      kind: "human",
      ready: true,
      commitment: null,
      state: "here",
    },
    {
      player: 2,
      name: "Åse",
      kind: "bot",
      ready: true,
      commitment: null,
      state: "bot",
    },
  ],
  table: {
    round: 3,
    battle: 0,
    wars: 0,
    hands: [hand(), hand()],
    waiting: [0, 1],
    flipped: [],
    fighting: [0, 1],
    pot: 0,
    aside: 0,
    last_round: false,
    clock: null,
  },
  last: null,
});

/** @returns {State} */
const at10 = () =>
  reduce(
    { ...start(), epoch: "e", player: 2 },
    { type: "snapshot", v: 10, view: view() },
  );

/**
 * @param {State} state
 * @param {ToldEvent[][]} entries
 */
const tell = (state, ...entries) =>
  reduce(state, { type: "events", v: state.v + entries.length, entries });

/** Round three of the German source: both show a nine, and seat 0 wins six cards. */
const WAR = /** @type {ToldEvent[][]} */ ([
  [{ type: "flipped", seat: 1, by: "autoplay" }],
  [
    { type: "flipped", seat: 0, by: "player" },
    {
      type: "turned",
      cards: [
        [0, "9s"],
        [1, "9c"],
      ],
    },
    { type: "war", seats: [0, 1], war: 1 },
    { type: "battle", round: 3, battle: 1, waiting: [0, 1] },
  ],
]);

test("a war: the tied cards stay, stakes and new cards lie beside them", () => {
  const tied = tell(at10(), ...WAR);
  assert.deepEqual(tied.view?.table, {
    ...view().table,
    battle: 1,
    wars: 1,
    pot: 2,
    hands: [
      hand({ stock: 25, laid: [{ down: 0, up: "9s" }] }),
      hand({ stock: 25, laid: [{ down: 0, up: "9c" }] }),
    ],
  });
  const shown = tell(tied, [
    {
      type: "staked",
      stakes: [
        [0, 1],
        [1, 1],
      ],
    },
    {
      type: "turned",
      cards: [
        [0, "Ah"],
        [1, "Ts"],
      ],
    },
  ]);
  assert.equal(shown.view?.table?.pot, 6);
  assert.deepEqual(shown.view?.table?.hands[0]?.laid, [
    { down: 0, up: "9s" },
    { down: 1, up: "Ah" },
  ]);
  const won = tell(shown, [
    { type: "pot_won", seat: 0, count: 6, by: "high" },
    {
      type: "round_ended",
      round: 3,
      counts: [
        [23, 6],
        [23, 0],
      ],
    },
    { type: "battle", round: 4, battle: 0, waiting: [0, 1] },
  ]);
  assert.deepEqual(won.view?.table, {
    ...view().table,
    round: 4,
    hands: [hand({ stock: 23, won: 6 }), hand({ stock: 23 })],
  });
});

test("a reshuffle in the middle of the stakes is told before them and comes out right", () => {
  const state = at10();
  if (state.view?.table) state.view.table.hands[0] = hand({ stock: 1, won: 8 });
  const next = tell(state, [
    { type: "reshuffled", seat: 0, count: 8 },
    { type: "staked", stakes: [[0, 3]] },
    { type: "turned", cards: [[0, "2s"]] },
  ]);
  const laid = [{ down: 3, up: "2s" }];
  assert.deepEqual(next.view?.table?.hands[0], hand({ stock: 5, won: 0, laid }));
});

test("a short seat's cards lie in the pot, and it is out of the war", () => {
  const next = tell(at10(), [
    { type: "short", seat: 1, count: 2 },
    { type: "seat_out", seat: 1 },
  ]);
  assert.deepEqual(next.view?.table?.fighting, [0]);
  assert.deepEqual(
    next.view?.table?.hands[1],
    hand({ stock: 0, out: true, laid: [{ down: 2, up: null }] }),
  );
});

test("a part replaces what was played in the same entry, in whatever order they come", () => {
  const table = { ...view().table, round: 9 };
  const next = tell(at10(), [
    { type: "table", table: /** @type {any} */ (table) },
    { type: "flipped", seat: 0, by: "player" },
  ]);
  assert.deepEqual(next.view?.table, table);
});

test("what is already known is ignored, also when frames overlap", () => {
  const state = tell(at10(), ...WAR);
  assert.equal(state.v, 12);
  const again = reduce(state, { type: "events", v: 12, entries: WAR });
  assert.deepEqual([again.v, again.told, again.view], [12, [], state.view]);
  const half = reduce(tell(at10(), ...WAR.slice(0, 1)), {
    type: "events",
    v: 12,
    entries: WAR,
  });
  assert.deepEqual(half.view, state.view);
  assert.equal(half.told.length, 1);
});

test("a gap changes nothing and is said; a snapshot closes it", () => {
  const state = at10();
  const gap = reduce(state, { type: "events", v: 13, entries: [[{ type: "slept" }]] });
  assert.deepEqual([gap.gap, gap.v, gap.view], [true, 10, state.view]);
  const whole = reduce(gap, { type: "snapshot", v: 13, view: view() });
  assert.deepEqual([whole.gap, whole.v, whole.jumped], [false, 13, true]);
});

test("a ping with a newer version shows a silent gap", () => {
  assert.equal(reduce(at10(), { type: "ping", v: 10 }).gap, false);
  assert.equal(reduce(at10(), { type: "ping", v: 11 }).gap, true);
});

test("another epoch is another history", () => {
  const welcome = /** @type {import("../../client/messages.d.ts").Welcome} */ ({
    type: "welcome",
    epoch: "f",
    v: 3,
    player: 1,
    heartbeat_ms: 20_000,
    now: 5,
    deadline_ms: 15_000,
  });
  const other = reduce(at10(), welcome);
  assert.deepEqual([other.v, other.view, other.epoch], [0, null, "f"]);
  const same = reduce(at10(), { ...welcome, epoch: "e" });
  assert.deepEqual([same.v, mySeat(same)], [10, 0]);
});

test("a welcome ends the trouble that was: a server that still has it says so next", () => {
  const before = reduce(at10(), { type: "trouble", on: true });
  const welcome = /** @type {any} */ ({ type: "welcome", epoch: "e" });
  const back = reduce(before, welcome);
  assert.deepEqual([before.trouble, back.trouble], [true, false]);
});

test("my seat is where my player sits", () => {
  assert.equal(mySeat(at10()), 1);
  assert.equal(mySeat({ ...at10(), player: null }), null);
});
