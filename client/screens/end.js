/** The end: who won and why, how it went, and the rematch. */

import { readRecord } from "../api.js";
import { make, refill } from "../dom.js";
import { listOf, maybeT, t } from "../i18n.js";
import * as storage from "../storage.js";
import { storyOf, turningWar } from "../story.js";
import { curveOf, legendOf, roundTable } from "./curve.js";
import { bigButton } from "./lobby.js";
import { openMenu } from "./play.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */
/** @typedef {import("../api.js").GameRecord} GameRecord */
/** @typedef {import("../messages.d.ts").LastView} LastView */
/** @typedef {import("../messages.d.ts").View} View */

/**
 * @param {Here} here
 * @param {() => void} [again] what a rematch is, where it is not `ready`
 * @returns {Part}
 */
export function end(here, again) {
  const { room, code } = here;
  const main = make("main");
  const footer = make("footer");
  const root = make("div", { class: "screen end" }, main, footer);
  const last = room.view?.last;
  let open = true;

  const foot = () => {
    const { view } = room;
    if (view !== null) refill(footer, rematch(here, view, again), others(here));
  };
  /** @param {GameRecord | null} record */
  const draw = (record) => {
    if (last) refill(main, ...told(here, last, record));
  };
  draw(null);
  foot();
  if (last) {
    count(room.code, last, room.state.player);
    readRecord(code, last.game).then(
      (record) => open && draw(record),
      () => {},
    );
  }
  return { root, close: () => (open = false), update: foot };
}

/**
 * @param {Here} here
 * @param {LastView} last
 * @param {GameRecord | null} record
 */
function told(here, last, record) {
  const { room, code } = here;
  const me = last.players.indexOf(room.state.player ?? -1);
  const names = last.names.map((name, seat) => (seat === me ? t("you.capital") : name));
  const rounds = record?.rounds ?? [];
  const total = last.counts.reduce((sum, n) => sum + n, 0);
  return [
    make("h1", { tabindex: -1 }, titleOf(last, me)),
    make(
      "p",
      { class: "soft" },
      `${t("end.after", { n: last.rounds })} · ${code}`,
      make("br"),
      maybeT(`end.${last.ending}`) ?? last.ending,
    ),
    rounds.length > 0 &&
      make("div", {}, curveOf(rounds, names, total), legendOf(names, last.counts)),
    rounds.length > 0 &&
      make("p", { class: "strong" }, storyLine(last, me, names, rounds)),
    rounds.length > 0 && tiles(last, rounds, me),
    rounds.length > 0 && names.length > 2 && everyone(rounds, names, last),
    rounds.length > 0 && roundTable(rounds, names),
    record !== null && fairness(here, record),
    me >= 0 && make("p", { class: "soft small" }, t("end.balance", storage.balance())),
  ];
}

/**
 * "Du vant! 31 – 21", the winner's first; with more than two players the counts stand at the curve.
 * @param {LastView} last
 * @param {number} me
 */
function titleOf({ winners, names, counts }, me) {
  const [a, b] = [...counts].sort((one, other) => other - one);
  const score = counts.length === 2 ? ` ${a} – ${b}` : "";
  if (winners.length === 0) return t("end.draw") + score;
  if (winners.includes(me)) return t("end.you") + score;
  return (
    t("end.name", { names: listOf(winners.map((seat) => names[seat] ?? "")) }) + score
  );
}

/**
 * One sentence from the record.
 * @param {LastView} last
 * @param {number} me
 * @param {readonly string[]} names
 * @param {GameRecord["rounds"]} rounds
 */
function storyLine(last, me, names, rounds) {
  const led = names.map((_, seat) => storyOf(rounds, seat).led);
  const most = led.indexOf(Math.max(...led));
  const n = led[most] ?? 0;
  if (n === 0) return t("end.story.even");
  const params = { name: names[most] ?? "", n, of: rounds.length };
  const text = t(most === me ? "end.story.you_led" : "end.story.led", params);
  const winner = last.winners[0];
  const war = winner === undefined ? null : turningWar(rounds, winner);
  return war === null ? `${text}.` : `${text}; ${t("end.story.war", { round: war })}.`;
}

/**
 * @param {LastView} last
 * @param {GameRecord["rounds"]} rounds
 * @param {number} me
 */
function tiles(last, rounds, me) {
  const { warsWon, streak, lead } = storyOf(
    rounds,
    me >= 0 ? me : (last.winners[0] ?? 0),
  );
  /** @param {string | number} n @param {string} text */
  const tile = (n, text) =>
    make("li", { class: "panel" }, make("span", { class: "strong" }, String(n)), text);
  return make(
    "ul",
    { class: "tiles" },
    tile(last.wars, t("end.wars", { n: last.wars })),
    tile(warsWon, t("end.wars.won", { n: warsWon })),
    tile(streak, t("end.streak")),
    tile(lead > 0 ? `+${lead}` : "0", t("end.lead")),
  );
}

/**
 * @param {GameRecord["rounds"]} rounds
 * @param {readonly string[]} names
 * @param {LastView} last
 */
function everyone(rounds, names, last) {
  const head = [
    "",
    t("end.table.cards"),
    t("end.wars.won", { n: 2 }),
    t("end.streak"),
    t("end.lead"),
  ];
  return make(
    "table",
    { class: "small" },
    make(
      "thead",
      {},
      make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text))),
    ),
    make(
      "tbody",
      {},
      ...names.map((name, seat) => {
        const { warsWon, streak, lead } = storyOf(rounds, seat);
        const cells = [last.counts[seat] ?? 0, warsWon, streak, lead];
        return make(
          "tr",
          {},
          make("th", { scope: "row" }, name),
          ...cells.map((n) => make("td", {}, String(n))),
        );
      }),
    ),
  );
}

/**
 * One tap checks the deal.
 * @param {Here} here
 * @param {GameRecord} record
 */
function fairness({ room }, record) {
  const verdict = make("p", { role: "status" });
  const button = make("button", { type: "button", "data-key": "fair" }, t("end.fair"));
  button.addEventListener("click", () => {
    verdict.textContent = t("end.fair.checking");
    void check(record, room).then((text) => (verdict.textContent = text));
  });
  return make("section", { class: "stack" }, button, verdict);
}

/**
 * @param {GameRecord} record
 * @param {import("../room.js").Room} room
 * @returns {Promise<string>} what came out, as a sentence
 */
async function check(record, room) {
  const { verdictOn } = await import("../verify.js");
  const verdict = verdictOn(record, room.dealtUnder(record.deal.id));
  if (verdict.holds === "yes")
    return `✓ ${t(record.known_beforehand ? "end.fair.known" : "end.fair.yes")}`;
  if (verdict.holds === "unknown") return t("end.fair.unknown");
  return `${t("end.fair.no")} ${t("end.fair.where", verdict)}`;
}

/**
 * @param {Here} here
 * @param {View} view
 * @param {() => void} [again]
 */
function rematch(here, view, again) {
  const { room } = here;
  const taken = view.seats.filter((seat) => seat !== null);
  const n = taken.filter((seat) => seat.ready).length;
  const of = taken.length;
  const mine = room.seat === null ? null : view.seats[room.seat];
  const rest = taken.filter((seat) => !seat.ready && seat !== mine).length;
  const [first] = bigButton(here, view);
  const button = first ?? make("button", { class: "big" });
  if (!mine || view.room.phase !== "lobby" || of < 2) return button;
  if (again)
    return make(
      "button",
      { class: "big", type: "button", "data-key": "big", onclick: again },
      t("end.rematch.start"),
    );
  if (mine.ready && rest > 0) button.textContent = t("end.rematch.wait", { n, of });
  else if (!mine.ready) button.textContent = t("end.rematch", { n, of });
  else if (room.isOwner) button.textContent = t("end.rematch.start");
  return button;
}

/** @param {Here} here */
function others(here) {
  return make(
    "div",
    { class: "row" },
    make(
      "button",
      {
        class: "grow",
        type: "button",
        "data-key": "lobby",
        onclick: () => here.toLobby(),
      },
      t(here.room.seat === null ? "end.watch_next" : "end.lobby"),
    ),
    make(
      "button",
      {
        type: "button",
        "data-key": "menu",
        onclick: () => openMenu(here),
        "aria-label": t("menu.title"),
      },
      "☰",
    ),
  );
}

/**
 * A finished game counts once on this device.
 * @param {string} code
 * @param {LastView} last
 * @param {number | null} player
 */
function count(code, last, player) {
  const seat = last.players.indexOf(player ?? -1);
  if (seat < 0 || (storage.room(code).counted ?? 0) >= last.game) return;
  storage.changeRoom(code, { counted: last.game });
  if (last.winners.length === 0) storage.addToBalance("drawn");
  else storage.addToBalance(last.winners.includes(seat) ? "won" : "lost");
}
