/**
 * What this page knows of a room: a fold of the server's messages, with no DOM.
 *
 * Rule 1: `reduce` is pure, and no rule of War is in it: what follows from what is told.
 * Rule 2: of one entry, what was played comes first and the replaced parts last, because
 * a part is the view after its whole entry.
 */

/** @typedef {import("./messages.d.ts").FromServer} FromServer */
/** @typedef {import("./messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("./messages.d.ts").View} View */
/** @typedef {import("./messages.d.ts").TableView} TableView */
/** @typedef {import("./messages.d.ts").HandView} HandView */
/** @typedef {import("./messages.d.ts").GroupView} GroupView */

/**
 * One entry: what happened, and the view after it.
 * @typedef {{events: readonly ToldEvent[], view: View}} Told
 */

/**
 * @typedef {object} State
 * @property {string | null} epoch the history that `v` counts in
 * @property {number} v the version that `view` shows
 * @property {View | null} view null until the first snapshot
 * @property {number | null} player who I am; null: I watch
 * @property {number} watchers
 * @property {boolean} trouble the server cannot store, so moves wait
 * @property {boolean} gap something is missing: ask for a snapshot
 * @property {boolean} jumped the last message replaced the view, so nothing flies
 * @property {readonly Told[]} told what the last message told, an entry each
 * @property {number} serverNow the server's time at `welcome` (ms since 1970)
 * @property {number} deadlineMs how long a seat has for a press
 * @property {number} heartbeatMs
 */

/** @returns {State} */
export function start() {
  return {
    epoch: null,
    v: 0,
    view: null,
    player: null,
    watchers: 0,
    trouble: false,
    gap: false,
    jumped: false,
    told: [],
    serverNow: 0,
    deadlineMs: 15_000,
    heartbeatMs: 20_000,
  };
}

/**
 * The state with nothing to tell: what was told once is not told again.
 * @param {State} state
 * @returns {State}
 */
export function untold(state) {
  return { ...state, told: [], jumped: false };
}

/**
 * The state after a message; what it told is in `told`.
 * @param {State} before
 * @param {FromServer} message
 * @returns {State}
 */
export function reduce(before, message) {
  const state = { ...before, told: /** @type {Told[]} */ ([]), jumped: false };
  switch (message.type) {
    case "welcome": {
      const same = message.epoch === before.epoch;
      return {
        ...state,
        epoch: message.epoch,
        v: same ? before.v : 0,
        view: same ? before.view : null,
        trouble: false,
        gap: false,
        player: message.player,
        serverNow: message.now,
        deadlineMs: message.deadline_ms,
        heartbeatMs: message.heartbeat_ms,
      };
    }
    case "you":
      return { ...state, player: message.player };
    case "snapshot":
      return { ...state, v: message.v, view: message.view, gap: false, jumped: true };
    case "events":
      return take(state, message.v, message.entries);
    case "ping":
    case "pong":
      return {
        ...state,
        gap: state.gap || (state.view !== null && message.v > state.v),
      };
    case "presence":
      return { ...state, watchers: message.watchers };
    case "trouble":
      return { ...state, trouble: message.on };
    default:
      return state;
  }
}

/**
 * My seat's number, or null where I watch.
 * @param {State} state
 * @returns {number | null}
 */
export function mySeat({ view, player }) {
  if (view === null || player === null) return null;
  const seat = view.seats.findIndex((taken) => taken?.player === player);
  return seat < 0 ? null : seat;
}

/**
 * @param {State} state
 * @param {number} v that of the last entry
 * @param {ToldEvent[][]} entries
 * @returns {State}
 */
function take(state, v, entries) {
  if (v <= state.v) return state;
  const before = v - entries.length;
  if (state.view === null || before > state.v) return { ...state, gap: true };
  let { view } = state;
  const told = entries.slice(state.v - before).map((events) => {
    view = after(view, events);
    return { events, view };
  });
  return { ...state, v, view, told };
}

/**
 * The view after one entry.
 * @param {View} view
 * @param {readonly ToldEvent[]} entry
 * @returns {View}
 */
export function after(view, entry) {
  const next = { ...view, table: entry.reduce(play, view.table) };
  for (const event of entry) {
    if (event.type === "room") next.room = event.room;
    else if (event.type === "seats") next.seats = event.seats;
    else if (event.type === "table") next.table = event.table;
    else if (event.type === "last") next.last = event.last;
  }
  return next;
}

/**
 * The table after something happened on it.
 * @param {TableView | null} table
 * @param {ToldEvent} event
 * @returns {TableView | null}
 */
function play(table, event) {
  if (table === null) return null;
  switch (event.type) {
    case "flipped": {
      const flipped = [...new Set([...table.flipped, event.seat])].sort();
      return { ...table, flipped };
    }
    case "reshuffled":
      return hand(table, event.seat, ({ stock }) => ({
        stock: stock + event.count,
        won: 0,
      }));
    case "staked":
      return event.stakes.reduce(stake, table);
    case "turned":
      return event.cards.reduce(turn, { ...table, waiting: [], flipped: [] });
    case "war":
      return { ...table, fighting: event.seats, battle: event.war, wars: event.war };
    case "short":
      return giveUp(table, event.seat, event.count);
    case "pot_won":
    case "round_void":
      return clear(table);
    case "pot_left":
      return event.how === "carry" ? carry(table) : clear(table);
    case "seat_out":
      return hand(table, event.seat, () => ({ out: true }));
    case "round_ended":
      return endRound(table, event.round, event.counts);
    case "battle":
      return {
        ...table,
        round: event.round,
        battle: event.battle,
        wars: event.battle,
        waiting: event.waiting,
        flipped: [],
      };
    case "time_struck":
      return { ...table, last_round: true };
    case "game_ended":
      return { ...table, battle: 0, wars: 0, waiting: [], flipped: [], fighting: [] };
    default:
      return table;
  }
}

/**
 * A table on which one hand has changed.
 * @param {TableView} table
 * @param {number} seat
 * @param {(hand: HandView) => Partial<HandView>} change
 * @returns {TableView}
 */
function hand(table, seat, change) {
  const hands = table.hands.map((old, i) =>
    i === seat ? { ...old, ...change(old) } : old,
  );
  return { ...table, hands };
}

/**
 * Cards leave a hand for the table. A reshuffle in the middle of the stakes was told
 * before them and added to what was left of the stock, so the sum comes out right.
 * @param {TableView} table
 * @param {[number, number]} pair seat and how many
 * @returns {TableView}
 */
function stake(table, [seat, count]) {
  if (count === 0) return table;
  const next = hand(table, seat, ({ stock, laid }) => ({
    stock: stock - count,
    laid: [...laid, { down: count, up: null }],
  }));
  return { ...next, pot: next.pot + count };
}

/**
 * A card is turned up: on the stakes of this battle, or by itself.
 * @param {TableView} table
 * @param {[number, string]} pair seat and card
 * @returns {TableView}
 */
function turn(table, [seat, card]) {
  const next = hand(table, seat, ({ stock, laid }) => {
    const last = laid.at(-1);
    const staked = last !== undefined && last.up === null;
    const group = { down: staked ? last.down : 0, up: card };
    return { stock: stock - 1, laid: [...(staked ? laid.slice(0, -1) : laid), group] };
  });
  return { ...next, pot: next.pot + 1 };
}

/**
 * A seat that cannot go on puts what it has left into the pot.
 * @param {TableView} table
 * @param {number} seat
 * @param {number} count
 * @returns {TableView}
 */
function giveUp(table, seat, count) {
  const group = { down: count, up: null };
  const next = hand(table, seat, ({ laid }) => ({
    stock: 0,
    won: 0,
    laid: count === 0 ? laid : [...laid, group],
  }));
  const fighting = next.fighting.filter((other) => other !== seat);
  return { ...next, fighting, pot: next.pot + count };
}

/**
 * @param {TableView} table
 * @returns {TableView}
 */
function clear(table) {
  return { ...table, pot: 0, hands: table.hands.map((old) => ({ ...old, laid: [] })) };
}

/**
 * The pot stays for the next round: what each seat laid is one group from now on.
 * @param {TableView} table
 * @returns {TableView}
 */
function carry(table) {
  const hands = table.hands.map((old) => ({ ...old, laid: together(old.laid) }));
  return { ...table, hands };
}

/**
 * @param {readonly GroupView[]} laid
 * @returns {GroupView[]}
 */
function together(laid) {
  if (laid.length === 0) return [];
  const down = laid.reduce((sum, group) => sum + group.down, 0);
  const ups = laid.map((group) => group.up).filter((up) => up !== null);
  return [{ down, up: ups.at(-1) ?? null }];
}

/**
 * @param {TableView} table
 * @param {number} round
 * @param {[number, number][]} counts stock and won pile of each seat
 * @returns {TableView}
 */
function endRound(table, round, counts) {
  const hands = table.hands.map((old, seat) => {
    const [stock, won] = counts[seat] ?? [old.stock, old.won];
    return { ...old, stock, won };
  });
  const fighting = hands.flatMap((one, seat) => (one.out ? [] : [seat]));
  return {
    ...table,
    hands,
    round,
    battle: 0,
    wars: 0,
    fighting,
    waiting: [],
    flipped: [],
  };
}
