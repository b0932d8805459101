/** The line to the server as a person sees it: away for a while, or closed for good. */

import { make } from "../dom.js";
import { maybeT, t } from "../i18n.js";
import * as storage from "../storage.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */

const BANNER_AFTER = 1500;

/**
 * A banner that says so when the server has not been there for a while, or cannot store.
 * @param {App} app
 */
export function contactBanner(app) {
  const root = make("p", { class: "banner", role: "alert", hidden: true });
  let timer = 0;
  return {
    root,
    /** @param {readonly Room[]} rooms every line that the page plays by */
    follow(rooms) {
      clearTimeout(timer);
      const lost = rooms.some(({ status }) => status !== "online");
      const over = rooms.some(({ status }) => status === "stopped");
      const known = rooms.every(({ view }) => view !== null);
      if (!lost && !root.hidden && known) app.announce(t("say.online"));
      if (!lost) root.hidden = !rooms.some(({ state }) => state.trouble);
      else if (over)
        root.hidden = true; // The screen says why.
      else timer = setTimeout(() => (root.hidden = false), BANNER_AFTER);
      root.textContent = t(lost ? "over.offline" : "over.trouble");
    },
    close: () => clearTimeout(timer),
  };
}

/**
 * Until the server has told what is in the room.
 * @param {App} app
 * @returns {Part}
 */
export function loading(app) {
  const home = make(
    "button",
    { type: "button", onclick: () => app.go("/") },
    t("action.home"),
  );
  const text = make("p", { role: "status" }, t("over.loading"));
  return page(text, home);
}

/**
 * The server told us not to come back: why, and what can be done.
 * @param {Here} here
 * @param {Room} room whose line it closed
 * @param {object} ways
 * @param {() => void} ways.playHere come back
 * @param {() => void} ways.watch go on without a seat
 * @returns {Part}
 */
export function stopped({ app, code }, room, { playHere, watch }) {
  const { reason } = room;
  const moved = reason === 4502 && room.gaveAway;
  const closed = reason === 4505 && room.watches;
  if (moved || reason === 4510) storage.forgetRoom(code);
  const join = async () => (await import("./join.js")).openJoin(app, room.watches);
  /** @type {[string, boolean, () => void][]} */
  const ways = [
    ["stop.here", reason === 4502 && !moved, playHere],
    ["stop.reload", reason === 4500, () => location.reload()],
    ["stop.watch", moved || reason === 4501 || reason === 4504, watch],
    ["stop.door", closed, () => app.go(`/r/${code}`)],
    ["action.retry", reason === 4505, playHere],
    ["home.join", reason === 4510, () => void join()],
    ["action.home", true, () => app.go("/")],
  ];
  const buttons = ways
    .filter(([, open]) => open)
    .map(([key, , act], i) =>
      make(
        "button",
        { type: "button", class: i === 0 ? "big" : "", onclick: act },
        t(key),
      ),
    );
  const why =
    (moved && t("stop.moved")) ||
    (closed && t("arrive.closed")) ||
    (maybeT(`stop.${reason}`) ?? t("stop.other", { code: reason }));
  return page(make("h1", {}, why), ...buttons);
}

/**
 * @param {...HTMLElement} insides
 * @returns {Part}
 */
function page(...insides) {
  const main = make("main", { class: "loading" }, ...insides);
  const root = make("div", { class: "screen" }, main);
  return { root, close: () => {}, update: () => {} };
}
