/** Two on one screen: two seats, two secrets, two sockets, one table. */

import { sentenceOf } from "../api.js";
import { browser, socketUrl } from "../browser.js";
import { make, swap } from "../dom.js";
import { t } from "../i18n.js";
import { Room } from "../room.js";
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
  const table = makeTable();
  const played = make("main", { class: "play" }, table);
  const root = make("div", {}, played);
  const here = {
    app,
    room: below,
    code,
    wishes: { wantsSeat: false },
    toLobby: () => app.go("/"),
  };
  /** @type {import("./room.js").Part | null} */
  let over = null;
  let seen = 0;
  let stopLook = () => {};

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
    over = end(here, () => void playOn());
    swap(root, over.root);
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
        if (over !== null) swap(root, played);
        over?.close();
        over = null;
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
  for (const room of [below, above]) {
    room.addEventListener(
      "refused",
      (event) => app.toast(sentenceOf(/** @type {CustomEvent} */ (event).detail)),
      { signal },
    );
  }
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
      below.close();
      above.close();
    },
  };
}
