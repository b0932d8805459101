/** The lobby: who is here, what is played, and one big button that says what to do. */

import { make, refill } from "../dom.js";
import { parseCode } from "../gamecode.js";
import { listOf, t } from "../i18n.js";
import { presetName, ruleLine } from "../house.js";
import { onlySat } from "../room.js";
import { houseRules, tempoChoice } from "./house.js";
import { invitePanel, shareLink } from "./invite.js";
import { suggestedName } from "./name.js";
import { moveSeat, showRules } from "./play.js";
import { seatList } from "./seats.js";
import { openSettings, switchOf } from "./settings.js";
import { sitAndReady } from "./sit.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */
/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../state.js").State} State */

const NOBODY_AFTER = 20_000;

/**
 * @param {Here} here
 * @returns {Part}
 */
export function lobby(here) {
  const { app, room, code } = here;
  const main = make("main");
  const footer = make("footer");
  const house = houseRules(room, () => draw());
  const root = make(
    "div",
    { class: "screen" },
    make(
      "header",
      {},
      make(
        "button",
        {
          class: "icon plain",
          type: "button",
          "aria-label": t("action.home"),
          onclick: () => app.go("/"),
        },
        "←",
      ),
      make("h1", {}, t("lobby.title")),
      make(
        "button",
        {
          class: "icon plain",
          type: "button",
          "aria-label": t("settings.title"),
          "data-key": "settings",
          onclick: () => openSettings(app, room),
        },
        "⚙",
      ),
    ),
    main,
    footer,
  );
  const heed = noticeOf(room);
  let notice = "";
  let alone = false;

  const draw = () => {
    const { view } = room;
    if (view === null) return;
    refill(
      main,
      notice && make("p", { class: "panel notice" }, notice),
      invitePanel(code),
      seatList(here, view),
      alone && countTaken(view) < 2 && nobody(),
      rulesPanel(here, view, house),
      morePanel(here, view),
    );
    refill(footer, ...bigButton(here, view));
  };
  const timer = setTimeout(() => {
    alone = true;
    draw();
  }, NOBODY_AFTER);
  draw();
  return {
    root,
    close() {
      clearTimeout(timer);
      house.close();
    },
    update(before, state) {
      notice = heed(before, state);
      draw();
      house.update();
    },
  };
}

/**
 * Why everybody's *ready* was taken back, for as long as that is news.
 * @param {import("../room.js").Room} room
 * @returns {(before: State, state: State) => string} to be told of every change
 */
export function noticeOf(room) {
  let notice = "";
  /** The notice says that I am ready still, so it stays when I am. */
  let kept = false;
  return (before, state) => {
    for (const { events } of state.told) {
      for (const event of events) {
        if (event.type === "dealt") notice = "";
        if (event.type !== "ready_cleared") continue;
        kept = room.staysReady(events);
        if (!kept && !isAsked(event.why, before, room.seat)) continue;
        notice = kept
          ? t("lobby.cleared.again", { name: onlySat(events) ?? "" })
          : t(`lobby.cleared.${event.why}`);
      }
    }
    const seat = room.seat;
    if (!kept && seat !== null && room.view?.seats[seat]?.ready) notice = "";
    return notice;
  };
}

/**
 * Whether a player is to say again that they are ready: of a watcher nobody asks it, and
 * of who had not said it only when the rules are others.
 * @param {"rules" | "seats"} why
 * @param {State} before
 * @param {number | null} seat
 */
export function isAsked(why, before, seat) {
  const was = seat !== null && before.view?.seats[seat]?.ready;
  return seat !== null && (why === "rules" || was === true);
}

/** @param {View} view */
function countTaken(view) {
  return view.seats.filter((seat) => seat !== null).length;
}

function nobody() {
  return make(
    "section",
    { class: "panel" },
    make("h2", {}, t("lobby.nobody")),
    make(
      "ul",
      { class: "steps small" },
      ...["wifi", "guest", "firewall"].map((why) =>
        make("li", {}, t(`lobby.nobody.${why}`)),
      ),
    ),
  );
}

/**
 * @param {Here} here
 * @param {View} view
 * @param {ReturnType<typeof houseRules>} house
 */
function rulesPanel({ room }, view, house) {
  const { rules, preset, game_code: code } = view.room;
  const players = Math.max(2, countTaken(view));
  const key = room.isOwner ? "lobby.rules.change" : "lobby.rules";
  return make(
    "section",
    { class: "panel stack" },
    make("h2", {}, presetName(preset, house.altered())),
    make("p", { class: "small soft" }, lineOf(view)),
    code !== null && make("p", { class: "small strong" }, knownText(code, players)),
    make(
      "div",
      { class: "row" },
      make(
        "button",
        { type: "button", "data-key": "house", onclick: house.open },
        t(key),
      ),
      make(
        "button",
        {
          type: "button",
          "data-key": "read",
          onclick: () => void showRules(rules, players),
        },
        t("lobby.rules.read"),
      ),
    ),
    room.seat !== null && make("p", { class: "strong small" }, t("lobby.tempo")),
    room.seat !== null && tempoChoice(room),
  );
}

/**
 * What will be played, by as many as sit here.
 * @param {View} view
 */
export function lineOf(view) {
  const { rules, tempo } = view.room;
  return ruleLine(rules, tempo, Math.max(2, countTaken(view)));
}

/**
 * That the deal is no secret, and for how many it is.
 * @param {string} code
 * @param {number} players
 */
function knownText(code, players) {
  const { players: n } = parseCode(code);
  const text = t("lobby.known", { code });
  return n === players ? text : `${text} ${t("lobby.known.players", { n })}`;
}

/**
 * @param {Here} here
 * @param {View} view
 */
function morePanel(here, view) {
  const { app, room, code } = here;
  const mine = room.seat;
  const leave = async () => {
    await room.leave();
    app.go("/");
  };
  return make(
    "section",
    { class: "stack" },
    make(
      "div",
      { class: "row" },
      make("span", { class: "grow soft small" }, t("lobby.watch.link")),
      shareLink(code, true),
    ),
    room.isOwner &&
      switchOf(
        t("lobby.close"),
        view.room.closed,
        (on) => void room.ask({ type: "close", on }),
      ),
    mine !== null &&
      make(
        "button",
        {
          type: "button",
          "data-key": "move",
          class: "plain soft",
          onclick: () => void moveSeat(here, mine),
        },
        t("menu.handoff"),
      ),
    mine !== null &&
      make(
        "button",
        {
          type: "button",
          "data-key": "leave",
          class: "plain soft",
          onclick: () => void leave(),
        },
        t("lobby.leave"),
      ),
  );
}

/**
 * What to do now, as one button, and what to take back.
 * @param {Here} here
 * @param {View} view
 * @returns {HTMLElement[]}
 */
export function bigButton(here, view) {
  const { room } = here;
  /** @param {string} text @param {(() => void) | null} [act] */
  const big = (text, act = null) =>
    make(
      "button",
      {
        class: "big",
        type: "button",
        "data-key": "big",
        disabled: act === null,
        onclick: () => act?.(),
      },
      text,
    );
  const seat = room.seat;
  if (view.room.phase !== "lobby") return [big(t("lobby.dealing"))];
  if (seat === null) {
    if (!view.seats.includes(null)) return [big(t("lobby.watching"))];
    return [big(t("lobby.play"), () => void sitAndReady(room, suggestedName()))];
  }
  const waiting = view.seats.filter(
    (other, i) => other !== null && !other.ready && i !== seat,
  );
  const ready = view.seats[seat]?.ready ?? false;
  const names = listOf(waiting.map((other) => other?.name ?? ""));
  const unready = () => void room.ready(false);
  const back = make(
    "button",
    { type: "button", class: "plain", "data-key": "unready", onclick: unready },
    t("lobby.unready"),
  );
  if (countTaken(view) < 2) return [big(t("lobby.wait.others"))];
  const few = view.room.rules["teams"] === true && view.seats.includes(null);
  if (room.isOwner && waiting.length === 0)
    return few
      ? [big(t("lobby.wait.teams"))]
      : [big(t("lobby.start"), () => void readyAndStart(here))];
  if (!ready) return [big(t("lobby.be_ready"), () => void room.ready(true))];
  const owner =
    view.seats.find((other) => other?.player === view.room.owner)?.name ?? "";
  const text =
    (few && t("lobby.wait.teams")) ||
    (waiting.length > 0
      ? t("lobby.wait.players", { names })
      : t("lobby.wait.owner", { name: owner }));
  return [big(text), back];
}

/** @param {Here} here */
async function readyAndStart({ room }) {
  const seat = room.seat;
  if (seat !== null && !room.view?.seats[seat]?.ready) {
    const answer = await room.ready(true);
    if (!answer.ok) return;
  }
  await room.start();
}
