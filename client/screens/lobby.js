/** The lobby: who is here, what is played, and one big button that says what to do. */

import { make, refill } from "../dom.js";
import { parseCode } from "../gamecode.js";
import { listOf, t } from "../i18n.js";
import { icon } from "../icons.js";
import { presetName, ruleLine } from "../house.js";
import { onlySat } from "../room.js";
import * as storage from "../storage.js";
import { houseRules, tempoChoice } from "./house.js";
import { invitePanel, openInvite, shareButton } from "./invite.js";
import { nameField, suggestedName } from "./name.js";
import { movable, moveSeat, showRules } from "./play.js";
import { openSettings, switchOf } from "./settings.js";
import { confirmFirst, openSheet } from "./sheet.js";
import { freeName, sitAndReady } from "./sit.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */
/** @typedef {import("../messages.d.ts").SeatView} SeatView */
/** @typedef {import("../messages.d.ts").View} View */

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
          onclick: () => openSettings(app),
        },
        "⚙",
      ),
    ),
    main,
    footer,
  );
  let notice = "";
  /** The notice says that I am ready still, so it stays when I am. */
  let kept = false;
  let alone = false;

  const draw = () => {
    const { view } = room;
    if (view === null) return;
    refill(
      main,
      notice !== "" && make("p", { class: "panel notice" }, notice),
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
      for (const { events } of state.told) {
        for (const event of events) {
          if (event.type === "dealt") notice = "";
          if (event.type !== "ready_cleared") continue;
          kept = room.staysReady(events);
          const was = before.view?.seats[room.seat ?? -1]?.ready ?? false;
          if (event.why === "seats" && !kept && !was) continue; // Nothing was taken back.
          notice = kept
            ? t("lobby.cleared.again", { name: onlySat(events) ?? "" })
            : t(`lobby.cleared.${event.why}`);
        }
      }
      const seat = room.seat;
      if (!kept && seat !== null && room.view?.seats[seat]?.ready) notice = "";
      draw();
      house.update();
    },
  };
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
 */
function seatList(here, view) {
  return make(
    "ul",
    { class: "seats", "aria-label": t("lobby.seats") },
    ...view.seats.map((seat, i) =>
      seat === null ? freeSeat(here, view, i) : takenSeat(here, view, seat, i),
    ),
  );
}

/**
 * @param {Here} here
 * @param {View} view
 * @param {number} i
 */
function freeSeat({ room, code }, view, i) {
  const open = view.room.phase === "lobby";
  return make(
    "li",
    { class: `seat free seat-${i}` },
    make("span", { class: "who soft" }, t("lobby.free")),
    open &&
      room.seat === null &&
      make(
        "button",
        {
          type: "button",
          "data-key": `sit-${i}`,
          onclick: () => void room.sit(freeName(view.seats), i),
        },
        t("lobby.sit"),
      ),
    room.seat !== null &&
      make(
        "button",
        { type: "button", "data-key": `invite-${i}`, onclick: () => openInvite(code) },
        t("lobby.invite"),
      ),
    open &&
      room.isOwner &&
      make(
        "button",
        {
          type: "button",
          "data-key": `bot-${i}`,
          onclick: () => void room.ask({ type: "bot", seat: i, on: true }),
        },
        t("lobby.bot.add"),
      ),
  );
}

/**
 * @param {Here} here
 * @param {View} view
 * @param {SeatView} seat
 * @param {number} i
 */
function takenSeat(here, view, seat, i) {
  const { room } = here;
  const mine = i === room.seat;
  const isOwner = seat.player === view.room.owner;
  const { name } = seat;
  const state =
    (seat.kind === "bot" && t("lobby.bot")) ||
    (seat.state === "away" && t("lobby.away")) ||
    (seat.ready ? `✓ ${t("lobby.ready")}` : t("lobby.waiting"));
  const notes = [mine ? t("lobby.you") : "", isOwner ? t("lobby.owner") : ""].filter(
    (note) => note !== "",
  );
  const remove = () => {
    if (seat.kind === "bot") void room.ask({ type: "bot", seat: i, on: false });
    else {
      const kick = () => void room.ask({ type: "kick", seat: i, player: seat.player });
      confirmFirst(
        t("lobby.kick", { name }),
        t("lobby.kick.ask", { name }),
        t("lobby.kick.yes"),
        kick,
      );
    }
  };
  const removing =
    seat.kind === "bot" ? t("lobby.bot.remove", { name }) : t("lobby.kick", { name });
  return make(
    "li",
    { class: `seat seat-${i}` },
    make(
      "div",
      { class: "who" },
      make(
        "p",
        { class: "name", dir: "auto" },
        name,
        notes.length > 0 && ` (${notes.join(", ")})`,
      ),
      make("p", { class: seat.ready ? "state on" : "state" }, state),
    ),
    mine &&
      make(
        "button",
        {
          class: "icon",
          type: "button",
          "data-key": "rename",
          "aria-label": t("lobby.rename"),
          onclick: () => openRename(room, name),
        },
        "✎",
      ),
    !mine &&
      movable(room).includes(i) &&
      make(
        "button",
        {
          class: "icon",
          type: "button",
          "data-key": `move-${i}`,
          "aria-label": t("menu.handoff.of", { name }),
          onclick: () => void moveSeat(here, i),
        },
        icon("join"),
      ),
    !mine &&
      room.isOwner &&
      view.room.phase === "lobby" &&
      make(
        "button",
        {
          class: "icon",
          type: "button",
          "data-key": `remove-${i}`,
          "aria-label": removing,
          onclick: remove,
        },
        "✕",
      ),
  );
}

/**
 * @param {import("../room.js").Room} room
 * @param {string} name
 */
function openRename(room, name) {
  openSheet(t("lobby.rename"), (close) => {
    const field = nameField(name);
    const form = make(
      "form",
      { class: "stack" },
      make("label", {}, t("name.label"), field),
      make("button", { class: "big", type: "submit" }, t("lobby.rename.go")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      close();
      storage.keepName(field.value.trim());
      void room.ask({ type: "name", name: field.value.trim() });
    });
    return [form];
  });
}

/**
 * @param {Here} here
 * @param {View} view
 * @param {ReturnType<typeof houseRules>} house
 */
function rulesPanel({ room }, view, house) {
  const { rules, preset, tempo, game_code: code } = view.room;
  const players = Math.max(2, countTaken(view));
  const key = room.isOwner ? "lobby.rules.change" : "lobby.rules";
  return make(
    "section",
    { class: "panel stack" },
    make("h2", {}, presetName(preset, house.altered())),
    make("p", { class: "small soft" }, ruleLine(rules, tempo, players)),
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
      shareButton(code, true),
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
  if (room.isOwner && waiting.length === 0)
    return [big(t("lobby.start"), () => void readyAndStart(here))];
  if (!ready) return [big(t("lobby.be_ready"), () => void room.ready(true))];
  const owner =
    view.seats.find((other) => other?.player === view.room.owner)?.name ?? "";
  const text =
    waiting.length > 0
      ? t("lobby.wait.players", { names })
      : t("lobby.wait.owner", { name: owner });
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
