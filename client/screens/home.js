/** Home is a dealt table: the first tap is the first flip. */

import { about, lookAt, openRoom, sentenceOf } from "../api.js";
import { make, refill } from "../dom.js";
import { onLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { dealtView, KRIEG_40, seatOf } from "../rules.js";
import * as storage from "../storage.js";
import { languagePicker } from "./language.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").Screen} Screen */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../table/table.js").KrigTable} KrigTable */

const MOST_CONTINUED = 5;
const ME = { seat: 0, watchers: 0, online: true };

/**
 * @param {App} app
 * @returns {Screen}
 */
export function home(app) {
  const live = new AbortController();
  const { signal } = live;
  const table = /** @type {KrigTable} */ (document.createElement("krig-table"));
  const continued = make("nav", { class: "continue", hidden: true });
  const doors = make("nav", { class: "doors" });
  const foot = make("footer", { class: "foot" });
  const title = make("h1", { class: "unseen" });
  const root = make(
    "main",
    { class: "screen home" },
    title,
    continued,
    table,
    doors,
    foot,
  );
  let busy = false;

  const drawFoot = () => {
    const words = make("div", {}, make("span", {}, t("home.foot")), whose());
    refill(foot, words, languagePicker());
  };
  const draw = () => {
    title.textContent = t("app.name");
    table.show(dealt(), ME);
    refill(doors, ...doorsOf(app, together, two));
    drawFoot();
  };
  /** @param {() => Promise<void>} work one thing at a time */
  const once = async (work) => {
    if (busy) return;
    busy = true;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) app.toast(sentenceOf(error));
    }
    busy = false;
  };
  const together = () =>
    once(async () => (await start()).startRoom(app, { preset: "krieg_40" }));
  const two = () =>
    once(async () => {
      app.go(`/r/${await newRoom("krieg_40")}?two`);
    });
  table.addEventListener("krig-flip", () => void once(() => firstFlip(app, signal)), {
    signal,
  });
  const settings = async () => (await import("./settings.js")).openSettings(app);
  table.addEventListener("krig-menu", () => void settings(), { signal });
  onLanguage(draw, signal);
  draw();
  void showContinued(app, continued, signal);
  setTimeout(() => {
    void rest();
    void tellWhose().then(() => signal.aborted || drawFoot());
  }, 300);
  return { root, close: () => live.abort() };
}

/** @type {Awaited<ReturnType<typeof about>> | null} */
let server = null;

/** Ask once whose server this is; a page that cannot know does without. */
export async function tellWhose() {
  server ??= await about().catch(() => null);
}

/** The version, and what whoever runs the server links to; asked for before. */
export function whose() {
  if (server === null) return "";
  const { version, imprint, privacy } = server;
  const links = [
    imprint && make("a", { href: imprint }, t("home.imprint")),
    privacy && make("a", { href: privacy }, t("home.privacy")),
  ];
  return make(
    "small",
    { class: "whose" },
    `Krig ${version} `,
    ...links.filter((link) => link !== null),
  );
}

/** What a room needs beyond home; fetched after home is shown. */
function rest() {
  return import("./room.js");
}

/** A room of one's own. */
function start() {
  return import("./start.js");
}

/**
 * @param {string} preset
 * @returns {Promise<string>} its code
 */
async function newRoom(preset) {
  const { code, link } = await openRoom({ preset });
  storage.changeRoom(code, { link });
  return code;
}

/**
 * Only now is there a room: sit down against the computer, deal, and flip.
 * @param {App} app
 * @param {AbortSignal} signal
 */
async function firstFlip(app, signal) {
  const [code, { connectTo, enterRoom }, { sitUnder }] = await Promise.all([
    newRoom("krieg_40"),
    rest(),
    import("./sit.js"),
  ]);
  const room = connectTo(code, { sits: true });
  try {
    await deal(room, sitUnder(room), signal);
  } catch (error) {
    room.close();
    throw error;
  }
  room.flip();
  app.goTo(`/r/${code}`, enterRoom(app, code, { room }));
}

/**
 * @param {Room} room
 * @param {Promise<import("../room.js").Answer>} sat
 * @param {AbortSignal} signal
 */
async function deal(room, sat, signal) {
  /** @param {Promise<import("../room.js").Answer>} asked */
  const must = async (asked) => {
    const answer = await asked;
    if (!answer.ok) throw answer.error;
  };
  await must(sat);
  await room.until(() => room.seat !== null, signal);
  await must(room.ask({ type: "bot", seat: 1, on: true }));
  await room.until((state) => state.view?.seats[1] != null, signal);
  await must(room.ready(true));
  await must(room.start());
  await room.until((state) => state.view?.table != null, signal);
}

/**
 * @param {App} app
 * @param {() => void} together
 * @param {() => void} two
 */
function doorsOf(app, together, two) {
  const join = async (/** @type {boolean} */ watch) =>
    (await import("./join.js")).openJoin(app, watch);
  /** @type {[import("../icons.js").IconName, () => void][]} */
  const doors = [
    ["together", together],
    ["join", () => void join(false)],
    ["watch", () => void join(true)],
    ["two", two],
    ["code", () => void start().then(({ openGameCode }) => openGameCode(app))],
    ["rules", () => void import("./rules.js").then((page) => page.openRules())],
  ];
  return doors.map(([name, open]) =>
    make(
      "button",
      { type: "button", "data-key": name, onclick: open },
      icon(name),
      t(`home.${name}`),
    ),
  );
}

/**
 * The games that this browser has a seat in and that are still there.
 * @param {App} app
 * @param {HTMLElement} nav
 * @param {AbortSignal} signal
 */
async function showContinued(app, nav, signal) {
  for (const code of storage.rooms().slice(0, MOST_CONTINUED)) {
    try {
      const door = await lookAt(code);
      if (signal.aborted) return;
      const names = door.seats.flatMap((seat) => (seat === null ? [] : [seat.name]));
      const state =
        (ended(code, door) && t("home.continue.ended")) ||
        (door.phase === "lobby" && t("home.continue.lobby")) ||
        (door.round !== null && t("table.round", { round: door.round })) ||
        t("home.continue.playing");
      nav.append(
        make(
          "button",
          { type: "button", onclick: () => app.go(`/r/${code}`) },
          make("span", {}, `${t("home.continue")}: ${names.join(", ") || code}`),
          " ",
          make("span", { class: "small" }, `${code} · ${state}`),
        ),
      );
      nav.hidden = false;
    } catch (error) {
      const { code: why } = /** @type {{code?: string}} */ (error);
      if (why === "no_such_room" || why === "not_found") storage.forgetRoom(code);
    }
  }
}

/**
 * Whether a game stands there that is over and was not put away.
 * @param {string} code
 * @param {import("../api.js").Door} door
 */
function ended(code, { phase, game }) {
  return phase === "lobby" && game - 1 > storage.room(code).dismissed;
}

/** The table before there is one: dealt, and waiting for me. @returns {View} */
function dealt() {
  return dealtView({
    room: { rules: KRIEG_40, preset: "krieg_40", owner: 1 },
    stocks: [26, 26],
    playing: [0, 1],
    seats: [
      seatOf(1, t("you.capital"), "human"),
      seatOf(2, t("home.computer"), "bot"),
      null,
      null,
    ],
  });
}
