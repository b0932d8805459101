// What a screen reader hears: war and time at once, a round in one sentence, fast rounds merged.

import { element, setText } from "./dom.js";
import { potLine, roundSentence } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Scene} Scene */

/** A sentence waits this long, so that of fast rounds only the last is told. */
const SENTENCE_MS = 700;

export class Speaker {
  #status = element("p", "kt-unseen", { role: "status" });
  #alarm = element("p", "kt-unseen", { role: "alert" });
  #waiting = 0;

  get elements() {
    return [this.#status, this.#alarm];
  }

  /**
   * @param {Scene} scene
   * @param {View} view
   * @param {number | null} mine
   */
  speak(scene, view, mine) {
    const { note } = scene;
    const { loud, text } = potLine(scene, view, mine);
    const isReason = note?.kind === "time" || note?.kind === "void";
    setText(this.#alarm, note?.kind === "war" ? loud : isReason ? text : "");
    if (note?.kind !== "won" || scene.pot > 0) return;
    this.hush();
    const say = () => setText(this.#status, roundSentence(note, view, mine));
    // After the last round nothing follows that it could be merged with.
    if (view.table?.waiting.length === 0) say();
    else this.#waiting = setTimeout(say, SENTENCE_MS);
  }

  /** @param {string} text  what is not about a round */
  say(text) {
    setText(this.#status, text);
  }

  /** Leave unsaid what waits. */
  hush() {
    clearTimeout(this.#waiting);
  }
}
