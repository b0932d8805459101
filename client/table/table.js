// The table: `show` a state, `tell` what happened. It knows no rule of War and no server:
// what it shows comes in as views and events, what a player wants goes out as CustomEvents.

import { onLanguage, t } from "../i18n.js";
import { element, setText } from "./dom.js";
import { FlipButton } from "./flip-button.js";
import { Head } from "./head.js";
import { keysOf } from "./keys.js";
import { Lanes } from "./lanes.js";
import { shapeOf } from "./layout.js";
import { potLine, seated } from "./say.js";
import { Speaker } from "./speaker.js";
import { Story } from "./story.js";
import { Tools } from "./tools.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("./scene.js").Me} Me */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */

const BUBBLE_MS = 2000;
/** The upper player's key and the lower one's, where nobody chose others. */
const TWO_KEYS = "fj";
/** A line of more letters is written smaller where there is little room. */
const LONG_LINE = 24;
/** In a lower box names stand beside the cards with two players, too. */
const LOW = 500;

export class KrigTable extends HTMLElement {
  /** @type {View | null} */
  #view = null;
  /** @type {Me} */
  #me = { seat: null, watchers: 0, online: true };
  #story = new Story({
    draw: (ms) => this.#drawAll(ms),
    move: (step, ms) => this.#lanes.move(step, ms),
    calm: () => this.#isCalm,
  });
  #followed = 0;
  /** @type {{seat: number} | null} */
  #second = null;
  #live = new AbortController();
  #head = new Head(() => this.#ask("krig-menu", {}));
  #lanes = new Lanes();
  #pot = element("p", "kt-pot");
  #loud = element("strong", "kt-loud");
  #text = element("span", "");
  #speaker = new Speaker();
  #tools = new Tools((type, detail) => this.#ask(type, detail));
  #button = new FlipButton((type, detail) => this.#ask(type, detail));
  #across = new FlipButton((type, detail) => this.#ask(type, detail));

  connectedCallback() {
    this.#live = new AbortController();
    const { signal } = this.#live;
    if (!this.firstChild) this.#furnish();
    onLanguage(() => this.#renamed(), signal);
    const keys = keysOf((type, detail) => this.#ask(type, detail), {
      press: (across) => (across ? this.#across : this.#button).press(),
      auto: () => this.#isAuto,
      two: () => (this.#second === null ? null : (this.dataset["keys"] ?? TWO_KEYS)),
      active: () =>
        this.#view?.table != null &&
        this.#me.seat !== null &&
        !this.#me.replay &&
        this.checkVisibility?.() !== false,
    });
    document.addEventListener("keydown", keys, { signal });
    const watch = new ResizeObserver(() => this.#resized());
    watch.observe(this);
    watch.observe(this.#lanes.element);
    const clock = setInterval(() => this.#tick(), 1000);
    signal.addEventListener("abort", () => {
      watch.disconnect();
      clearInterval(clock);
    });
  }

  disconnectedCallback() {
    this.#live.abort();
    this.#story.stop();
    this.#speaker.hush();
  }

  /** The second player on this screen sits across: the upper lane is turned to them. */
  get second() {
    return this.#second;
  }

  set second(second) {
    if (second?.seat === this.#second?.seat) return;
    this.#second = second;
    this.#across.element.hidden = second === null;
    this.#drawAll(0);
    this.#drawControls();
  }

  /** Whether something is still being shown. */
  get playing() {
    return this.#story.playing;
  }

  /** The seat at the bottom while watching. */
  get followed() {
    return this.#followed;
  }

  /**
   * Jump to this state, whatever is still moving.
   * @param {View} view
   * @param {Me} me
   */
  show(view, me) {
    this.#accept(view, me);
    this.#story.jump(view);
  }

  /**
   * Play what one entry told, ending at `view`.
   * @param {readonly ToldEvent[]} events
   * @param {View} view
   * @param {Me} me
   */
  tell(events, view, me) {
    this.#accept(view, me);
    this.#story.tell(events, view);
  }

  /**
   * Somebody's reaction, beside their lane.
   * @param {number} seat
   * @param {number} reaction
   */
  react(seat, reaction) {
    this.#lanes.say(seat, t(`table.react.${reaction}`));
    setTimeout(() => this.#lanes.say(seat, ""), BUBBLE_MS);
  }

  get #isCalm() {
    return (
      this.dataset["motion"] === "off" ||
      matchMedia("(prefers-reduced-motion: reduce)").matches
    );
  }

  get #isAuto() {
    const seats = this.#view ? seated(this.#view) : [];
    return seats[this.#me.seat ?? -1]?.state === "auto";
  }

  /**
   * What a player may do follows from the newest view, at once.
   * @param {View} view
   * @param {Me} me
   */
  #accept(view, me) {
    const before = this.#view && { tempo: this.#view.room.tempo, auto: this.#isAuto };
    this.#view = view;
    this.#me = me;
    if (before) this.#tellControls(before);
    this.#followed = me.followed ?? this.#followed;
    this.#drawControls();
  }

  /**
   * By ear what a key changed; a small button with the focus says it itself.
   * @param {{tempo: import("../messages.d.ts").Tempo, auto: boolean}} before
   */
  #tellControls({ tempo, auto }) {
    const now = this.#view?.room.tempo;
    if (this.#me.replay || this.#tools.row.contains(document.activeElement)) return;
    if (now && now !== tempo) {
      this.#speaker.say(t("table.tempo", { tempo: t(`tempo.${now}`) }));
    }
    if (this.#me.seat !== null && this.#isAuto !== auto) {
      this.#speaker.say(t(this.#isAuto ? "table.auto.on" : "table.auto.off"));
    }
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #ask(type, detail) {
    if (type === "krig-flip") this.#story.finish();
    if (type === "krig-follow" && this.#view?.table) {
      this.#followed = (this.#followed + 1) % this.#view.table.hands.length;
      detail = { seat: this.#followed };
      this.#story.finish();
      this.#drawAll(0);
    }
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));
  }

  #furnish() {
    const words = element("span", "");
    words.append(this.#loud, " ", this.#text);
    this.#pot.append(words);
    this.#across.element.classList.add("kt-turned");
    this.#across.element.hidden = this.#second === null;
    this.append(
      this.#across.element,
      this.#head.row,
      this.#head.bar,
      this.#lanes.element,
      this.#pot,
      this.#tools.row,
      this.#button.element,
      ...this.#speaker.elements,
    );
  }

  /** @param {number} ms  how long cards take to their places; 0: at once */
  #drawAll(ms) {
    const { scene, view } = this.#story;
    if (!scene || !view) return;
    this.#shape();
    this.#lanes.turned = this.#second?.seat ?? null;
    const players = scene.hands.length;
    const bottom = (this.#me.seat ?? this.#followed) % players;
    const teams = view.room.rules["teams"] === true;
    this.#lanes.element.classList.toggle("kt-teams", teams);
    if (this.#lanes.seat(players, bottom)) this.#measure();
    const mine = this.#second ? null : this.#me.seat;
    this.#lanes.draw(scene, this.#view ?? view, mine, ms);
    this.#head.draw(view, this.#me, scene);
    const { loud, text } = potLine(scene, view, mine);
    setText(this.#loud, loud);
    setText(this.#text, text);
    this.#pot.classList.toggle("kt-long", text.length > LONG_LINE);
    this.#speaker.speak(scene, view, mine);
  }

  #drawControls() {
    const view = this.#view;
    if (!view) return;
    const { seat, online, replay = false, wishes } = this.#me;
    this.classList.toggle("kt-replay", replay);
    this.classList.toggle("kt-watching", seat === null);
    this.classList.toggle(
      "kt-resting",
      view.room.paused !== null || view.room.asleep || !online,
    );
    this.classList.toggle("kt-two", this.#second !== null);
    this.#tools.row.hidden = seat === null || this.#second !== null;
    this.#tools.draw(view, this.#isAuto);
    this.#button.named = this.#across.named = this.#second !== null;
    if (seat === null) this.#button.drawWatching(view, this.#followed, wishes);
    else this.#button.draw(view, seat, online);
    if (this.#second) this.#across.draw(view, this.#second.seat, online);
  }

  #tick() {
    const { scene, view } = this.#story;
    if (scene && view?.table?.clock) this.#head.draw(view, this.#me, scene);
  }

  #renamed() {
    this.#lanes.rename();
    this.#drawAll(0);
    this.#drawControls();
  }

  #shape() {
    const { clientWidth: width, clientHeight: height } = this;
    const shape = shapeOf(width, height, this.#me.seat === null);
    const low = shape === "small" && height < LOW;
    const above = this.#view?.table?.hands.length === 2 && !low;
    this.dataset["shape"] = shape;
    this.classList.toggle("kt-low", low);
    this.classList.toggle("kt-beside", !above || shape === "wide" || shape === "big");
  }

  #measure() {
    this.#lanes.measure(Number(this.#view?.room.rules["war_down"] ?? 1));
  }

  #resized() {
    this.#shape();
    this.#measure();
    if (!this.#story.playing) this.#drawAll(0);
  }
}

customElements.define("krig-table", KrigTable);
