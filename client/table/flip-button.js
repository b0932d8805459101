// The wide button. It keeps its place and its focus whatever it says.

import { t } from "../i18n.js";
import { element, setText } from "./dom.js";
import { pressOf } from "./press.js";
import { nameOf } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */

/** A press that nobody answered may be made again after this long. */
const ANSWER_MS = 1500;

export class FlipButton {
  #button = element("button", "kt-flip");
  #label = element("span", "kt-label");
  #hint = element("span", "kt-hint");
  #sit = element("button", "kt-tool kt-sit");
  #ask;
  /** @type {() => void} */
  #act = () => {};
  /** The battle that was pressed for last, and when. */
  #sent = { battle: "", at: 0 };
  /** @type {[View, number, boolean] | null}  what was drawn last */
  #drawn = null;
  /** There are two of them here: each tells by ear whose it is. */
  named = false;

  /** @param {(type: string, detail: object) => void} ask */
  constructor(ask) {
    this.#ask = ask;
    this.element = element("div", "kt-press");
    this.#button.append(this.#label, this.#hint);
    this.#sit.hidden = true;
    this.element.append(this.#button, this.#sit);
    this.#button.addEventListener("click", () => this.press());
    this.#sit.addEventListener("click", () => this.#ask("krig-sit", {}));
  }

  press() {
    this.#act();
  }

  /**
   * @param {View} view
   * @param {number} seat
   * @param {boolean} online
   */
  draw(view, seat, online) {
    this.#drawn = [view, seat, online];
    const battle = battleOf(view);
    const sent = this.#sent.battle === battle && Date.now() - this.#sent.at < ANSWER_MS;
    const { act, label, hint, war } = pressOf(view, seat, online, sent);
    this.#sit.hidden = true;
    this.#write(label, hint, act !== "none");
    this.#name(this.named ? `${nameOf(view, seat)}: ${label}. ${hint}`.trim() : "");
    this.#button.classList.toggle("kt-at-war", war);
    this.#act = () => {
      if (act === "resume") this.#ask("krig-pause", { on: false });
      if (act === "takeover") this.#ask("krig-auto", { on: false });
      if (act !== "flip") return;
      this.#sent = { battle, at: Date.now() };
      this.#ask("krig-flip", { seat });
      this.draw(view, seat, online);
      setTimeout(() => this.#drawn && this.draw(...this.#drawn), ANSWER_MS);
    };
  }

  /**
   * @param {View} view
   * @param {number} followed
   * @param {boolean} [wishes] to sit in the next game
   */
  drawWatching(view, followed, wishes = false) {
    this.#drawn = null;
    const players = view.table?.hands.length ?? 1;
    const name = nameOf(view, (followed + 1) % players);
    this.#write("", t(wishes ? "table.sit.wish" : "table.watching"), true);
    // Where there is one line, only the name gives way.
    const [before = "", after = ""] = t("table.follow", { name: "\n" }).split("\n");
    const shown = element("span", "", { dir: "auto" });
    shown.textContent = name;
    this.#label.replaceChildren(before, shown, after);
    this.#name("");
    this.#button.classList.remove("kt-at-war");
    setText(this.#sit, t(wishes ? "table.sit.not" : "arrive.next"));
    this.#sit.hidden = false;
    this.#act = () => this.#ask("krig-follow", {});
  }

  /**
   * @param {string} label
   * @param {string} hint
   * @param {boolean} live
   */
  #write(label, hint, live) {
    setText(this.#label, label);
    setText(this.#hint, hint);
    this.#button.setAttribute("aria-disabled", String(!live));
  }

  /** @param {string} name  what a screen reader calls it; empty: what stands on it */
  #name(name) {
    if (name) this.#button.setAttribute("aria-label", name);
    else this.#button.removeAttribute("aria-label");
  }
}

/** @param {View} view */
function battleOf(view) {
  return [view.room.game, view.table?.round, view.table?.battle].join("/");
}
