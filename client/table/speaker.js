// What a screen reader hears: war and time at once, a round in one sentence, fast rounds merged.

import { element, setText } from "./dom.js";
import { listOf } from "../i18n.js";
import { callOf, potLine, roundSentence } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Note} Note */

/** A sentence waits this long, so that of fast rounds only the last is told. */
const SENTENCE_MS = 700;

export class Speaker {
  #status = element("p", "kt-unseen", { role: "status" });
  #alarm = element("p", "kt-unseen", { role: "alert" });
  #waiting = 0;
  /** The sentence that waits. */
  #sentence = "";
  /** The one that was told last. */
  #told = "";
  /** The war that was told last, and how. @type {{note: Note | null, text: string}} */
  #war = { note: null, text: "" };

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
    if (note?.kind === "war" && note !== this.#war.note) {
      // It would be heard before the round that it follows: so that goes first.
      const who = listOf(scene.fighting.map((seat) => callOf(view, seat, mine)));
      const said = [this.#take(), loud, `${who}.`].filter(Boolean);
      this.#war = { note, text: said.join(" ") };
    }
    const war = note?.kind === "war" ? this.#war.text : "";
    setText(this.#alarm, war || (isReason ? text : ""));
    if (note?.kind !== "won" || scene.pot > 0) return;
    this.hush();
    const sentence = roundSentence(note, view, mine);
    if (sentence === this.#told) return;
    this.#sentence = sentence;
    // After the last round nothing follows that it could be merged with.
    const say = () => this.say(this.#take());
    if (view.table?.waiting.length === 0) say();
    else this.#waiting = setTimeout(say, SENTENCE_MS);
  }

  /** The sentence that waits: it is told now. */
  #take() {
    const sentence = this.#sentence;
    this.hush();
    if (sentence) this.#told = sentence;
    return sentence;
  }

  /** @param {string} text  what is not about a round */
  say(text) {
    setText(this.#status, text);
  }

  /** Leave unsaid what waits. */
  hush() {
    clearTimeout(this.#waiting);
    this.#sentence = "";
  }
}
