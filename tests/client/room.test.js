import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { commitment } from "../../client/fair.js";
import { Room } from "../../client/room.js";
import * as storage from "../../client/storage.js";
import { Wire } from "./line.js";

const ID = "00".repeat(16);

/**
 * @param {object} [room]
 * @param {object} [more]
 * @returns {any}
 */
const view = (room, more) => ({
  room: {
    code: "KR071",
    phase: "lobby",
    game: 1,
    terms: 2,
    owner: 1,
    rules: {},
    deal: { id: ID, commitment: "", stage: "open", missing: [0], withheld: [] },
    ...room,
  },
  seats: [
    {
      player: 1,
      name: "Kari",
      kind: "human",
      ready: false,
      commitment: null,
      state: "here",
    },
    null,
    {
      player: 7,
      name: "Ola",
      kind: "human",
      ready: false,
      commitment: null,
      state: "here",
    },
    null,
  ],
  table: null,
  last: null,
  ...more,
});

function entered(seen = view()) {
  const wire = new Wire();
  const room = new Room({ code: "KR071", url: "", around: wire.around }).open();
  wire.socket.welcome({ player: 7, v: 5 });
  wire.socket.hear({ type: "snapshot", v: 5, view: seen });
  return { wire, room };
}

beforeEach(() => storage.forgetAll());

test("a token is kept before it is sent, and is the same after a reload", () => {
  const wire = new Wire();
  const room = new Room({ code: "KR071", url: "", around: wire.around }).open();
  wire.socket.welcome();
  assert.equal(wire.socket.sent[0].token, null);
  void room.sit("Kari");
  const kept = storage.room("KR071").tokens.first;
  assert.match(kept ?? "", /^[0-9a-f]{64}$/);
  wire.socket.welcome();
  assert.equal(wire.socket.sent[0].token, kept);
  assert.deepEqual(wire.socket.sent[1], {
    type: "sit",
    name: "Kari",
    seat: null,
    id: 1,
  });
  const later = new Wire();
  new Room({ code: "KR071", url: "", around: later.around }).open();
  later.socket.welcome();
  assert.equal(later.socket.sent[0].token, kept);
});

test("home leads back to a room as soon as I am seen to sit in it", () => {
  const wire = new Wire();
  new Room({ code: "KR071", url: "", around: wire.around }).open();
  wire.socket.welcome({ player: 7, v: 5 });
  assert.deepEqual(storage.rooms(), []);
  wire.socket.hear({ type: "snapshot", v: 5, view: view() });
  assert.deepEqual(storage.rooms(), ["KR071"]);
});

test("ready binds me to a nonce that is kept, at my place among the taken seats", () => {
  const { wire, room } = entered();
  void room.ready(true);
  const sent = wire.socket.sent.at(-1);
  const kept = storage.room("KR071").nonces.first;
  assert.equal(kept?.id, ID);
  // Seat 2 is the second taken one.
  assert.equal(sent.commitment, commitment(ID, 1, kept?.nonce ?? ""));
  assert.deepEqual([sent.game, sent.terms, sent.on], [1, 2, true]);
});

test("when the room is dealing, my nonce is shown, once", () => {
  const { wire, room } = entered();
  void room.ready(true);
  const nonce = storage.room("KR071").nonces.first?.nonce;
  const deal = { id: ID, commitment: "", stage: "reveal", missing: [2], withheld: [] };
  for (const v of [6, 7]) {
    wire.socket.hear({
      type: "snapshot",
      v,
      view: view({ phase: "dealing", terms: 3, deal }),
    });
  }
  const reveals = wire.socket.sent.filter((message) => message.type === "reveal");
  assert.deepEqual(reveals, [{ type: "reveal", game: 1, terms: 3, nonce, id: 2 }]);
});

test("another attempt gets a new nonce on the new terms, by itself", () => {
  const { wire, room } = entered();
  void room.ready(true);
  const first = storage.room("KR071").nonces.first?.nonce;
  const deal = {
    id: "11".repeat(16),
    commitment: "",
    stage: "commit",
    missing: [2],
    withheld: [0],
  };
  wire.socket.hear({
    type: "snapshot",
    v: 6,
    view: view({ phase: "dealing", terms: 9, deal }),
  });
  const sent = wire.socket.sent.at(-1);
  assert.deepEqual([sent.type, sent.terms, sent.on], ["ready", 9, true]);
  assert.notEqual(storage.room("KR071").nonces.first?.nonce, first);
});

test("who is ready but has lost the nonce says ready again", () => {
  const ready = view();
  ready.seats[2].ready = true;
  const { wire } = entered(ready);
  assert.equal(wire.socket.sent.at(-1).type, "ready");
});

test("what was asked and not answered is asked again after a resume", async () => {
  const { wire, room } = entered();
  const answer = room.ask({ type: "auto", on: true });
  wire.socket.die(1006);
  wire.pass(300);
  wire.socket.welcome({ player: 7 });
  assert.deepEqual(wire.socket.sent.at(-1), { type: "auto", on: true, id: 1 });
  wire.socket.hear({ type: "ack", id: 1, v: 6 });
  assert.deepEqual(await answer, { ok: true, v: 6 });
  wire.socket.die(1006);
  wire.pass(300);
  wire.socket.welcome({ player: 7 });
  assert.equal(wire.socket.sent.length, 1);
});

test("a flip that the server has not told is made again, one that it has is not", () => {
  const table = { round: 4, battle: 1, waiting: [2], flipped: [], hands: [] };
  const { wire, room } = entered(view({ phase: "playing" }, { table }));
  room.flip();
  const flip = { type: "flip", game: 1, round: 4, battle: 1 };
  assert.deepEqual(wire.socket.sent.at(-1), flip);
  wire.socket.die(1006);
  wire.pass(300);
  wire.socket.welcome({ player: 7 });
  assert.deepEqual(wire.socket.sent.at(-1), flip);
  wire.socket.hear({
    type: "events",
    v: 6,
    entries: [[{ type: "flipped", seat: 2, by: "player" }]],
  });
  wire.socket.die(1006);
  wire.pass(300);
  wire.socket.welcome({ player: 7 });
  assert.equal(wire.socket.sent.length, 1);
});

test("a refusal that may work again is tried again, any other is handed on", async () => {
  const { wire, room } = entered();
  const answer = room.ask({ type: "start", game: 1 });
  const error = {
    type: "error",
    id: 1,
    code: "busy",
    message: "",
    retry: true,
    retry_after_ms: 100,
  };
  wire.socket.hear(error);
  wire.pass(100);
  assert.equal(
    wire.socket.sent.filter((message) => message.type === "start").length,
    2,
  );
  wire.socket.hear({ ...error, code: "not_ready", retry: false });
  assert.equal((await answer).ok, false);
});

const TOO_FAST = {
  type: "error",
  id: null,
  code: "too_fast",
  message: "",
  retry: true,
  retry_after_ms: 200,
};

test("what was thrown away as too fast is asked again, once, and nothing else is", async () => {
  const { wire, room } = entered();
  const answer = room.ask({ type: "sit", name: "Liv", seat: 1 });
  void room.pause(true);
  wire.socket.hear({ type: "ack", id: 1, v: 6 });
  await answer;
  const sent = wire.socket.sent.length;
  for (let i = 0; i < 3; i++) wire.socket.hear(TOO_FAST);
  wire.pass(199);
  assert.equal(wire.socket.sent.length, sent);
  wire.pass(1);
  assert.deepEqual(wire.socket.sent.slice(sent), [{ type: "pause", on: true, id: 2 }]);
  wire.socket.hear(TOO_FAST);
  wire.pass(200);
  assert.equal(wire.socket.sent.length, sent + 2);
});

test("a reveal, a flip and the wish for a snapshot are not lost by being too fast", () => {
  const nonces = { first: { id: ID, nonce: "ab" } };
  storage.changeRoom("KR071", { nonces });
  const deal = { id: ID, commitment: "", stage: "reveal", missing: [2], withheld: [] };
  const table = { round: 4, battle: 1, waiting: [2], flipped: [], hands: [] };
  const { wire, room } = entered(view({ phase: "dealing", deal }, { table }));
  room.flip();
  wire.socket.hear({ type: "events", v: 9, entries: [[{ type: "slept" }]] });
  const first = wire.socket.sent.slice(1);
  assert.deepEqual(
    first.map(({ type }) => type),
    ["reveal", "flip", "resync"],
  );
  wire.socket.hear(TOO_FAST);
  wire.pass(200);
  const again = wire.socket.sent.slice(1 + first.length);
  assert.deepEqual(
    again.map(({ type }) => type),
    ["reveal", "resync", "flip"],
  );
});

test("a gap asks for a snapshot, once", () => {
  const { wire } = entered();
  for (const v of [9, 10]) {
    wire.socket.hear({ type: "events", v, entries: [[{ type: "slept" }]] });
  }
  assert.equal(
    wire.socket.sent.filter((message) => message.type === "resync").length,
    1,
  );
});

/** Seats in which Ola is as ready as said, and Liv sits or not. */
const seats = (/** @type {boolean} */ ready, /** @type {boolean} */ liv) => {
  const [kari, , ola] = view().seats;
  return [
    kari,
    liv ? { ...kari, player: 9, name: "Liv" } : null,
    { ...ola, ready },
    null,
  ];
};

test("who was ready says so again by itself when somebody only sat down", () => {
  const { wire, room } = entered();
  void room.ready(true);
  wire.socket.hear({
    type: "events",
    v: 6,
    entries: [[{ type: "seats", seats: seats(true, false) }]],
  });
  wire.socket.hear({
    type: "events",
    v: 7,
    entries: [
      [
        { type: "sat", seat: 1, player: 9, name: "Liv" },
        { type: "ready_cleared", why: "seats" },
        { type: "room", room: view({ terms: 3 }).room },
        { type: "seats", seats: seats(false, true) },
      ],
    ],
  });
  const sent = wire.socket.sent.filter(({ type }) => type === "ready");
  assert.deepEqual(
    sent.map(({ terms, on }) => [terms, on]),
    [
      [2, true],
      [3, true],
    ],
  );
  // Ola is the third of three now.
  const nonce = storage.room("KR071").nonces.first?.nonce ?? "";
  assert.equal(sent[1]?.commitment, commitment(ID, 2, nonce));
});

for (const [why, events] of /** @type {[string, any[]][]} */ ([
  ["the rules changed", [{ type: "ready_cleared", why: "rules" }]],
  [
    "somebody left",
    [
      { type: "left", seat: 0, player: 1, name: "Kari", how: "left" },
      { type: "ready_cleared", why: "seats" },
    ],
  ],
])) {
  test(`nobody is made ready again by the page when ${why}`, () => {
    const { wire, room } = entered();
    void room.ready(true);
    wire.socket.hear({ type: "events", v: 6, entries: [events] });
    wire.socket.hear({
      type: "events",
      v: 7,
      entries: [
        [
          { type: "sat", seat: 1, player: 9, name: "Liv" },
          { type: "ready_cleared", why: "seats" },
        ],
      ],
    });
    assert.equal(wire.socket.sent.filter(({ type }) => type === "ready").length, 1);
  });
}

/** @param {{rules?: object}} room what has changed besides */
function refusedAsStale(room) {
  const { wire, room: mine } = entered();
  void mine.ready(true);
  wire.socket.hear({
    type: "events",
    v: 6,
    entries: [
      [
        { type: "sat", seat: 1, player: 9, name: "Liv" },
        { type: "room", room: view({ terms: 3, ...room }).room },
        { type: "seats", seats: seats(false, true) },
      ],
    ],
  });
  const { id } = wire.socket.sent.at(-1);
  wire.socket.hear({
    type: "error",
    id,
    code: "stale_terms",
    message: "",
    retry: false,
  });
  return wire.socket.sent
    .filter(({ type }) => type === "ready")
    .map(({ terms }) => terms);
}

test("who sits down at the same moment as another is ready all the same", () => {
  assert.deepEqual(refusedAsStale({}), [2, 3]);
});

test("but not on other rules than they saw", () => {
  assert.deepEqual(refusedAsStale({ rules: { deck: 32 } }), [2]);
});
