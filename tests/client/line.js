/** What the tests of line and room stand on: a clock they move, a page, fake sockets. */

/** @typedef {import("../../client/protocol.js").Around} Around */

export class Wire {
  now = 1_000_000;
  hidden = false;
  /** @type {FakeSocket[]} */
  sockets = [];
  /** @type {{at: number, callback: () => void}[]} */
  #timers = [];
  /** @type {((what: import("../../client/protocol.js").Change) => void) | null} */
  #page = null;

  /** @type {Around} */
  around = {
    connect: () => {
      const socket = new FakeSocket();
      this.sockets.push(socket);
      return socket;
    },
    clock: {
      now: () => this.now,
      random: () => 1,
      after: (ms, callback) => {
        const timer = { at: this.now + ms, callback };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
    },
    page: {
      hidden: () => this.hidden,
      listen: (heard) => {
        this.#page = heard;
        return () => {
          this.#page = null;
        };
      },
    },
  };

  get socket() {
    const last = this.sockets.at(-1);
    if (last === undefined) throw new Error("no socket yet");
    return last;
  }

  /** @param {number} ms let so much time go by, and every timer that is due ring */
  pass(ms) {
    const end = this.now + ms;
    for (;;) {
      const next = this.#timers.sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#timers.shift();
      this.now = Math.max(this.now, next.at);
      next.callback();
    }
    this.now = end;
  }

  /** @param {import("../../client/protocol.js").Change} what */
  say(what) {
    if (what === "visible" || what === "hidden") this.hidden = what === "hidden";
    this.#page?.(what);
  }
}

class FakeSocket {
  /** @type {any[]} */
  sent = [];
  closed = false;
  /** @type {((event: any) => void) | null} */
  onopen = null;
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onclose = null;

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  /** The server takes the connection and the hello. */
  welcome(fields = {}) {
    this.onopen?.({});
    this.hear({
      type: "welcome",
      protocol: 1,
      server: "0",
      room: "KR071",
      player: null,
      epoch: "e",
      v: 0,
      sync: "in_sync",
      heartbeat_ms: 20_000,
      now: 0,
      deadline_ms: 15_000,
      ...fields,
    });
  }

  /** @param {object} message */
  hear(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** @param {number} code */
  die(code) {
    this.onclose?.({ code });
  }
}
