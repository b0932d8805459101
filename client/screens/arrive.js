/** At a room's door, with a link: play and watch, side by side. */

import { lookAt, sentenceOf } from "../api.js";
import { make, refill } from "../dom.js";
import { listOf, onLanguage, t } from "../i18n.js";
import * as storage from "../storage.js";
import { languagePicker } from "./language.js";
import { nameField, suggestedName } from "./name.js";
import { enterRoom } from "./room.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").Screen} Screen */
/** @typedef {import("../api.js").Door} Door */

const LOOK_AGAIN = 3000;

/**
 * @param {App} app
 * @param {string} code
 * @returns {Screen}
 */
export function arrive(app, code) {
  const live = new AbortController();
  const name = nameField();
  const title = make("h1");
  const main = make("main");
  const footer = make("footer");
  const back = make(
    "button",
    { class: "icon plain", type: "button", onclick: () => app.go("/") },
    "←",
  );
  const root = make(
    "div",
    { class: "screen" },
    make("header", {}, back, title),
    main,
    footer,
  );
  /** @type {Door | null} */
  let door = null;
  let wrong = "";

  const draw = () => {
    title.textContent = t("arrive.title", { code });
    back.setAttribute("aria-label", t("action.home"));
    refill(main, ...insides(door, wrong, name), door && moveHere(app, code));
    const out = wrong === "" ? [] : elsewhere(app);
    refill(footer, ...(door ? ways(door, go) : out));
  };
  /** @param {"play" | "next" | "watch"} how */
  const go = (how) => {
    const chosen = name.value.trim();
    const path = `/r/${code}${how === "watch" ? "?watch" : ""}`;
    const sit = how === "watch" ? {} : { sit: chosen || suggestedName() };
    app.goTo(path, enterRoom(app, code, { watch: how === "watch", ...sit }));
  };
  const look = async () => {
    try {
      const seen = await lookAt(code);
      if (live.signal.aborted) return;
      if (door === null) storage.changeRoom(code, { link: seen.link });
      const same = JSON.stringify(seen) === JSON.stringify(door);
      [door, wrong] = [seen, ""];
      if (!same) draw();
    } catch (error) {
      wrong = sentenceOf(error);
      if (!live.signal.aborted) draw();
    }
  };
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") void look();
  }, LOOK_AGAIN);
  live.signal.addEventListener("abort", () => clearInterval(timer));
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || door === null) return;
    if (door.may.includes("play")) go("play");
    else if (door.may.includes("next")) go("next");
  });
  onLanguage(draw, live.signal);
  draw();
  void look();
  return { root, close: () => live.abort() };
}

/**
 * @param {Door | null} door
 * @param {string} wrong
 * @param {HTMLInputElement} name
 */
function insides(door, wrong, name) {
  if (wrong !== "" && door === null)
    return [make("p", { class: "panel notice", role: "alert" }, wrong)];
  if (door === null) return [make("p", { class: "soft" }, t("over.loading"))];
  const names = door.seats.flatMap((seat) => (seat === null ? [] : [seat.name]));
  const mayPlay = door.may.includes("play") || door.may.includes("next");
  return [
    make(
      "section",
      { class: "panel stack" },
      make(
        "p",
        { class: "strong" },
        names.length > 0
          ? t("arrive.with", { names: listOf(names) })
          : t("arrive.alone"),
      ),
      make(
        "p",
        { class: "soft" },
        door.free > 0 ? t("arrive.seats", { n: door.free }) : t("arrive.full"),
      ),
      door.phase !== "lobby" &&
        make(
          "p",
          {},
          t(door.may.includes("next") ? "arrive.running" : "arrive.running.only"),
        ),
      !door.may.includes("watch") && make("p", {}, t("arrive.closed")),
    ),
    mayPlay && make("label", {}, t("name.label"), name),
    make("label", {}, t("home.language"), languagePicker()),
  ];
}

/**
 * For whoever mistyped the code.
 * @param {App} app
 */
function elsewhere(app) {
  const join = async () => (await import("./join.js")).openJoin(app, false);
  return [
    make(
      "button",
      { class: "big", type: "button", "data-key": "join", onclick: () => void join() },
      t("home.join"),
    ),
    make(
      "button",
      { class: "big second", type: "button", onclick: () => app.go("/") },
      t("action.home"),
    ),
  ];
}

/**
 * For who sits here already, on another device.
 * @param {App} app
 * @param {string} code
 */
function moveHere(app, code) {
  const open = async () => {
    (await import("./handoff.js")).openClaim(app, code);
  };
  return make(
    "button",
    {
      type: "button",
      class: "plain soft",
      "data-key": "claim",
      onclick: () => void open(),
    },
    t("claim.have"),
  );
}

/**
 * @param {Door} door
 * @param {(how: "play" | "next" | "watch") => void} go
 */
function ways(door, go) {
  /** @type {[("play" | "next" | "watch"), string][]} */
  const all = [
    ["play", "arrive.play"],
    ["next", "arrive.next"],
    ["watch", "arrive.watch"],
  ];
  return all
    .filter(([how]) => door.may.includes(how))
    .map(([how, key], i) =>
      make(
        "button",
        {
          class: i === 0 ? "big" : "big second",
          type: "button",
          "data-key": how,
          onclick: () => go(how),
        },
        t(key),
      ),
    );
}
