/** The seats in the lobby: who sits where, who is ready, and what may be done about it. */

import { make } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import * as storage from "../storage.js";
import { teamOf } from "../table/say.js";
import { openInvite } from "./invite.js";
import { suggestedName } from "./name.js";
import { movable, moveSeat } from "./play.js";
import { confirmFirst } from "./sheet.js";
import { askForName, sitUnder } from "./sit.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("../messages.d.ts").SeatView} SeatView */
/** @typedef {import("../messages.d.ts").View} View */

/**
 * @param {Here} here
 * @param {View} view
 */
export function seatList(here, view) {
  return make(
    "ul",
    { class: "seats", "aria-label": t("lobby.seats") },
    ...view.seats.map((seat, i) =>
      seat === null ? freeSeat(here, view, i) : takenSeat(here, view, seat, i),
    ),
  );
}

/**
 * A seat's colour, which is its team's where there are teams.
 * @param {View} view
 * @param {number} i
 */
function colourOf({ room }, i) {
  return `seat-${room.rules["teams"] === true ? i % 2 : i}`;
}

/**
 * @param {View} view
 * @param {number} i
 */
function teamMark({ room }, i) {
  const team = teamOf(room.rules, i);
  return team !== "" && make("b", { class: "team" }, team);
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
    { class: `seat free ${colourOf(view, i)}` },
    make("p", { class: "who soft" }, t("lobby.free"), " ", teamMark(view, i)),
    open &&
      room.seat === null &&
      make(
        "button",
        {
          type: "button",
          "data-key": `sit-${i}`,
          onclick: () => void sitUnder(room, suggestedName(), i),
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
          onclick: () => void addBot(room, i),
        },
        t("lobby.bot.add"),
      ),
  );
}

/**
 * Whoever adds several by keyboard goes on at the next free seat, at last at the start.
 * @param {import("../room.js").Room} room
 * @param {number} i
 */
async function addBot(room, i) {
  const { ok } = await room.ask({ type: "bot", seat: i, on: true });
  const at = document.activeElement; // The main, once the button is no more.
  if (!ok || !at?.matches(`main, [data-key="bot-${i}"]`)) return;
  const next =
    document.querySelector(`[data-key^="bot-"]:not([data-key="bot-${i}"])`) ??
    document.querySelector('[data-key="big"]');
  if (next instanceof HTMLElement) next.focus();
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
    { class: `seat ${colourOf(view, i)}` },
    make(
      "div",
      { class: "who" },
      make(
        "p",
        { class: "name" },
        make("span", { dir: "auto" }, name),
        notes.length > 0 && ` (${notes.join(", ")})`,
      ),
      make(
        "p",
        { class: seat.ready ? "state on" : "state" },
        state,
        " ",
        teamMark(view, i),
      ),
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
  void askForName({ title: t("lobby.rename"), name }, async (chosen) => {
    const answer = await room.ask({ type: "name", name: chosen });
    if (answer.ok) storage.keepName(chosen);
    return answer;
  });
}
