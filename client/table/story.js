// Plays what was told, step after step. Whatever cuts a story short lands at its last view.

import { plan, skippable, TEMPO } from "./plan.js";
import { follow, sceneOf } from "./scene.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./plan.js").Step} Step */
/** @typedef {{events: readonly ToldEvent[], view: View}} Told */
/**
 * Who draws.
 * @typedef {object} Stage
 * @property {(ms: number) => void} draw  the story's scene; 0 ms: at once
 * @property {(step: Step, ms: number) => void} move
 * @property {() => boolean} calm  nothing may fly
 */

export class Story {
  /** @type {Scene | null} */
  scene = null;
  /** The last view the story has come to. @type {View | null} */
  view = null;
  /** @type {Told[]} */
  #told = [];
  /** The scene before the first of them. @type {Scene | null} */
  #before = null;
  /** Goes up when a story is cut short: what still runs of it ends. */
  #number = 0;
  #playing = false;
  #stage;

  /** @param {Stage} stage */
  constructor(stage) {
    this.#stage = stage;
  }

  get playing() {
    return this.#playing;
  }

  /**
   * Be at this view, with nothing to say about how it came to be.
   * @param {View} view
   */
  jump(view) {
    this.stop();
    this.#told = [];
    this.#arrive(view, null);
  }

  /**
   * @param {readonly ToldEvent[]} events
   * @param {View} view  after them
   */
  tell(events, view) {
    this.#told.push({ events, view });
    if (!this.scene || document.hidden) return this.finish();
    const behind = skippable(this.#told);
    if (behind > 0) {
      this.stop();
      const skipped = this.#told.splice(0, behind).at(-1);
      if (skipped) this.#arrive(skipped.view, null);
    }
    if (!this.#playing) void this.#play();
  }

  /** Be at the end of what was told, now. */
  finish() {
    const before = this.#playing ? this.#before : this.scene;
    this.stop();
    const told = this.#told;
    const last = told.at(-1);
    this.#told = [];
    if (!last) return;
    const events = told.flatMap((one) => one.events);
    this.#arrive(last.view, before && events.reduce(follow, before));
  }

  /** Stay where the story is. */
  stop() {
    this.#number++;
    this.#playing = false;
  }

  async #play() {
    this.#playing = true;
    const number = ++this.#number;
    for (let told = this.#told[0]; told; told = this.#told[0]) {
      this.view ??= told.view;
      this.#before = this.scene;
      for (const step of this.scene ? plan(told.events, this.scene) : []) {
        this.scene = step.scene;
        await this.#show(step, step.ms * TEMPO[told.view.room.tempo]);
        if (number !== this.#number) return;
      }
      this.#told.shift();
      this.#arrive(told.view, this.scene);
    }
    this.#playing = false;
  }

  /**
   * @param {Step} step
   * @param {number} ms
   */
  #show(step, ms) {
    const calm = this.#stage.calm();
    const showing = step.motion === "show";
    this.#stage.draw(calm || !showing ? 0 : ms);
    if (!calm) this.#stage.move(step, ms);
    return new Promise((after) => setTimeout(after, calm && showing ? 0 : ms));
  }

  /**
   * @param {View} view
   * @param {Scene | null} before  whose last words are kept
   */
  #arrive(view, before) {
    this.view = view;
    this.scene = sceneOf(view, before);
    this.#stage.draw(0);
  }
}
