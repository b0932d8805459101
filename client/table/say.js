// What the table says in words, in the reader's language.

import { cardName, listOf, rankName, t } from "../i18n.js";
import { cardsHeld, maybePoorest } from "./scene.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Me} Me */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Note} Note */

/**
 * The taken seats of a view, which are the game's seats from 0.
 * @param {View} view
 */
export function seated(view) {
  return view.seats.filter((seat) => seat !== null);
}

/**
 * @param {View} view
 * @param {number | null} seat
 * @returns {string}
 */
export function nameOf(view, seat) {
  return seat === null
    ? ""
    : (seated(view)[seat]?.name ?? t("table.seat", { n: seat + 1 }));
}

/**
 * "Lag 1", where two play together: each with who sits across (RULES R18).
 * @param {import("../messages.d.ts").Rules} rules
 * @param {number} seat
 */
export function teamOf(rules, seat) {
  return rules["teams"] === true ? t("team", { n: 1 + (seat % 2) }) : "";
}

/**
 * What counts together, of each seat's or of two teams' cards.
 * @param {boolean} teams
 * @param {readonly number[]} counts
 */
export function sumsOf(teams, counts) {
  if (!teams) return counts;
  const [a = 0, b = 0, c = 0, d = 0] = counts;
  return [a + c, b + d];
}

/**
 * "Du", or a name.
 * @param {View} view
 * @param {number} seat
 * @param {number | null} mine
 */
export function callOf(view, seat, mine) {
  return seat === mine ? t("you.capital") : nameOf(view, seat);
}

/**
 * "Kari og Ola": whom the table waits for.
 * @param {View} view
 */
export function awaited(view) {
  const { waiting = [], flipped = [] } = view.table ?? {};
  return listOf(
    waiting.filter((seat) => !flipped.includes(seat)).map((seat) => nameOf(view, seat)),
  );
}

/**
 * A card count: the won pile apart where it waits to be shuffled ("8 + 18").
 * @param {{stock: number, won: number}} hand
 */
export function countOf(hand) {
  return hand.won > 0 ? `${hand.stock} + ${hand.won}` : String(hand.stock);
}

/**
 * The line between table and button: what is at stake (loud), and what there is to say.
 * @param {Scene} scene
 * @param {View} view
 * @param {number | null} mine
 * @returns {{loud: string, text: string}}
 */
export function potLine(scene, view, mine) {
  // Who plays reads it on the button.
  const rest = mine === null ? restText(view) : "";
  if (rest) return { loud: "", text: rest };
  const note = scene.note;
  const pot = scene.pot > 0 ? t("table.pot", { n: scene.pot }) : "";
  const war =
    scene.wars > 1
      ? t("table.wars", { war: scene.wars })
      : scene.wars === 1
        ? t("table.war")
        : "";
  if (note && note.kind !== "war") {
    const over = note.kind === "won" || note.kind === "void";
    return { loud: over ? "" : war, text: noteText(note, view, mine) };
  }
  const poorest = maybePoorest(scene);
  if (poorest) return { loud: war, text: stakesText(poorest, view, mine) };
  const aside = view.table?.aside ?? 0;
  return { loud: war, text: pot || (aside > 0 ? t("table.aside", { n: aside }) : "") };
}

/**
 * Why the table stands still, if it does.
 * @param {View} view
 */
function restText(view) {
  const { paused, asleep } = view.room;
  if (paused) return t("table.paused", { name: nameOf(view, paused.seat) });
  return asleep ? t("table.asleep") : "";
}

/**
 * @param {{seat: number, down: number}} poorest
 * @param {View} view
 * @param {number | null} mine
 */
function stakesText({ seat, down }, view, mine) {
  const had = down + 1;
  const who = seat === mine ? "you" : "other";
  return t(down === 0 ? `table.stakes.none.${who}` : `table.stakes.${who}`, {
    name: nameOf(view, seat),
    n: had,
    down,
  });
}

/**
 * @param {Note} note
 * @param {View} view
 * @param {number | null} mine
 * @returns {string}
 */
function noteText(note, view, mine) {
  const who = (/** @type {number} */ seat) => (seat === mine ? "you" : "other");
  switch (note.kind) {
    case "won":
      return wonText(note, view, mine);
    case "short":
      return t(`table.short.${note.count === 0 ? "none." : ""}${who(note.seat)}`, {
        name: nameOf(view, note.seat),
        n: note.count,
      });
    case "void":
      return t(note.time ? "table.void.time" : "table.void");
    case "left":
      return t(`table.left.${note.how}`, { n: note.count });
    case "shuffle":
      return t(`table.shuffle.${who(note.seat)}`, { name: nameOf(view, note.seat) });
    case "time":
      return t("table.time");
    default:
      return "";
  }
}

/**
 * "Du vant 6 kort: konge mot sju": who took the pot, and with which card.
 * @param {Extract<Note, {kind: "won"}>} note
 * @param {View} view
 * @param {number | null} mine
 */
function wonText({ seat, count, cards }, view, mine) {
  const who = seat === mine ? "you" : "other";
  const won = t(`table.won.${who}`, { name: nameOf(view, seat), n: count });
  const own = cards.find(([s]) => s === seat)?.[1];
  const others = cards.filter(([s]) => s !== seat).map(([, card]) => rankName(card));
  if (!own || others.length === 0) return won;
  return t("table.won.by", { won, card: rankName(own), others: listOf(others) });
}

/**
 * The sentence a round is told in to those who do not see it.
 * @param {Extract<Note, {kind: "won"}>} note
 * @param {View} view
 * @param {number | null} mine
 */
export function roundSentence(note, view, mine) {
  const order = note.counts.map((_, i) => i);
  if (mine !== null) order.unshift(...order.splice(mine, 1));
  const counts = order
    .map((seat) => `${callOf(view, seat, mine)} ${note.counts[seat]}`)
    .join(", ");
  return `${t("table.round", { round: note.round })}: ${wonText(note, view, mine)}. ${counts}.`;
}

/**
 * What a lane is called: "Kari, lag 1, 24 kort".
 * @param {Scene} scene
 * @param {View} view
 * @param {number} seat
 * @param {number | null} mine
 */
export function laneLabel(scene, view, seat, mine) {
  const hand = scene.hands[seat];
  const shown = hand?.laid
    .flatMap((group) => (group.up ? [cardName(group.up)] : []))
    .at(-1);
  const cards = t("cards", { n: hand ? cardsHeld(hand) : 0 });
  const team = teamOf(view.room.rules, seat);
  return [callOf(view, seat, mine), team, cards, shown].filter(Boolean).join(", ");
}

/**
 * @param {number} ms
 * @returns {string} "6:32"
 */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
