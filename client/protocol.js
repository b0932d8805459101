/**
 * One line to the server that never gives up: a socket, replaced whenever it is in doubt.
 *
 * Rule 1: a message of an older socket is ignored; the generation number tells.
 * Rule 2: `readyState` is not believed: what counts is what was heard, and when.
 * Rule 3: back-off 0.3 to 5 s with full jitter, for ever, but not while hidden.
 * Rule 4: no DOM and no globals: socket, clock and page come in as arguments.
 */

/** @typedef {import("./messages.d.ts").FromServer} FromServer */
/** @typedef {import("./messages.d.ts").FromClient} FromClient */
/** @typedef {import("./messages.d.ts").Hello} Hello */

/**
 * connecting: never yet welcomed; online: welcomed; offline: lost, trying again;
 * stopped: told not to come back.
 * @typedef {"connecting" | "online" | "offline" | "stopped"} Status
 */

/**
 * @typedef {object} Clock
 * @property {() => number} now ms, may jump
 * @property {(ms: number, callback: () => void) => () => void} after returns its undo
 * @property {() => number} random 0 to 1
 */

/**
 * back: the page returned, or the network may be gone; network: there is one again.
 * @typedef {"visible" | "hidden" | "back" | "network"} Change
 */

/**
 * @typedef {object} Page
 * @property {() => boolean} hidden
 * @property {(heard: (what: Change) => void) => () => void} listen
 *   returns its undo
 */

/**
 * What a socket must be able to do; a WebSocket is one.
 * @typedef {object} Socket
 * @property {(text: string) => void} send
 * @property {(code?: number) => void} close
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 */

/**
 * @typedef {object} Around
 * @property {(url: string, protocol: string) => Socket} connect
 * @property {Clock} clock
 * @property {Page} page
 */

const BACK_OFF = [300, 600, 1200, 2500, 5000];
const WELCOME_WITHIN = 6000;
const PROBE_WITHIN = 1500;
const JUMP = 3000;
const TICK = 1000;

export class Line {
  /** @type {Status} */
  status = "connecting";
  /** Why it stopped: a close code from 4500 to 4999. */
  reason = 0;

  #url;
  #around;
  #hello;
  #heard;
  #changed;
  #generation = 0;
  /** @type {Socket | null} */
  #socket = null;
  #attempt = 0;
  /** @type {number | null} */
  #retryAfter = null;
  #heartbeat = 20_000;
  #heardAt = 0;
  #tickedAt = 0;
  #welcomed = false;
  /** @type {(() => void) | null} */
  #undoRetry = null;
  /** @type {(() => void) | null} */
  #undoTick = null;
  /** @type {(() => void) | null} */
  #undoPage = null;

  /**
   * @param {object} of
   * @param {string} of.url
   * @param {() => Hello} of.hello what to say first on every new socket
   * @param {(message: FromServer) => void} of.heard
   * @param {() => void} of.changed the status is another
   * @param {Around} of.around
   */
  constructor({ url, hello, heard, changed, around }) {
    this.#url = url;
    this.#hello = hello;
    this.#heard = heard;
    this.#changed = changed;
    this.#around = around;
  }

  /** Connect, and stay connected. */
  open() {
    this.#undoPage = this.#around.page.listen((what) => this.#pageSays(what));
    this.#tickedAt = this.#around.clock.now();
    this.#tickLater();
    this.#connect();
  }

  /** Hang up for good. */
  close() {
    this.#drop();
    this.#undoTick?.();
    this.#undoPage?.();
  }

  /** Say hello again on a new socket, even after being told to stop. */
  restart() {
    this.#connect();
  }

  /**
   * @param {FromClient} message
   * @returns {boolean} false: not welcomed yet, so it was not sent
   */
  send(message) {
    if (!this.#welcomed) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Find out at once whether the server still hears us. */
  probe() {
    if (this.status === "stopped") return;
    if (this.#socket === null) this.#connect();
    else if (this.#welcomed) this.#ping();
  }

  #connect() {
    this.#drop();
    const mine = ++this.#generation;
    const socket = this.#around.connect(this.#url, "krig.1");
    this.#socket = socket;
    this.#heardAt = this.#around.clock.now();
    socket.onopen = () => {
      if (mine === this.#generation) socket.send(JSON.stringify(this.#hello()));
    };
    socket.onmessage = ({ data }) => {
      if (mine === this.#generation) this.#take(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (mine === this.#generation) this.#lost(code);
    };
    if (this.status === "stopped") this.#become("offline");
  }

  /** Forget the socket; whatever it still says is of an older generation. */
  #drop() {
    this.#undoRetry?.();
    this.#undoRetry = null;
    this.#generation++;
    this.#welcomed = false;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }

  /** @param {FromServer} message */
  #take(message) {
    this.#heardAt = this.#around.clock.now();
    if (message.type === "welcome") {
      this.#welcomed = true;
      this.#attempt = 0;
      this.#heartbeat = message.heartbeat_ms;
      this.#heard(message);
      this.#become("online");
      if (this.#around.page.hidden()) this.#sayHidden(true);
      return;
    }
    if (message.type === "ping") this.#sayHidden(this.#around.page.hidden());
    if (message.type === "drain") this.#retryAfter = message.retry_after_ms;
    this.#heard(message);
  }

  /** @param {number} code */
  #lost(code) {
    this.#drop();
    if (code >= 4500 && code <= 4999) {
      this.reason = code;
      this.#become("stopped");
      return;
    }
    if (this.status === "online") this.#become("offline");
    this.#tryLater();
  }

  #tryLater() {
    if (this.#around.page.hidden()) return; // `visible` will try.
    const most = BACK_OFF[Math.min(this.#attempt, BACK_OFF.length - 1)] ?? 5000;
    const wait = (this.#retryAfter ?? 0) + this.#around.clock.random() * most;
    this.#retryAfter = null;
    this.#attempt++;
    this.#undoRetry = this.#around.clock.after(wait, () => this.#connect());
  }

  #ping() {
    const asked = this.#around.clock.now();
    const mine = this.#generation;
    this.send({ type: "ping" });
    this.#around.clock.after(PROBE_WITHIN, () => {
      if (mine !== this.#generation || this.#heardAt > asked) return;
      this.#replace();
    });
  }

  #replace() {
    if (this.status === "online") this.#become("offline");
    if (this.#around.page.hidden()) this.#drop();
    else this.#connect();
  }

  #tickLater() {
    this.#undoTick = this.#around.clock.after(TICK, () => this.#tick());
  }

  #tick() {
    const now = this.#around.clock.now();
    const jumped = Math.abs(now - this.#tickedAt - TICK) > JUMP;
    const silent = now - this.#heardAt;
    this.#tickedAt = now;
    this.#tickLater();
    if (jumped) this.probe();
    else if (this.#socket === null) return;
    else if (this.#welcomed && silent > this.#heartbeat + 5000) this.#replace();
    else if (!this.#welcomed && silent > WELCOME_WITHIN) this.#lost(1006);
  }

  /** @param {Change} what */
  #pageSays(what) {
    if (what === "visible" || what === "hidden") this.#sayHidden(what === "hidden");
    // What was open before the network went will never answer: do not wait for it.
    if (what === "network" && this.status !== "stopped") this.#connect();
    else if (what !== "hidden") this.probe();
  }

  /** @param {boolean} hidden */
  #sayHidden(hidden) {
    this.send({ type: "pong", hidden });
  }

  /** @param {Status} status */
  #become(status) {
    if (this.status === status) return;
    this.status = status;
    this.#changed();
  }
}
