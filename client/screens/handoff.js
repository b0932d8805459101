/** A seat moves to another device: the code and its QR here, the taking over there. */

import { drawHandOff, sentenceOf } from "../api.js";
import { browser, socketUrl } from "../browser.js";
import { draw, make, refill } from "../dom.js";
import { onLanguage, t } from "../i18n.js";
import { Room } from "../room.js";
import * as storage from "../storage.js";
import { clockText } from "../table/say.js";
import { codeIn } from "./join.js";
import { enterRoom } from "./room.js";
import { copyButton } from "./share.js";
import { askForCode, openSheet } from "./sheet.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").Screen} Screen */
/** @typedef {import("./room.js").Here} Here */

const QUIET_ZONE = 4;

/**
 * Show the one-time code of a seat.
 * @param {Here} here
 * @param {number} seat
 */
export function openHandOff({ room, code }, seat) {
  const live = new AbortController();
  const { signal } = live;
  const body = make("div", { class: "stack" });
  const mine = seat === room.seat;
  const name = room.view?.seats[seat]?.name ?? "";
  const left = make("p", { class: "soft", role: "timer" });
  let until = 0;

  const ask = async () => {
    refill(body, make("p", { role: "status" }, t("table.moment")));
    const answer = await room.ask({ type: "offer", seat });
    if (!answer.ok)
      refill(body, make("p", { role: "alert" }, sentenceOf(answer.error)));
  };
  /** @param {{seat: number, code: string, for_ms: number}} offered */
  const show = async (offered) => {
    if (offered.seat !== seat) return;
    until = Date.now() + offered.for_ms;
    const drawing = await drawHandOff(code, offered.code).catch(() => null);
    if (signal.aborted) return;
    const link = drawing?.link ?? `${location.origin}/r/${code}#claim=${offered.code}`;
    refill(
      body,
      make("p", {}, t(mine ? "handoff.scan" : "handoff.scan.of", { name })),
      drawing && qr(drawing),
      make("p", { class: "soft small" }, t("handoff.code")),
      make("p", { class: "game-code" }, grouped(offered.code)),
      left,
      copyButton("copy", () => link),
    );
    tick();
  };
  const tick = () => {
    const ms = until - Date.now();
    if (until === 0) return;
    left.textContent = t("handoff.left", { time: clockText(ms) });
    if (ms > 0) return;
    until = 0;
    refill(
      body,
      make("p", {}, t("handoff.over")),
      make(
        "button",
        { type: "button", class: "big", onclick: () => void ask() },
        t("handoff.again"),
      ),
    );
  };
  const timer = setInterval(tick, 1000);
  room.addEventListener(
    "offered",
    (event) => void show(/** @type {CustomEvent} */ (event).detail),
    { signal },
  );
  const sheet = openSheet(t("handoff.title"), () => [body]);
  sheet.addEventListener("close", () => {
    live.abort();
    clearInterval(timer);
  });
  room.addEventListener("status", () => room.status === "stopped" && sheet.close(), {
    signal,
  });
  room.addEventListener("closed", () => sheet.close(), { signal });
  void ask();
}

/** @param {string} code eight letters, as they are read out */
function grouped(code) {
  return `${code.slice(0, 4)} ${code.slice(4)}`.trim();
}

/** @param {{size: number, path: string}} drawing */
function qr({ size, path }) {
  const side = size + 2 * QUIET_ZONE;
  return make(
    "div",
    { class: "qr large" },
    draw(
      "svg",
      {
        viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`,
        role: "img",
        "aria-label": t("handoff.qr"),
        "shape-rendering": "crispEdges",
      },
      draw("path", { d: path }),
    ),
  );
}

/**
 * The page that a moving code opens on the new device. It asks first, so that nothing that
 * only looks at the link uses the code up.
 * @param {App} app
 * @param {string} code the room's
 * @param {string} claim the one-time code
 * @returns {Screen}
 */
export function takeOver(app, code, claim) {
  const live = new AbortController();
  const main = make("main", { class: "loading" });
  const root = make("div", { class: "screen" }, main);
  let wrong = "";
  let busy = false;

  const go = async () => {
    busy = true;
    wrong = "";
    show();
    const kept = storage.room(code);
    const room = freshRoom(code);
    const answer = await room.ask({ type: "claim", code: claim });
    const seated =
      answer.ok && (await room.until(() => room.seat !== null).catch(() => null));
    if (live.signal.aborted) return room.close();
    if (seated) return app.goTo(`/r/${code}`, enterRoom(app, code, { room }));
    room.close();
    // The code was no good: whatever seat this device had here it still has.
    if (kept.at > 0) storage.changeRoom(code, kept);
    else storage.forgetRoom(code);
    busy = false;
    wrong = answer.ok ? t("error.no_such_offer") : sentenceOf(answer.error);
    show();
  };
  const show = () =>
    refill(
      main,
      make("h1", {}, t("claim.title")),
      make("p", {}, busy ? t("claim.wait") : t("claim.text", { code })),
      wrong !== "" && make("p", { class: "panel notice", role: "alert" }, wrong),
      make(
        "button",
        { type: "button", class: "big", "data-key": "go", disabled: busy, onclick: go },
        t("claim.go"),
      ),
      make(
        "button",
        { type: "button", "data-key": "home", onclick: () => app.go("/") },
        t("action.home"),
      ),
    );
  onLanguage(show, live.signal);
  show();
  return { root, close: () => live.abort() };
}

/**
 * A line to the room with a token that nobody has used.
 * @param {string} code
 */
function freshRoom(code) {
  storage.forgetRoom(code);
  return new Room({ code, url: socketUrl(), around: browser, sits: true }).open();
}

/**
 * Where somebody has only the code, and no link.
 * @param {App} app
 * @param {string} room
 */
export function openClaim(app, room) {
  const title = t("claim.title");
  const words = { title, label: t("handoff.code"), go: title };
  askForCode(words, (field, wrong, close) => {
    const claim = codeIn(field.value);
    wrong.textContent = claim === null ? t("error.no_such_offer") : "";
    if (claim === null) return;
    close();
    app.goTo(`/r/${room}`, takeOver(app, room, claim));
  });
}
