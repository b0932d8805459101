/** In a room: lobby, table or end, whichever the room's state calls for. */

import { browser, socketUrl } from "../browser.js";
import { sentenceOf } from "../api.js";
import { make, swap } from "../dom.js";
import { onLanguage } from "../i18n.js";
import { Room } from "../room.js";
import { newsOf } from "../say.js";
import { untold } from "../state.js";
import * as storage from "../storage.js";
import { contactBanner, loading, stopped } from "./contact.js";
import { end } from "./end.js";
import { learnLink } from "./invite.js";
import { isAsked, lobby } from "./lobby.js";
import { suggestedName } from "./name.js";
import { afterLastLook, play } from "./play.js";
import { sitAndReady, sitUnder } from "./sit.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").Screen} Screen */
/** @typedef {import("../state.js").State} State */

/**
 * A part of the room's screen; it is told of every change. `playing`: whether something is
 * still being shown.
 * @typedef {Screen & {update: (before: State, state: State) => void, playing?: () => boolean}} Part
 */

/**
 * What the parts share.
 * @typedef {object} Here
 * @property {App} app
 * @property {Room} room
 * @property {Room} [second] the other player's, where two play on one screen
 * @property {string} code
 * @property {() => void} toLobby put the end screen away
 * @property {{wantsSeat: boolean, name?: string}} wishes
 */

/** @typedef {"loading" | "stopped" | "lobby" | "play" | "end"} Stage */

/**
 * @param {string} code
 * @param {object} how
 * @param {boolean} [how.watch] only watch
 * @param {boolean} [how.sits] a seat will be asked for
 * @returns {Room}
 */
export function connectTo(code, { watch = false, sits = false }) {
  return new Room({ code, url: socketUrl(), around: browser, watch, sits }).open();
}

/**
 * @param {App} app
 * @param {string} code
 * @param {object} [how]
 * @param {boolean} [how.watch] only watch
 * @param {string} [how.sit] sit down under this name and be ready
 * @param {boolean} [how.host] sit down as the first
 * @param {Room} [how.room] a room that is connected already
 * @returns {Screen}
 */
export function enterRoom(app, code, how = {}) {
  const live = new AbortController();
  const { signal } = live;
  const root = make("div", { class: "room" });
  const banner = contactBanner(app);
  const watch = how.watch ?? false;
  const sits = how.host === true || how.sit !== undefined;
  const room = how.room ?? connectTo(code, { watch, sits });
  /** The game whose table this page has shown. */
  let seen = 0;
  /** @type {Stage | null} */
  let stage = null;
  /** @type {Part | null} */
  let part = null;
  /** Stops what waits for the end. @type {(() => void) | null} */
  let ending = null;

  /** @type {Here} */
  const here = {
    app,
    room,
    code,
    wishes: { wantsSeat: how.sit !== undefined, name: how.sit ?? "" },
    toLobby() {
      storage.changeRoom(code, { dismissed: room.view?.last?.game ?? 0 });
      turnTo("lobby");
    },
  };

  /** @param {Stage} next */
  const turnTo = (next) => {
    ending?.();
    ending = null;
    stage = next;
    part?.close();
    part = partFor(next, here);
    swap(root, banner.root, part.root);
  };

  /** @param {State} before @param {State} state */
  const follow = (before, state) => {
    const view = state.view;
    if (view !== null && view.table !== null) seen = view.room.game;
    const next = stageOf(room, stage, seen);
    if (next === stage) part?.update(before, state);
    else if (stage === "play" && (next === "end" || next === "lobby")) {
      part?.update(before, state);
      const tempo = view?.room.tempo ?? "normal";
      const turn = () => turnTo(stageOf(room, "end", seen));
      if (state.jumped) turn();
      else ending ??= afterLastLook(() => part?.playing?.() ?? false, tempo, turn);
    } else turnTo(next);
    const news = state.told.flatMap(({ events }) =>
      events.filter(
        (event) =>
          event.type !== "ready_cleared" ||
          (!room.staysReady(events) && isAsked(event.why, before, room.seat)),
      ),
    );
    const said = news.map(
      (event) => before.view && newsOf(event, before.view, room.seat),
    );
    // One after the other: what is said in the same moment is only heard of the last.
    const text = said.filter(Boolean).join(" ");
    if (text) app.announce(text);
    if (here.wishes.wantsSeat && view?.room.phase === "lobby") {
      here.wishes.wantsSeat = false;
      if (room.seat === null)
        void sitAndReady(room, here.wishes.name || suggestedName());
    }
  };

  const status = () => {
    banner.follow([room]);
    if (room.status === "stopped") return turnTo("stopped");
    if (stage === "stopped") turnTo(stageOf(room, null, seen));
    const still = untold(room.state);
    part?.update(still, still);
  };

  room.addEventListener(
    "change",
    (event) => {
      const { before, state } = /** @type {CustomEvent} */ (event).detail;
      if (before.trouble !== state.trouble) status();
      follow(before, state);
    },
    { signal },
  );
  room.addEventListener("status", status, { signal });
  room.addEventListener(
    "refused",
    (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      // 4510 says the one, the sheet that asks for a name the other.
      if (!["no_such_room", "invalid_name"].includes(detail.code))
        app.toast(sentenceOf(detail));
    },
    { signal },
  );
  onLanguage(() => stage !== null && stage !== "play" && turnTo(stage), signal);
  turnTo(stageOf(room, null, seen));
  follow(room.state, untold(room.state));
  void learnLink(code).then((isNews) => isNews && !signal.aborted && status());
  if (how.host) void sitUnder(room);
  return {
    root,
    close() {
      live.abort();
      ending?.();
      banner.close();
      part?.close();
      room.close();
    },
  };
}

/**
 * @param {Room} room
 * @param {Stage | null} now
 * @param {number} seen the last game whose table was shown
 * @returns {Stage}
 */
function stageOf(room, now, seen) {
  const { view } = room;
  if (room.status === "stopped") return "stopped";
  if (view === null) return "loading";
  if (view.table !== null) return "play";
  if (view.room.phase === "dealing" && (now === "lobby" || now === "end")) return now;
  const { last } = view;
  const mine =
    last !== null &&
    room.state.player !== null &&
    last.players.includes(room.state.player);
  const fresh = last !== null && last.game > storage.room(room.code).dismissed;
  return fresh && last !== null && (mine || seen === last.game) ? "end" : "lobby";
}

/**
 * @param {Stage} stage
 * @param {Here} here
 * @returns {Part}
 */
function partFor(stage, here) {
  if (stage === "lobby") return lobby(here);
  if (stage === "play") return play(here);
  if (stage === "end") return end(here);
  if (stage === "loading") return loading(here.app);
  const { room } = here;
  const ways = { playHere: () => room.playHere(), watch: () => room.watchOnly() };
  return stopped(here, room, ways);
}
