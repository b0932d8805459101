// Tempo, autoplay, pause and reactions: one row of small buttons.

import { t } from "../i18n.js";
import { icon } from "./art.js";
import { element, setText } from "./dom.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../messages.d.ts").Tempo} Tempo */

/** @type {readonly Tempo[]} */
export const TEMPI = ["slow", "normal", "fast"];
const REACTIONS = 6;

export class Tools {
  #tempo = element("button", "kt-tool kt-tempo");
  #tempoText = element("span", "");
  #auto = element("button", "kt-tool kt-auto", { role: "switch" });
  #autoText = element("span", "");
  #pause = element("button", "kt-tool");
  #smile = element("button", "kt-tool", { "aria-expanded": "false" });
  #choices = element("div", "kt-reactions");
  /** @type {Tempo} */
  #now = "normal";
  #isAuto = false;
  #isPaused = false;

  /** @param {(type: string, detail: object) => void} tell */
  constructor(tell) {
    this.#tempo.append(icon("play"), this.#tempoText);
    this.#auto.append(icon("auto"), this.#autoText);
    this.#smile.append(icon("smile"));
    this.#choices.hidden = true;
    this.row = element("div", "kt-tools");
    this.row.append(this.#tempo, this.#auto, this.#pause, this.#smile, this.#choices);
    const after = (/** @type {Tempo} */ tempo) =>
      TEMPI[(TEMPI.indexOf(tempo) + 1) % TEMPI.length];
    this.#tempo.addEventListener("click", () =>
      tell("krig-tempo", { tempo: after(this.#now) }),
    );
    this.#auto.addEventListener("click", () =>
      tell("krig-auto", { on: !this.#isAuto }),
    );
    this.#pause.addEventListener("click", () =>
      tell("krig-pause", { on: !this.#isPaused }),
    );
    this.#smile.addEventListener("click", () =>
      this.#open(this.#choices.hidden !== false),
    );
    this.#choices.append(
      ...Array.from({ length: REACTIONS }, (_, n) => this.#choice(n, tell)),
    );
    this.row.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.#choices.hidden) return;
      event.stopPropagation();
      this.#open(false);
      this.#smile.focus();
    });
  }

  /**
   * @param {View} view
   * @param {boolean} auto
   */
  draw(view, auto) {
    this.#now = view.room.tempo;
    this.#isAuto = auto;
    const paused = view.room.paused !== null;
    this.row.dataset["tempo"] = this.#now;
    setText(this.#tempoText, t(`table.tempo.${this.#now}`));
    this.#tempo.setAttribute(
      "aria-label",
      t("table.tempo", { tempo: t(`table.tempo.${this.#now}`) }),
    );
    setText(this.#autoText, t("table.auto"));
    this.#auto.setAttribute("aria-checked", String(auto));
    if (paused !== this.#isPaused || !this.#pause.firstChild)
      this.#pause.replaceChildren(icon(paused ? "play" : "pause"));
    this.#isPaused = paused;
    this.#pause.setAttribute("aria-label", t(paused ? "table.resume" : "table.pause"));
    this.#smile.setAttribute("aria-label", t("table.react"));
    Array.from(this.#choices.children).forEach((choice, n) =>
      setText(choice, t(`table.react.${n}`)),
    );
  }

  /**
   * @param {number} reaction
   * @param {(type: string, detail: object) => void} tell
   */
  #choice(reaction, tell) {
    const choice = element("button", "kt-tool");
    choice.addEventListener("click", () => {
      tell("krig-react", { reaction });
      this.#open(false);
      this.#smile.focus();
    });
    return choice;
  }

  /** @param {boolean} open */
  #open(open) {
    this.#choices.hidden = !open;
    this.#smile.setAttribute("aria-expanded", String(open));
  }
}
