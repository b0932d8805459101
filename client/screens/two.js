/** Two on one screen: two seats, two secrets, two sockets, one table. */

import { sentenceOf } from "../api.js";
import { browser, socketUrl } from "../browser.js";
import { make, swap } from "../dom.js";
import { onLanguage, t } from "../i18n.js";
import { Room } from "../room.js";
import { untold } from "../state.js";
import * as storage from "../storage.js";
import { contactBanner, loading, stopped } from "./contact.js";
import { end } from "./end.js";
import { afterLastLook, furnish, makeTable } from "./play.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").Screen} Screen */

/**
 * @param {App} app
 * @param {string} code
 * @returns {Screen}
 */
export function twoOnOne(app, code) {
  const live = new AbortController();
  const { signal } = live;
  const at = { code, url: socketUrl(), around: browser, sits: true };
  const below = new Room({ ...at, who: "first" }).open();
  const above = new Room({ ...at, who: "second" }).open();
  const rooms = [below, above];
  const table = makeTable();
  const played = make("main", { class: "play" }, table);
  const banner = contactBanner(app);
  const root = make("div", { class: "room" });
  const here = {
    app,
    room: below,
    second: above,
    code,
    wishes: { wantsSeat: false },
    toLobby: () => app.go("/"),
  };
  /** @type {import("./room.js").Part | null} */
  let over = null;
  let seen = 0;
  let stopLook = () => {};
  const waits = loading(app).root;
  /** The line that the server closed, and the screen that says why.
   * @type {{room: Room, root: HTMLElement} | null} */
  let gone = null;

  const show = () => {
    const screen = gone?.root ?? over?.root ?? (seen === 0 ? waits : played);
    if (screen !== root.lastElementChild) swap(root, banner.root, screen);
  };
  const ways = {
    playHere: () => rooms.filter(isStopped).forEach((room) => room.playHere()),
    watch() {
      storage.forgetRoom(code);
      app.go(`/r/${code}?watch`);
    },
  };
  const status = () => {
    banner.follow(rooms);
    const room = rooms.find(isStopped);
    if (room === undefined) gone = null;
    else if (room !== gone?.room) gone = { room, root: stopped(here, room, ways).root };
    show();
    const still = untold(below.state);
    heed(still);
    over?.update(still, still);
  };

  let starts = false;
  const playOn = async () => {
    if (starts) return;
    starts = true;
    await below.ready(true);
    await above.ready(true);
    await below.start();
    starts = false;
  };
  const heed = furnish(here, table, played, signal);
  const endNow = () => {
    over?.close();
    over = end(here, () => void playOn());
    show();
  };
  table.addEventListener(
    "krig-flip",
    (event) => {
      const { seat } = /** @type {CustomEvent} */ (event).detail;
      if (seat === above.seat) {
        event.stopImmediatePropagation();
        above.flip();
      }
    },
    { signal, capture: true },
  );
  below.addEventListener(
    "change",
    () => {
      const { view } = below;
      if (view === null) return;
      if (view.table !== null) {
        stopLook();
        seen = view.room.game;
        over?.close();
        over = null;
        show();
        table.second = { seat: above.seat ?? 1 };
        heed(below.state);
      } else if (view.last !== null && over === null) {
        stopLook();
        if (view.last.game !== seen) endNow();
        else stopLook = afterLastLook(() => table.playing, view.room.tempo, endNow);
      } else over?.update(below.state, below.state);
    },
    { signal },
  );
  for (const room of rooms) listen(app, room, status, signal);
  onLanguage(() => over && endNow(), signal);
  show();
  const sitDown = async () => {
    await below.until((state) => state.view !== null);
    if (below.view?.room.phase !== "lobby") return;
    await below.sit(t("two.bottom"), 0);
    await below.until(() => below.seat !== null);
    await above.sit(t("two.top"), 1);
    await above.until(() => above.seat !== null && below.view?.seats[1] != null);
    if (below.view?.last == null) await playOn();
  };
  sitDown().catch(() => {});
  return {
    root,
    close() {
      live.abort();
      stopLook();
      over?.close();
      banner.close();
      below.close();
      above.close();
    },
  };
}

/** @param {Room} room */
function isStopped({ status }) {
  return status === "stopped";
}

/**
 * What either line says of itself.
 * @param {App} app
 * @param {Room} room
 * @param {() => void} status is to be shown anew
 * @param {AbortSignal} signal
 */
function listen(app, room, status, signal) {
  room.addEventListener("status", status, { signal });
  room.addEventListener(
    "change",
    (event) => {
      const { before, state } = /** @type {CustomEvent} */ (event).detail;
      if (before.trouble !== state.trouble) status();
    },
    { signal },
  );
  room.addEventListener(
    "refused",
    (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      if (detail.code !== "no_such_room") app.toast(sentenceOf(detail)); // 4510 says it.
    },
    { signal },
  );
}
