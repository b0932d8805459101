// Scripted states of the table, each as the server would tell it.

/** @typedef {import("../../client/messages.d.ts").View} View */
/** @typedef {import("../../client/messages.d.ts").TableView} TableView */
/** @typedef {import("../../client/messages.d.ts").RoomView} RoomView */
/** @typedef {import("../../client/messages.d.ts").HandView} HandView */
/** @typedef {import("../../client/messages.d.ts").SeatView} SeatView */
/** @typedef {import("../../client/messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("../../client/table/scene.js").Me} Me */
/** @typedef {{view: View, me: Me, said?: ToldEvent[], second?: {seat: number}}} State */
/** @typedef {{before: View, me: Me, entries: {events: ToldEvent[], view: View}[]}} Story */

/** Seat 0 is "you", as the bottom lane. */
const NAMES = ["Kari", "Ingrid", "Maximilian Alexander", "Åse"];
/** @type {SeatView["state"][]} */
const PRESENCE = ["here", "here", "away", "bot"];

/**
 * @param {number} stock
 * @param {string} laid  groups apart by spaces, each its stakes as dashes, then its card
 * @param {Partial<HandView>} [more]
 * @returns {HandView}
 */
export function hand(stock, laid = "", more = {}) {
  const groups = laid.split(" ").filter(Boolean);
  return {
    stock,
    won: 0,
    out: false,
    laid: groups.map((g) => ({
      down: g.split("-").length - 1,
      up: g.replaceAll("-", "") || null,
    })),
    ...more,
  };
}

/**
 * @param {HandView[]} hands
 * @param {Partial<TableView>} [table]
 * @param {Partial<RoomView>} [room]
 * @param {Record<string, boolean | number | string | null>} [rules]
 * @returns {View}
 */
export function view(hands, table = {}, room = {}, rules = {}) {
  const living = hands.flatMap((h, seat) => (h.out ? [] : [seat]));
  const pot = hands
    .flatMap((h) => h.laid)
    .reduce((sum, g) => sum + g.down + (g.up ? 1 : 0), 0);
  return {
    room: {
      code: "KRI7F",
      phase: "playing",
      game: 1,
      terms: 1,
      owner: 1,
      closed: false,
      rules: { war_down: 3, round_limit: 40, time_limit: null, teams: false, ...rules },
      preset: null,
      tempo: "normal",
      wars_by_table: false,
      paused: null,
      asleep: false,
      deal: { id: "", commitment: "", stage: "done", missing: [], withheld: [] },
      ...room,
    },
    seats: hands.map((_, seat) => ({
      player: seat + 1,
      name: NAMES[seat] ?? "",
      kind: seat === 3 ? "bot" : "human",
      ready: true,
      commitment: null,
      state: PRESENCE[seat] ?? "here",
    })),
    table: {
      round: 17,
      battle: 0,
      wars: 0,
      hands,
      waiting: living,
      flipped: [],
      fighting: living,
      pot,
      aside: 0,
      last_round: false,
      clock: null,
      ...table,
    },
    last: null,
  };
}

/** @type {Me} */
const ME = { seat: 0, watchers: 3, online: true };
/** @type {Me} */
const WATCHER = { seat: null, watchers: 3, online: true };

/**
 * @param {number} war
 * @param {number[]} fighting
 * @returns {Partial<TableView>}
 */
const atWar = (war, fighting) => ({
  battle: war,
  wars: war,
  fighting,
  waiting: fighting,
});

/** @type {Record<string, State>} */
export const STATES = {
  "two-quiet": { view: view([hand(26), hand(26)], { round: 1 }), me: ME },
  "two-pressed": { view: view([hand(26), hand(26)], { flipped: [1] }), me: ME },
  "two-battle": { view: view([hand(25, "Ks"), hand(25, "Td")]), me: ME },
  "two-war-declared": {
    view: view([hand(18, "9h"), hand(24, "9s")], atWar(1, [0, 1])),
    me: ME,
  },
  "two-war-1": {
    view: view(
      [hand(18, "9h -Ks"), hand(24, "9s -8h")],
      atWar(1, [0, 1]),
      {},
      { war_down: 1 },
    ),
    me: ME,
  },
  "two-war-3": {
    view: view([hand(18, "9h ---Ks"), hand(24, "9s ---Qh")], atWar(1, [0, 1])),
    me: ME,
  },
  "two-war-3-double": {
    view: view(
      [hand(14, "Th ---Ks ---Jc"), hand(20, "Ts ---Kh ---Ad")],
      atWar(2, [0, 1]),
    ),
    me: ME,
  },
  "two-war-deep": {
    view: view(
      [hand(9, "Th ---Ks ---Jc ---Td ---9c"), hand(9, "Ts ---Kh ---Jd ---Tc ---Ad")],
      atWar(4, [0, 1]),
    ),
    me: ME,
  },
  "two-jokers": {
    view: view(
      [hand(18, "Xr -Xb"), hand(24, "Xb -As")],
      atWar(1, [0, 1]),
      {},
      { war_down: 1 },
    ),
    me: ME,
  },
  "two-unequal": {
    view: view([hand(47, "9h ---Ks"), hand(0, "9s 8h")], atWar(1, [0, 1])),
    me: ME,
  },
  "two-short": {
    view: view([hand(47, "9h"), hand(2, "9s")], { ...atWar(1, [0, 1]), waiting: [] }),
    me: ME,
    said: [{ type: "short", seat: 1, count: 2 }],
  },
  "two-void": {
    view: view([hand(26), hand(26)]),
    me: ME,
    said: [{ type: "round_void" }],
  },
  "two-reshuffle": {
    view: view(
      [hand(8, "", { won: 18 }), hand(20, "", { won: 6 })],
      {},
      {},
      { war_down: 1 },
    ),
    me: ME,
    said: [{ type: "reshuffled", seat: 1, count: 26 }],
  },
  "two-won": {
    view: view([hand(25, "Ks"), hand(25, "Td")]),
    me: ME,
    said: [{ type: "pot_won", seat: 0, count: 2, by: "high" }],
  },
  "two-won-split": {
    view: view([hand(13, "9s", { won: 16 }), hand(11, "Ts", { won: 10 })]),
    me: ME,
    said: [{ type: "pot_won", seat: 1, count: 12, by: "high" }],
  },
  "two-won-watching": {
    view: view([hand(13, "Ks", { won: 16 }), hand(11, "Td", { won: 10 })]),
    me: WATCHER,
    said: [{ type: "pot_won", seat: 0, count: 12, by: "high" }],
  },
  "two-on-one-screen": {
    view: view(
      [hand(18, "9h -Ks"), hand(24, "9s -8h")],
      { ...atWar(1, [0, 1]), flipped: [1] },
      {},
      { war_down: 1 },
    ),
    me: ME,
    second: { seat: 1 },
  },
  "two-timed": {
    view: view(
      [hand(25, "Ks"), hand(25, "Td")],
      { clock: { limit_ms: 600_000, used_ms: 208_000, since: null } },
      {},
      { round_limit: null, time_limit: 10 },
    ),
    me: ME,
  },
  "two-time-struck": {
    view: view(
      [hand(18, "9h"), hand(24, "9s")],
      {
        ...atWar(1, [0, 1]),
        last_round: true,
        clock: { limit_ms: 600_000, used_ms: 600_000, since: null },
      },
      {},
      { round_limit: null, time_limit: 10 },
    ),
    me: ME,
  },
  "two-paused": {
    view: view(
      [hand(25, "Ks"), hand(25, "Td")],
      {},
      { paused: { seat: 1, agreed: [1] } },
    ),
    me: ME,
  },
  "two-asleep": { view: view([hand(26), hand(26)], {}, { asleep: true }), me: ME },
  "two-offline": { view: view([hand(26), hand(26)]), me: { ...ME, online: false } },
  "two-watching": {
    view: view([hand(18, "9h ---Ks"), hand(24, "9s ---Qh")], atWar(1, [0, 1])),
    me: WATCHER,
  },
  "three-aside": {
    view: view([hand(17), hand(17), hand(17)], { round: 1, aside: 1 }),
    me: ME,
  },
  "three-battle": {
    view: view([hand(14, "Kh"), hand(12, "7d"), hand(15, "3c")], { aside: 1 }),
    me: ME,
  },
  "three-war-3": {
    view: view([hand(14, "Kh ---Qs"), hand(12, "7d"), hand(15, "Ks ---3c")], {
      ...atWar(1, [0, 2]),
      aside: 1,
    }),
    me: ME,
  },
  "three-war-3-double": {
    view: view(
      [hand(14, "Kh ---Ts ---Qs"), hand(12, "7d"), hand(15, "Ks ---Tc ---3c")],
      atWar(2, [0, 2]),
    ),
    me: ME,
  },
  "three-no-limit": {
    view: view(
      [hand(27, "Kh"), hand(6, "7d"), hand(15, "3c")],
      { round: 212 },
      {},
      { round_limit: null },
    ),
    me: ME,
  },
  "three-out": {
    view: view([hand(30, "Kh"), hand(0, "", { out: true }), hand(19, "3c")], {
      fighting: [0, 2],
    }),
    me: ME,
  },
  "three-out-me": {
    view: view([hand(0, "", { out: true }), hand(30), hand(21)], {
      fighting: [1, 2],
      waiting: [1, 2],
    }),
    me: ME,
  },
  "three-won-split": {
    view: view([
      hand(3, "Kh", { won: 14 }),
      hand(12, "7d", { won: 10 }),
      hand(10, "3c", { won: 3 }),
    ]),
    me: ME,
    said: [{ type: "pot_won", seat: 0, count: 3, by: "high" }],
  },
  "four-quiet": {
    view: view([hand(13), hand(13), hand(13), hand(13)], { round: 1 }),
    me: ME,
  },
  "four-waiting": {
    view: view([hand(13), hand(13), hand(13), hand(13)], { flipped: [0] }),
    me: ME,
  },
  "four-last": {
    view: view([hand(13), hand(13), hand(13), hand(13)], { flipped: [1, 2, 3] }),
    me: ME,
  },
  "four-following": {
    view: view([hand(13), hand(13), hand(13), hand(13)], { round: 1 }),
    me: { ...WATCHER, followed: 1 },
  },
  "four-battle": {
    view: view(
      [hand(8, "Th"), hand(11, "Ts"), hand(9, "4d"), hand(14, "Tc")],
      atWar(1, [0, 1, 3]),
    ),
    me: ME,
  },
  "four-war-3": {
    view: view(
      [hand(8, "Th ---Ks"), hand(11, "Ts ---Qd"), hand(9, "4d"), hand(14, "Tc ---8h")],
      atWar(1, [0, 1, 3]),
    ),
    me: ME,
  },
  "four-war-3-double": {
    view: view(
      [
        hand(8, "Th ---5h ---9d"),
        hand(11, "Ts ---5s ---Ad"),
        hand(9, "4d"),
        hand(14, "Tc ---5d ---2s"),
      ],
      atWar(2, [0, 1, 3]),
    ),
    me: ME,
  },
  "four-war-3-triple": {
    view: view(
      [
        hand(8, "Th ---5h ---Jh ---9d"),
        hand(11, "Ts ---5s ---Jd ---Ad"),
        hand(9, "4d"),
        hand(14, "Tc ---5d ---Js ---2s"),
      ],
      atWar(3, [0, 1, 3]),
    ),
    me: ME,
  },
  "four-bystander": {
    view: view([hand(8, "4d"), hand(11, "Ts"), hand(9, "Th"), hand(14, "Tc")], {
      ...atWar(1, [1, 2, 3]),
      flipped: [3],
    }),
    me: ME,
  },
  "four-teams": {
    view: view(
      [hand(8, "Th"), hand(11, "6s"), hand(9, "4d"), hand(20, "2c")],
      {},
      {},
      { teams: true },
    ),
    me: ME,
  },
  "four-watching": {
    view: view(
      [
        hand(8, "Th ---5h ---9d"),
        hand(11, "Ts ---5s ---Ad"),
        hand(9, "4d"),
        hand(14, "Tc ---5d ---2s"),
      ],
      atWar(2, [0, 1, 3]),
    ),
    me: WATCHER,
  },
};

/** @type {Record<string, Story>} */
export const STORIES = {
  "story-round": {
    before: view([hand(26), hand(26)], { flipped: [1] }),
    me: ME,
    entries: [
      {
        events: [
          {
            type: "turned",
            cards: [
              [0, "Ks"],
              [1, "7d"],
            ],
          },
          { type: "pot_won", seat: 0, count: 2, by: "high" },
          {
            type: "round_ended",
            round: 17,
            counts: [
              [27, 0],
              [25, 0],
            ],
          },
          { type: "battle", round: 18, battle: 0, waiting: [0, 1] },
        ],
        view: view([hand(27), hand(25)], { round: 18 }),
      },
    ],
  },
  "story-end": {
    before: view([hand(31, "9h"), hand(19, "9s")], { ...atWar(1, [0, 1]), round: 40 }),
    me: ME,
    entries: [
      {
        events: [
          {
            type: "staked",
            stakes: [
              [0, 3],
              [1, 3],
            ],
          },
          {
            type: "turned",
            cards: [
              [0, "Ks"],
              [1, "7d"],
            ],
          },
          { type: "pot_won", seat: 0, count: 10, by: "high" },
          {
            type: "round_ended",
            round: 40,
            counts: [
              [37, 0],
              [15, 0],
            ],
          },
        ],
        view: {
          ...view([hand(37), hand(15)], {}, { phase: "lobby", game: 2 }),
          table: null,
        },
      },
    ],
  },
  "story-war": {
    before: view([hand(9), hand(12), hand(10), hand(15)]),
    me: ME,
    entries: [
      {
        events: [
          {
            type: "turned",
            cards: [
              [0, "Th"],
              [1, "Ts"],
              [2, "4d"],
              [3, "Tc"],
            ],
          },
          { type: "war", seats: [0, 1, 3], war: 1 },
          { type: "battle", round: 17, battle: 1, waiting: [0, 1, 3] },
        ],
        view: view(
          [hand(8, "Th"), hand(11, "Ts"), hand(9, "4d"), hand(14, "Tc")],
          atWar(1, [0, 1, 3]),
        ),
      },
      {
        events: [{ type: "flipped", seat: 1, by: "player" }],
        view: view([hand(8, "Th"), hand(11, "Ts"), hand(9, "4d"), hand(14, "Tc")], {
          ...atWar(1, [0, 1, 3]),
          flipped: [1],
        }),
      },
      {
        events: [
          {
            type: "staked",
            stakes: [
              [0, 3],
              [1, 3],
              [3, 3],
            ],
          },
          {
            type: "turned",
            cards: [
              [0, "Ks"],
              [1, "Qd"],
              [3, "8h"],
            ],
          },
          { type: "pot_won", seat: 0, count: 16, by: "high" },
          {
            type: "round_ended",
            round: 17,
            counts: [
              [20, 0],
              [7, 0],
              [9, 0],
              [10, 0],
            ],
          },
          { type: "battle", round: 18, battle: 0, waiting: [0, 1, 2, 3] },
        ],
        view: view([hand(20), hand(7), hand(9), hand(10)], { round: 18 }),
      },
    ],
  },
};
