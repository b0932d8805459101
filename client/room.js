/**
 * One player's, or watcher's, place in a room: the line, the state, and the duties of a
 * fair deal that the page does by itself.
 *
 * Rule 1: a token is stored before it is sent, a nonce before its commitment is.
 * Rule 2: whatever was asked and not answered is asked again after a resume; every
 * command says what should be so, so that is harmless.
 * Rule 3: no DOM.
 */

import { commitment, secret } from "./fair.js";
import { Line } from "./protocol.js";
import { mySeat, reduce, start } from "./state.js";
import * as storage from "./storage.js";

/** @typedef {import("./messages.d.ts").Command} Command */
/** @typedef {import("./messages.d.ts").FromServer} FromServer */
/** @typedef {import("./messages.d.ts").WireError} WireError */
/** @typedef {import("./protocol.js").Around} Around */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./storage.js").Who} Who */
/** @typedef {import("./messages.d.ts").Tempo} Tempo */

/** @typedef {{ok: true, v: number} | {ok: false, error: WireError}} Answer */

/** Refusals of a flip that came too late: nothing a player needs to hear of. */
const LATE = ["stale", "future", "not_in_battle", "no_game", "game_over"];
const TRIES = 5;
/** After these a player says for themselves whether they are ready. */
const ENDS_READY = ["dealt", "left", "moved"];

/**
 * Tells `change` ({before, state}), `status`, `refused` (a WireError), `reaction`, and
 * `offered` (a seat's one-time code).
 */
export class Room extends EventTarget {
  /** @type {State} */
  state = start();
  /** My seat was offered to another device. */
  gaveAway = false;
  /** What to add to this device's clock to have the server's (ms). */
  clockOffset = 0;

  #code;
  #who;
  #around;
  /** @type {string | null} */
  #token;
  #line;
  #nextId = 1;
  /** @type {Map<number, {command: Command, tries: number, done: (answer: Answer) => void}>} */
  #asked = new Map();
  /** @type {{type: "flip", game: number, round: number, battle: number} | null} */
  #flip = null;
  /** The duty last done, so that it is done once. */
  #duty = "";
  #resyncing = false;
  /** What was asked too fast will be asked again. */
  #waits = false;
  /** Whether the player wants to be ready, and on which rules. */
  #wantsReady = false;
  #agreed = "";
  /** @type {import("./messages.d.ts").DealView | null} */
  #deal = null;

  /**
   * @param {object} of
   * @param {string} of.code
   * @param {string} of.url of the socket
   * @param {Around} of.around
   * @param {Who} [of.who]
   * @param {boolean} [of.watch] only watch, even where this device holds a seat
   * @param {boolean} [of.sits] a seat will be asked for, so have the token for it
   */
  constructor({ code, url, around, who = "first", watch = false, sits = false }) {
    super();
    this.#code = code;
    this.#who = who;
    this.#around = around;
    this.#token = watch ? null : (storage.room(code).tokens[who] ?? null);
    if (sits && !watch) this.#token ??= this.#makeToken();
    this.#line = new Line({
      url,
      around,
      hello: () => ({
        type: "hello",
        protocol: 1,
        room: code,
        token: this.#token,
        epoch: this.state.view === null ? null : this.state.epoch,
        v: this.state.view === null ? 0 : this.state.v,
      }),
      heard: (message) => this.#take(message),
      changed: () => this.dispatchEvent(new Event("status")),
    });
  }

  get code() {
    return this.#code;
  }

  get status() {
    return this.#line.status;
  }

  /** Why the server told us to stop: a close code from 4500 on. */
  get reason() {
    return this.#line.reason;
  }

  get view() {
    return this.state.view;
  }

  /** My seat, or null where I watch. */
  get seat() {
    return mySeat(this.state);
  }

  /** I can only watch: there is no token to sit with. */
  get watches() {
    return this.#token === null;
  }

  get isOwner() {
    const owner = this.state.view?.room.owner ?? null;
    return owner !== null && owner === this.state.player;
  }

  open() {
    this.#line.open();
    return this;
  }

  close() {
    this.#line.close();
    this.dispatchEvent(new Event("closed"));
  }

  /** Come back after another window took over. */
  playHere() {
    this.#line.restart();
  }

  /** Go on as a watcher: the seat is not ours any more. */
  watchOnly() {
    this.#lose();
    this.#line.restart();
  }

  /**
   * Ask for something and be told how it went, however long that takes.
   * @param {Command} command
   * @returns {Promise<Answer>}
   */
  ask(command) {
    const id = this.#nextId++;
    return new Promise((done) => {
      const asked = { command: { ...command, id }, tries: 0, done };
      this.#asked.set(id, asked);
      this.#line.send(asked.command);
    });
  }

  /**
   * Take a seat.
   * @param {string} name
   * @param {number | null} [seat] null: the first free one
   */
  sit(name, seat = null) {
    if (this.#token === null) {
      this.#token = this.#makeToken();
      this.#line.restart();
    }
    return this.ask({ type: "sit", name, seat });
  }

  leave() {
    return this.ask({ type: "leave" });
  }

  /**
   * Be ready for the next game, bound to a new nonce; or not.
   * @param {boolean} on
   */
  ready(on) {
    const { view } = this.state;
    const seat = this.seat;
    if (view === null || seat === null) return Promise.resolve(refusal("not_seated"));
    const { game, terms, deal } = view.room;
    this.#wantsReady = on;
    this.#agreed = termsOf(view);
    if (!on) return this.ask({ type: "ready", game, terms, on });
    const nonce = secret();
    const nonces = {
      ...storage.room(this.#code).nonces,
      [this.#who]: { id: deal.id, nonce },
    };
    storage.changeRoom(this.#code, { nonces });
    const place = view.seats.slice(0, seat).filter((taken) => taken !== null).length;
    return this.ask({
      type: "ready",
      game,
      terms,
      on,
      commitment: commitment(deal.id, place, nonce),
    });
  }

  /**
   * Whether this page says again by itself what its player said: that they are ready,
   * because somebody only sat down and the rules are as they were.
   * @param {readonly import("./messages.d.ts").ToldEvent[]} events of one entry
   */
  staysReady(events) {
    return this.#wantsReady && onlySat(events) !== null;
  }

  start() {
    const game = this.state.view?.room.game ?? 0;
    return this.ask({ type: "start", game });
  }

  /** Turn up my card for the battle that the table is in. */
  flip() {
    const { view } = this.state;
    if (view?.table == null) return;
    const { round, battle } = view.table;
    this.#flip = { type: "flip", game: view.room.game, round, battle };
    this.#line.send(this.#flip);
  }

  /** @param {boolean} on */
  auto(on) {
    return this.ask({ type: "auto", on });
  }

  /**
   * @param {Tempo} tempo
   * @param {boolean} [wars] wars play themselves
   */
  tempo(tempo, wars = this.state.view?.room.wars_by_table ?? false) {
    return this.ask({ type: "tempo", tempo, wars });
  }

  /** @param {boolean} on */
  pause(on) {
    return this.ask({ type: "pause", on });
  }

  /** @param {number} reaction 0 to 5 */
  react(reaction) {
    this.#line.send({ type: "react", reaction });
  }

  /**
   * Wait until the state is so.
   * @param {(state: State) => boolean} isSo
   * @param {AbortSignal} [signal] gives up
   * @returns {Promise<State>}
   */
  until(isSo, signal) {
    if (isSo(this.state)) return Promise.resolve(this.state);
    return new Promise((done, fail) => {
      const stop = new AbortController();
      const give = () => {
        stop.abort();
        fail(new Error("given up"));
      };
      signal?.addEventListener("abort", give, { signal: stop.signal });
      this.addEventListener("closed", give, { signal: stop.signal });
      this.addEventListener(
        "change",
        () => {
          if (!isSo(this.state)) return;
          stop.abort();
          done(this.state);
        },
        { signal: stop.signal },
      );
    });
  }

  /**
   * The deal that this page saw being bound, before its cards were on the table.
   * @param {string} id
   */
  dealtUnder(id) {
    return this.#deal?.id === id ? this.#deal : null;
  }

  /** @param {FromServer} message */
  #take(message) {
    const before = this.state;
    this.state = reduce(before, message);
    switch (message.type) {
      case "welcome":
        this.clockOffset = message.now - this.#around.clock.now();
        this.#resyncing = false;
        this.#askAgain();
        break;
      case "you":
        if (message.player === null) this.#lose();
        break;
      case "snapshot":
        this.#resyncing = false;
        break;
      case "ack":
        this.#answered(message.id, { ok: true, v: message.v });
        return;
      case "error":
        this.#refused(message);
        return;
      case "offered":
        this.gaveAway ||= message.seat === this.seat;
        this.dispatchEvent(new CustomEvent("offered", { detail: message }));
        return;
      case "reaction":
        this.dispatchEvent(new CustomEvent("reaction", { detail: message }));
        return;
    }
    // From now on home leads back here, even if the page is left before the game.
    if (mySeat(before) === null && this.seat !== null)
      storage.changeRoom(this.#code, { seated: true });
    const room = this.state.view?.room;
    if (room && room.phase !== "lobby") this.#deal = room.deal;
    if (this.state.gap && !this.#resyncing) {
      this.#resyncing = this.#line.send({ type: "resync" });
    }
    for (const { events } of this.state.told) this.#heedCleared(events);
    this.dispatchEvent(
      new CustomEvent("change", { detail: { before, state: this.state } }),
    );
    this.#doDuties();
  }

  /** @param {readonly import("./messages.d.ts").ToldEvent[]} events of one entry */
  #heedCleared(events) {
    if (events.some(({ type }) => ENDS_READY.includes(type))) this.#wantsReady = false;
    if (!events.some(({ type }) => type === "ready_cleared")) return;
    if (this.staysReady(events)) void this.ready(true);
    else this.#wantsReady = false;
  }

  /** A token that is kept before anyone else sees it. */
  #makeToken() {
    const kept = storage.room(this.#code);
    const token = kept.tokens[this.#who] ?? secret();
    const tokens = { ...kept.tokens, [this.#who]: token };
    storage.changeRoom(this.#code, { tokens });
    return token;
  }

  /** The seat is given up: its token is dead, and sitting down again takes a new one. */
  #lose() {
    this.#token = null;
    storage.forgetRoom(this.#code);
  }

  /** Whatever has no answer yet is asked again. */
  #askAgain() {
    for (const { command } of this.#asked.values()) this.#line.send(command);
    if (this.state.gap) this.#resyncing = this.#line.send({ type: "resync" });
    const { view } = this.state;
    const flip = this.#flip;
    const seat = this.seat;
    if (flip === null || view?.table == null || seat === null) return;
    const same = flip.game === view.room.game && flip.round === view.table.round;
    const waits =
      same && flip.battle === view.table.battle && !view.table.flipped.includes(seat);
    if (waits) this.#line.send(flip);
  }

  /**
   * @param {number} id
   * @param {Answer} answer
   */
  #answered(id, answer) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.done(answer);
  }

  /** @param {WireError} error */
  #refused(error) {
    const asked = error.id === null ? undefined : this.#asked.get(error.id);
    if (asked && error.retry && asked.tries++ < TRIES) {
      const again = () => this.#line.send(asked.command);
      this.#around.clock.after(error.retry_after_ms ?? 500, again);
      return;
    }
    if (error.id !== null) this.#answered(error.id, { ok: false, error });
    else if (error.retry) {
      // Thrown away unread, so it cannot say what it was.
      const again = () => {
        this.#waits = false;
        this.#askAgain();
      };
      if (!this.#waits) this.#around.clock.after(error.retry_after_ms ?? 500, again);
      this.#waits = true;
      return;
    }
    if (error.id === null && LATE.includes(error.code)) return;
    if (asked?.command.type === "ready" && error.code === "stale_terms") {
      // Two who sit down at once: the second one's seat made the first one's word stale.
      const { view } = this.state;
      const same = view?.room.phase === "lobby" && termsOf(view) === this.#agreed;
      if (this.#wantsReady && same) return void this.ready(true);
      this.#wantsReady = false;
    }
    this.dispatchEvent(new CustomEvent("refused", { detail: error }));
  }

  /** My part in the fair deal, which the page does by itself. */
  #doDuties() {
    const { view } = this.state;
    const seat = this.seat;
    if (view === null || seat === null) return;
    const { deal, game, terms } = view.room;
    const kept = storage.room(this.#code).nonces[this.#who];
    const nonce = kept?.id === deal.id ? kept.nonce : null;
    const mine = view.seats[seat];
    const due =
      (deal.stage === "reveal" &&
        deal.missing.includes(seat) &&
        nonce !== null &&
        "reveal") ||
      (deal.stage === "commit" && deal.missing.includes(seat) && "commit") ||
      (deal.stage === "open" && mine?.ready === true && nonce === null && "lost");
    const duty = `${due} ${game} ${terms} ${deal.id}`;
    if (due === false || duty === this.#duty) return;
    this.#duty = duty;
    if (due === "reveal" && nonce !== null) {
      void this.ask({ type: "reveal", game, terms, nonce });
    } else {
      void this.ready(true);
    }
  }
}

/**
 * What a player agrees to by being ready, but for who sits here.
 * @param {import("./messages.d.ts").View} view
 */
function termsOf({ room }) {
  return JSON.stringify([room.rules, room.game_code]);
}

/**
 * Who sat down, if that is all that took back everybody's *ready*.
 * @param {readonly import("./messages.d.ts").ToldEvent[]} events of one entry
 * @returns {string | null}
 */
export function onlySat(events) {
  let name = null;
  for (const event of events) {
    if (event.type === "left" || event.type === "moved") return null;
    if (event.type === "ready_cleared" && event.why !== "seats") return null;
    if (event.type === "sat") name = event.name;
  }
  return name;
}

/**
 * @param {string} code
 * @returns {Answer}
 */
function refusal(code) {
  return {
    ok: false,
    error: { type: "error", id: null, code, message: code, retry: false },
  };
}
