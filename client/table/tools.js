// Tempo, autoplay, pause and reactions: one row of small buttons.

import { t } from "../i18n.js";
import { icon, svg } from "./art.js";
import { element, setText } from "./dom.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../messages.d.ts").Tempo} Tempo */

/** @type {readonly Tempo[]} */
export const TEMPI = ["slow", "normal", "fast"];
const REACTIONS = 6;

/** Three bars, of which as many are lit as the tempo is high. */
function bars() {
  const heights = [9, 17, 25];
  const rects = heights.map((height, i) =>
    svg("rect", { x: 3 + i * 9.5, y: 29 - height, width: 7, height, rx: 1.5 }),
  );
  return svg(
    "svg",
    { class: "kt-icon kt-bars", viewBox: "0 0 32 32", "aria-hidden": "true" },
    ...rects,
  );
}

export class Tools {
  #tempo = element("button", "kt-tool kt-tempo");
  #tempoText = element("span", "");
  #auto = element("button", "kt-tool kt-auto", { role: "switch" });
  #autoText = element("span", "");
  #pause = element("button", "kt-tool kt-pause");
  /** The same once more among the reactions, for where the row has no room. */
  #pauseToo = element("button", "kt-tool kt-pause-too");
  #smile = element("button", "kt-tool", { "aria-expanded": "false" });
  #choices = element("div", "kt-reactions");
  #reactions;
  /** @type {Tempo} */
  #now = "normal";
  #isAuto = false;
  #isPaused = false;

  /** @param {(type: string, detail: object) => void} tell */
  constructor(tell) {
    this.#tempo.append(bars(), this.#tempoText);
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
    for (const button of [this.#pause, this.#pauseToo]) {
      button.addEventListener("click", () => {
        tell("krig-pause", { on: !this.#isPaused });
        this.#open(false);
      });
    }
    this.#smile.addEventListener("click", () =>
      this.#open(this.#choices.hidden !== false),
    );
    this.#reactions = Array.from({ length: REACTIONS }, (_, n) =>
      this.#choice(n, tell),
    );
    this.#choices.append(...this.#reactions, this.#pauseToo);
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
    setText(this.#tempoText, t(`tempo.${this.#now}`));
    this.#tempo.setAttribute(
      "aria-label",
      t("table.tempo", { tempo: t(`tempo.${this.#now}`) }),
    );
    setText(this.#autoText, t("table.auto"));
    this.#auto.setAttribute("aria-checked", String(auto));
    if (paused !== this.#isPaused || !this.#pause.firstChild) {
      this.#pause.replaceChildren(icon(paused ? "play" : "pause"));
    }
    this.#isPaused = paused;
    const pause = t(paused ? "table.resume" : "table.pause");
    this.#pause.setAttribute("aria-label", pause);
    setText(this.#pauseToo, pause);
    this.#smile.setAttribute("aria-label", t("table.react"));
    this.#reactions.forEach((choice, n) => setText(choice, t(`table.react.${n}`)));
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
