/** The end: who won and why, how it went, and the rematch. */

import { readRecord } from "../api.js";
import { make, refill } from "../dom.js";
import { listOf, maybeT, t } from "../i18n.js";
import { icon } from "../icons.js";
import * as storage from "../storage.js";
import { storyLine } from "../story.js";
import { cardElement } from "../table/cards.js";
import { sumsOf, teamOf } from "../table/say.js";
import { counting } from "./counting.js";
import { curveOf, legendOf, roundTable } from "./curve.js";
import { bigButton, lineOf, noticeOf } from "./lobby.js";
import { openMenu } from "./play.js";
import { fairness, gameCode } from "./proof.js";
import { balanceText } from "./settings.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("./room.js").Part} Part */
/** @typedef {import("../api.js").GameRecord} GameRecord */
/** @typedef {import("../api.js").Statistics} Statistics */
/** @typedef {import("../messages.d.ts").LastView} LastView */
/** @typedef {import("../messages.d.ts").View} View */

/** Where the cards are counted to know who won. */
const BY_COUNT = ["round_limit", "time_limit"];
/** The games whose piles were counted before this page's eyes. @type {Set<string>} */
const counted = new Set();

/**
 * @param {Here} here
 * @param {() => void} [again] what a rematch is, where it is not `ready`
 * @returns {Part}
 */
export function end(here, again) {
  const { app, room, code } = here;
  const main = make("main");
  const footer = make("footer");
  const root = make("div", { class: "screen end" }, main, footer);
  let last = room.view?.last ?? null;
  /** @type {GameRecord | null} */
  let record = null;
  let open = true;
  /** @type {ReturnType<typeof counting> | null} */
  let piles = null;

  const heed = noticeOf(room);
  let notice = "";

  const foot = () => {
    const { view } = room;
    if (view === null) return;
    refill(
      footer,
      notice &&
        make(
          "p",
          { class: "panel notice small" },
          make("b", {}, notice),
          make("br"),
          lineOf(view),
        ),
      rematch(here, view, again),
      others(here),
    );
  };
  const draw = () => {
    if (last !== null && piles === null) refill(main, ...told(here, last, record));
  };
  const game = `${code} ${last?.game}`;
  if (
    last !== null &&
    BY_COUNT.includes(last.ending) &&
    !isCalm() &&
    !counted.has(game)
  ) {
    counted.add(game);
    piles = counting(...sidesIn(here, last), () => {
      piles = null;
      draw();
    });
    refill(main, make("h1", { tabindex: -1 }, t("end.counting")), piles.element);
  }
  draw();
  foot();
  const won = last ? [titleOf(last, meIn(here, last)), scoreOf(last)] : [];
  app.announce([t("say.ended"), ...won].filter(Boolean).join(" "));
  if (last !== null) {
    count(here, last);
    readRecord(code, last.game).then(
      (read) => {
        record = read;
        if (open) draw();
      },
      () => {},
    );
  }
  return {
    root,
    close() {
      open = false;
      piles?.stop();
    },
    update(before, state) {
      const now = room.view?.last ?? null;
      if (now !== null && now !== last) {
        last = now; // Its cards were counted after all.
        count(here, now);
        draw();
      }
      notice = heed(before, state);
      foot();
    },
  };
}

function isCalm() {
  return (
    document.documentElement.dataset["motion"] === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

/**
 * My seat in that game; -1: I watched, or there are two of us here.
 * @param {Here} here
 * @param {LastView} last
 */
function meIn({ room, second }, last) {
  return second ? -1 : last.players.indexOf(room.state.player ?? -1);
}

/**
 * @param {Here} here
 * @param {LastView} last
 */
function namesIn(here, last) {
  const me = meIn(here, last);
  return last.names.map((name, seat) => (seat === me ? t("you.capital") : name));
}

/**
 * Who counts together, and how many cards that is.
 * @param {Here} here
 * @param {LastView} last
 * @returns {[string[], readonly number[]]}
 */
function sidesIn(here, last) {
  const names = namesIn(here, last);
  if (!last.teams) return [names, last.counts];
  const teams = [0, 1].map((side) => names.filter((_, seat) => seat % 2 === side));
  return [teams.map(listOf), sumsOf(true, last.counts)];
}

/**
 * @param {Here} here
 * @param {LastView} last
 * @param {GameRecord | null} record
 */
function told(here, last, record) {
  const { code } = here;
  const me = meIn(here, last);
  const names = namesIn(here, last);
  const total = last.counts.reduce((sum, n) => sum + n, 0);
  return [
    make(
      "h1",
      { tabindex: -1 },
      titleOf(last, me),
      " ",
      make("span", {}, scoreOf(last)),
    ),
    make(
      "p",
      { class: "soft" },
      `${t("end.after", { n: last.rounds })} · ${code}`,
      make("br"),
      whyEnded(last, me),
      last.counted && ` ${t("end.counted")}`,
    ),
    last.ending === "repetition" && !last.counted && orCount(here, last),
    ...(record !== null && record.rounds.length > 0
      ? played(here, { last, record, names, total, me })
      : []),
    record !== null && fairness(here, record),
    record?.code != null &&
      gameCode(here, record.code, `${resultOf(last)} ${scoreOf(last)}`.trim()),
    me >= 0 && make("p", { class: "soft small" }, balanceText()),
  ];
}

/**
 * What the record adds.
 * @param {Here} here
 * @param {{last: LastView, record: GameRecord, names: string[], total: number, me: number}} of
 */
function played({ code }, { last, record, names, total, me }) {
  const { rounds, statistics, aside, rules } = record;
  const { teams, winners } = last;
  const replay = async (/** @type {number | null} */ round = null) => {
    const { openReplay } = await import("./replay.js");
    openReplay(record, code, me, round);
  };
  return [
    make(
      "div",
      {},
      curveOf(rounds, names, total),
      legendOf(
        names.map((name, seat) => (teams ? `${name} (${teamOf(rules, seat)})` : name)),
        last.counts,
      ),
    ),
    statistics !== null &&
      make(
        "button",
        {
          type: "button",
          class: "story",
          "data-key": "story",
          onclick: () => void replay(statistics.turning_round),
        },
        icon("play"),
        make(
          "span",
          {},
          storyLine(
            statistics,
            rounds.map((one) => ({ ...one, counts: [...sumsOf(teams, one.counts)] })),
            teams ? [0, 1].map((team) => teamOf(rules, team)) : names,
            teams
              ? { me: -1, winners: winners.filter((seat) => seat < 2) }
              : { me, winners },
          ),
        ),
      ),
    statistics !== null && everyone(statistics, names),
    make(
      "button",
      { type: "button", "data-key": "replay", onclick: () => void replay() },
      t("end.replay"),
    ),
    aside.length > 0 &&
      make(
        "section",
        { class: "aside" },
        make("p", {}, t("end.aside", { n: aside.length })),
        ...aside.map((card) => cardElement(card)),
      ),
    roundTable(rounds, names),
  ];
}

/**
 * A game that only repeated itself is a draw, unless people want to count.
 * @param {Here} here
 * @param {LastView} last
 */
function orCount({ room }, last) {
  const act = () => void room.ask({ type: "count", game: last.game });
  return make(
    "section",
    { class: "panel stack" },
    make("p", {}, t("end.repeat")),
    room.seat !== null &&
      make(
        "button",
        { type: "button", "data-key": "count", onclick: act },
        t("end.count"),
      ),
  );
}

/**
 * "Du vant!"
 * @param {LastView} last
 * @param {number} me
 */
function titleOf(last, me) {
  const { winners, names, teams } = last;
  if (!winners.includes(me)) return resultOf(last);
  const name = names[winners.find((seat) => seat !== me) ?? -1] ?? "";
  return t(teams ? "end.us" : "end.you", { name });
}

/**
 * The same for those who were not there.
 * @param {LastView} last
 */
function resultOf(last) {
  const { winners, names } = last;
  if (winners.length === 0) return t("end.draw");
  const all = listOf(winners.map((seat) => names[seat] ?? ""));
  return t("end.name", { names: all, n: winners.length });
}

/**
 * Why it ended, and what that decided.
 * @param {LastView} last
 * @param {number} me
 */
export function whyEnded(last, me) {
  const { ending, winners, teams } = last;
  if (ending === "all_cards") {
    const [seat = 0] = winners;
    if (!teams && seat === me) return t("end.all_cards.you");
    const name = teams ? teamOf({ teams }, seat) : (last.names[seat] ?? "");
    return t("end.all_cards", { name });
  }
  const why = maybeT(`end.${ending}`) ?? ending;
  if (!BY_COUNT.includes(ending)) return why;
  return `${why} ${winners.length > 0 ? t("end.most") : equalText(last, me)}`;
}

/**
 * Who shares the lead, so that nobody won.
 * @param {LastView} last
 * @param {number} me
 */
function equalText({ names, teams, counts }, me) {
  const sums = sumsOf(teams, counts);
  const most = Math.max(...sums);
  const first = [...sums.keys()].filter((side) => sums[side] === most);
  if (teams)
    return t("end.equal", { names: listOf(first.map((at) => teamOf({ teams }, at))) });
  const others = listOf(
    first.filter((seat) => seat !== me).map((seat) => names[seat] ?? ""),
  );
  return t(first.includes(me) ? "end.equal.you" : "end.equal", { names: others });
}

/**
 * "31 – 21", the winner's first; of more than two the counts stand at the curve.
 * @param {LastView} last
 */
function scoreOf({ teams, counts }) {
  const [a, b, ...more] = sumsOf(teams, counts).toSorted((one, other) => other - one);
  return more.length === 0 ? `${a} – ${b}` : "";
}

/**
 * How many wars there were, and what each player made of them.
 * @param {Statistics} statistics
 * @param {readonly string[]} names
 */
function everyone({ wars, seats }, names) {
  const head = [t("end.wars.won", { n: 2 }), t("end.streak"), t("end.lead")];
  const rows = seats.map(({ wars_won, longest_streak, biggest_lead }, seat) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", dir: "auto" }, names[seat] ?? ""),
      ...[wars_won, longest_streak, biggest_lead > 0 ? `+${biggest_lead}` : 0].map(
        (n) => make("td", {}, String(n)),
      ),
    ),
  );
  const number = make("span", { class: "strong" }, String(wars));
  return make(
    "table",
    { class: "panel small each" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col" }, number, ` ${t("end.wars", { n: wars })}`),
        ...head.map((text) => make("th", { scope: "col" }, text)),
      ),
    ),
    make("tbody", {}, ...rows),
  );
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
  else if (!button.matches(":disabled"))
    button.textContent = t(mine.ready ? "end.rematch.start" : "end.rematch", { n, of });
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
      t(
        (here.second && "action.home") ||
          (here.room.seat === null ? "end.watch_next" : "end.lobby"),
      ),
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
 * @param {Here} here
 * @param {LastView} last
 */
function count(here, last) {
  const { game, winners } = last;
  const seat = meIn(here, last);
  if (seat < 0) return;
  const won = winners.includes(seat) ? "won" : "lost";
  storage.countGame(here.code, game, winners.length === 0 ? "drawn" : won);
}
