// The header: room code, round or time, how far the game is, watchers, menu.

import { t } from "../i18n.js";
import { icon } from "./art.js";
import { element, setText } from "./dom.js";
import { cardsHeld } from "./scene.js";
import { clockText, sumsOf, teamOf } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Me} Me */
/** @typedef {import("./scene.js").Scene} Scene */

export class Head {
  #code = element("span", "kt-code");
  #round = element("span", "kt-round");
  #sums = element("span", "kt-sums");
  #watchers = element("span", "kt-watchers");
  #watchersText = element("span", "");
  #menu = element("button", "kt-tool kt-menu");
  #bar = element("div", "kt-bar");
  #done = element("div", "kt-done");
  #shares = [0, 1, 2, 3].map((seat) =>
    element("div", "kt-share", { "data-seat": String(seat) }),
  );

  /** @param {() => void} onMenu */
  constructor(onMenu) {
    this.#menu.append(icon("menu"));
    this.#menu.addEventListener("click", onMenu);
    this.#watchers.append(icon("eye"), this.#watchersText);
    this.#bar.setAttribute("role", "progressbar");
    this.#bar.append(this.#done, ...this.#shares);
    const middle = element("div", "kt-middle");
    middle.append(this.#round, this.#sums);
    this.row = element("header", "kt-head");
    this.row.append(this.#code, middle, this.#watchers, this.#menu);
  }

  get bar() {
    return this.#bar;
  }

  /**
   * @param {View} view
   * @param {Me} me
   * @param {Scene} scene
   */
  draw(view, me, scene) {
    setText(this.#code, view.room.code);
    this.#menu.setAttribute("aria-label", t("table.menu"));
    setText(this.#watchersText, String(me.watchers));
    this.#watchers.hidden = me.watchers === 0;
    this.#watchers.title = t("table.watchers", { n: me.watchers });
    const teams = view.room.rules["teams"] === true;
    const sums = sumsOf(teams, scene.hands.map(cardsHeld));
    setText(this.#sums, teams ? sumsText(view, sums, me.seat) : "");
    this.#shares.forEach((share, i) =>
      share.style.setProperty("flex-grow", String(sums[i] ?? 0)),
    );
    this.#drawProgress(view, me, scene);
  }

  /**
   * @param {View} view
   * @param {Me} me
   * @param {Scene} scene
   */
  #drawProgress(view, me, scene) {
    const limit = view.room.rules["round_limit"];
    const left = timeLeft(view, Date.now() + (me.clockAhead ?? 0));
    const last = view.table?.last_round ?? false;
    const round = t("table.round", { round: scene.round });
    let done = 0;
    if (left !== null) {
      setText(this.#round, last ? t("table.last") : `${clockText(left)} · ${round}`);
      done = 1 - left / (view.table?.clock?.limit_ms ?? 1);
    } else if (typeof limit === "number") {
      setText(this.#round, t("table.round_of", { round: scene.round, limit }));
      done = (scene.round - 1) / limit;
    } else {
      setText(this.#round, round);
    }
    const shared = left === null && typeof limit !== "number";
    this.#bar.classList.toggle("kt-shared", shared);
    this.#bar.setAttribute("aria-label", this.#round.textContent ?? "");
    this.#bar.setAttribute("aria-valuenow", String(Math.round(done * 100)));
    if (shared) this.#bar.removeAttribute("aria-valuenow");
    this.#done.style.setProperty(
      "transform",
      `scaleX(${Math.min(1, Math.max(0, done))})`,
    );
  }
}

/**
 * @param {View} view
 * @param {number} now  server time, ms
 * @returns {number | null} ms left of a timed game; null: it has no clock
 */
export function timeLeft(view, now) {
  const clock = view.table?.clock;
  if (!clock) return null;
  const running = clock.since === null ? 0 : Math.max(0, now - clock.since);
  return Math.max(0, clock.limit_ms - clock.used_ms - running);
}

/**
 * @param {View} view
 * @param {readonly number[]} sums
 * @param {number | null} mine
 */
function sumsText({ room }, sums, mine) {
  if (mine === null)
    return sums.map((n, team) => `${teamOf(room.rules, team)}: ${n}`).join(" · ");
  return t("table.teams.us", {
    a: sums[mine % 2] ?? 0,
    b: sums[(mine + 1) % 2] ?? 0,
  });
}
