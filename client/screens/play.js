/** The table, and the menu over it. */

import { make } from "../dom.js";
import { onLanguage, t } from "../i18n.js";
import * as storage from "../storage.js";
import { TEMPO } from "../table/plan.js";
import { tempoChoice } from "./house.js";
import { cornerInvite, openInvite } from "./invite.js";
import { openSettings, switchOf } from "./settings.js";
import { confirmFirst, openSheet } from "./sheet.js";
import { orderStrip } from "./strip.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../table/table.js").KrigTable} KrigTable */

/** How long the last cards stay on the table before the end is shown (ms). */
const LAST_LOOK = { slow: 3600, normal: 2200, fast: 1000 };
const LOOK_AGAIN = 300;

/**
 * @param {Here} here
 * @returns {Part}
 */
export function play(here) {
  const { app, room, code } = here;
  const live = new AbortController();
  const table = makeTable();
  const root = make("main", { class: "play" }, table);
  if (room.seat === null) root.append(cornerInvite(code));
  const heed = furnish(here, table, root, live.signal);
  table.addEventListener("krig-sit", () => {
    const { wishes } = here;
    wishes.wantsSeat = !wishes.wantsSeat;
    app.announce(t(wishes.wantsSeat ? "table.sit.wish" : "table.watching"));
    if (room.view) table.tell([], room.view, meIn(here));
  });
  room.addEventListener(
    "reaction",
    (event) => {
      const { player, reaction } = /** @type {CustomEvent} */ (event).detail;
      const seat =
        room.view?.seats.findIndex((taken) => taken?.player === player) ?? -1;
      if (seat >= 0 && !storage.settings().mute) table.react(seat, reaction);
    },
    { signal: live.signal },
  );
  if (room.view?.table) table.show(room.view, meIn(here));
  return {
    root,
    close: () => live.abort(),
    update: (_before, state) => heed(state),
    playing: () => table.playing,
  };
}

/**
 * What goes with every table in a room: its commands, the menu, the order strip, sound,
 * the rules by key, and a screen that stays on.
 * @param {Here} here
 * @param {KrigTable} table
 * @param {HTMLElement} root around it
 * @param {AbortSignal} signal
 * @returns {(state: import("../state.js").State) => void} to be told of every change
 */
export function furnish(here, table, root, signal) {
  const { room } = here;
  /** @type {ReturnType<typeof orderStrip> | null} */
  let strip = null;
  const dress = () => {
    strip?.element.remove();
    strip = storage.settings().strip ? orderStrip(room.view?.room.rules ?? {}) : null;
    root.classList.toggle("with-strip", strip !== null);
    if (strip !== null) root.prepend(strip.element);
  };
  dress();
  window.addEventListener("krig-settings", dress, { signal });
  onLanguage(dress, signal);
  void keepAwake(signal);
  connect(table, room, signal);
  table.addEventListener("krig-menu", () => openMenu(here), { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      const typing = document.querySelector("dialog[open]") !== null;
      if (event.key === "?" && !typing)
        void showRules(room.view?.room.rules, players(room));
    },
    { signal },
  );
  return (state) => {
    showChange(table, here, state);
    const events = state.told.flatMap((told) => told.events);
    strip?.follow(events);
    if (events.length > 0) void heard(events, room);
  };
}

/**
 * Call when the last cards have been looked at, and all that happened to them is told.
 * @param {() => boolean} playing
 * @param {import("../messages.d.ts").Tempo} tempo
 * @param {() => void} then
 * @returns {() => void} stops it
 */
export function afterLastLook(playing, tempo, then) {
  const look = () => {
    if (playing()) timer = setTimeout(look, LOOK_AGAIN);
    else then();
  };
  let timer = setTimeout(look, LAST_LOOK[tempo]);
  return () => clearTimeout(timer);
}

/**
 * Sound, for who asked for it.
 * @param {readonly import("../messages.d.ts").ToldEvent[]} events
 * @param {Room} room
 */
async function heard(events, room) {
  if (!storage.settings().sound || document.hidden) return;
  const { sound } = await import("../sound.js");
  sound(events, room.seat, TEMPO[room.view?.room.tempo ?? "normal"]);
}

/** @returns {KrigTable} */
export function makeTable() {
  const table = /** @type {KrigTable} */ (document.createElement("krig-table"));
  table.dataset["keys"] = storage.settings().keys;
  table.dataset["motion"] = document.documentElement.dataset["motion"] ?? "on";
  return table;
}

/**
 * Hand on what changed: told entries fly, anything else is there at once.
 * @param {KrigTable} table
 * @param {Here} here
 * @param {import("../state.js").State} state
 */
function showChange(table, here, state) {
  const { view } = state;
  if (view === null) return;
  const me = meIn(here);
  const played = state.told.filter((told) => told.view.table !== null);
  if (state.jumped && view.table !== null) table.show(view, me);
  for (const { events, view: after } of played) table.tell(events, after, me);
  if (!state.jumped && played.length === 0 && view.table !== null)
    table.tell([], view, me);
}

/**
 * Who looks at the table.
 * @param {Here} here
 */
function meIn({ room, second = room, wishes }) {
  return {
    seat: room.seat,
    watchers: room.state.watchers,
    online: [room, second].every(
      ({ status, state }) => status === "online" && !state.trouble,
    ),
    clockAhead: room.clockOffset,
    wishes: wishes.wantsSeat,
  };
}

/**
 * What the table asks for becomes commands.
 * @param {KrigTable} table
 * @param {Room} room
 * @param {AbortSignal} signal
 */
function connect(table, room, signal) {
  /** @param {string} type @param {(detail: any) => void} act */
  const on = (type, act) =>
    table.addEventListener(
      type,
      (event) => act(/** @type {CustomEvent} */ (event).detail),
      { signal },
    );
  on("krig-flip", () => room.flip());
  on("krig-auto", ({ on: auto }) => void room.auto(auto));
  on("krig-tempo", ({ tempo }) => void room.tempo(tempo));
  on("krig-pause", ({ on: pause }) => void room.pause(pause));
  on("krig-react", ({ reaction }) => room.react(reaction));
}

/**
 * @param {import("../messages.d.ts").Rules | undefined} rules
 * @param {number} players
 */
export async function showRules(rules, players) {
  (await import("./rules.js")).openRules(rules, players);
}

/** @param {Room} room */
function players(room) {
  return room.view?.table?.hands.length ?? 2;
}

/**
 * Where the browser lets us, the screen stays on.
 * @param {AbortSignal} signal
 */
async function keepAwake(signal) {
  try {
    const lock = await navigator.wakeLock.request("screen");
    if (signal.aborted) await lock.release();
    else signal.addEventListener("abort", () => void lock.release());
  } catch {
    // Plain http, an old browser, or a battery that is low.
  }
}

/**
 * The seats that this page may move to another device: its own, and for the owner those
 * whose players are away.
 * @param {Room} room
 */
export function movable(room) {
  const seats = room.view?.seats ?? [];
  return seats.flatMap((seat, i) => {
    const away = room.isOwner && seat?.kind === "human" && seat.state === "away";
    return i === room.seat || away ? [i] : [];
  });
}

/**
 * @param {Here} here
 * @param {number} seat
 */
export async function moveSeat(here, seat) {
  (await import("./handoff.js")).openHandOff(here, seat);
}

/** @param {Here} here */
export function openMenu(here) {
  const { app, room, second, code } = here;
  const { view } = room;
  if (view === null) return;
  const { paused, rules, wars_by_table: wars, tempo } = view.room;
  const seated = room.seat !== null;
  const leave = async () => {
    await room.leave();
    app.go("/");
  };
  openSheet(t("menu.room", { code }), (close) => {
    /** @param {string} key @param {() => void} act @param {import("../i18n.js").Params} [params] */
    const way = (key, act, params) =>
      make(
        "button",
        {
          type: "button",
          onclick: () => {
            close();
            act();
          },
        },
        t(key, params),
      );
    return [
      seated && make("p", { class: "strong small" }, t("lobby.tempo")),
      seated && tempoChoice(room),
      seated && switchOf(t("menu.wars"), wars, (on) => void room.tempo(tempo, on)),
      make(
        "div",
        { class: "list" },
        seated &&
          (paused
            ? way("menu.resume", () => void room.pause(false))
            : way("menu.pause", () => void room.pause(true))),
        way("menu.invite", () => openInvite(code)),
        // One of two on a screen cannot go: the other's page would go with them.
        ...(second ? [] : movable(room)).map((seat) => {
          const name = view.seats[seat]?.name ?? "";
          const mine = seat === room.seat;
          const key = mine ? "menu.handoff" : "menu.handoff.of";
          return way(key, () => void moveSeat(here, seat), { name });
        }),
        way("menu.rules", () => void showRules(rules, players(room))),
        way("menu.settings", () => openSettings(app, room)),
        way(seated ? "menu.home" : "action.home", () => app.go("/")),
        seated &&
          way("menu.leave", () =>
            confirmFirst(
              t("menu.leave"),
              t("menu.leave.ask"),
              t("menu.leave.yes"),
              () => void leave(),
            ),
          ),
      ),
    ];
  });
}
