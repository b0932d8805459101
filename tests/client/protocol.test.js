import assert from "node:assert/strict";
import { test } from "node:test";

import { Line } from "../../client/protocol.js";
import { Wire } from "./line.js";

function opened() {
  const wire = new Wire();
  /** @type {any[]} */
  const heard = [];
  const line = new Line({
    url: "ws://x/ws",
    hello: () => ({ type: "hello", protocol: 1, room: "KR071" }),
    heard: (message) => heard.push(message),
    changed: () => {},
    around: wire.around,
  });
  line.open();
  return { wire, line, heard };
}

test("says hello first, and is online once welcomed", () => {
  const { wire, line } = opened();
  assert.equal(line.send({ type: "ping" }), false);
  wire.socket.welcome();
  assert.equal(wire.socket.sent[0].type, "hello");
  assert.equal(line.status, "online");
});

test("messages of an older socket are ignored", () => {
  const { wire, line, heard } = opened();
  wire.socket.welcome();
  const old = wire.socket;
  old.die(1006);
  wire.pass(300);
  wire.socket.welcome();
  const before = heard.length;
  old.hear({ type: "presence", watchers: 9 });
  old.die(4502);
  assert.equal(heard.length, before);
  assert.equal(line.status, "online");
});

test("backs off from 0.3 to 5 s, for ever, and starts afresh once welcomed", () => {
  const { wire } = opened();
  wire.socket.welcome();
  for (const wait of [300, 600, 1200, 2500, 5000, 5000, 5000]) {
    const sockets = wire.sockets.length;
    wire.socket.die(1006);
    wire.pass(wait - 1);
    assert.equal(wire.sockets.length, sockets, `before ${wait}`);
    wire.pass(1);
    assert.equal(wire.sockets.length, sockets + 1, `after ${wait}`);
  }
  wire.socket.welcome();
  wire.socket.die(1006);
  wire.pass(300);
  assert.equal(wire.sockets.length, 9);
});

test("luck decides when a page comes back, so that not all do in one moment", () => {
  for (const [luck, wait] of [
    [0, 0],
    [0.5, 150],
    [1, 300],
  ]) {
    const { wire } = opened();
    wire.around.clock.random = () => /** @type {number} */ (luck);
    wire.socket.welcome();
    wire.socket.hear({ type: "drain", retry_after_ms: 2_000 });
    wire.socket.die(4410);
    wire.pass(2_000 + /** @type {number} */ (wait) - 1);
    assert.equal(wire.sockets.length, 1, `luck ${luck}`);
    wire.pass(1);
    assert.equal(wire.sockets.length, 2, `luck ${luck}`);
  }
});

test("does not try while hidden, but at once when it is seen again", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.say("hidden");
  wire.socket.die(1006);
  wire.pass(60_000);
  assert.equal(wire.sockets.length, 1);
  wire.say("visible");
  assert.equal(wire.sockets.length, 2);
});

test("answers the server's ping, saying whether the page is hidden", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.socket.hear({ type: "ping", v: 0 });
  assert.deepEqual(wire.socket.sent.at(-1), { type: "pong", hidden: false });
  wire.say("hidden");
  assert.deepEqual(wire.socket.sent.at(-1), { type: "pong", hidden: true });
});

test("a server not heard for heartbeat and 5 s is given up, whatever the socket says", () => {
  const { wire, line } = opened();
  wire.socket.welcome();
  wire.pass(25_000);
  assert.equal(wire.sockets.length, 1);
  wire.pass(2_000);
  assert.equal(wire.sockets.length, 2);
  assert.equal(line.status, "offline");
});

test("a page that comes back probes, and replaces a dead socket after 1.5 s", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.pass(10);
  wire.say("back");
  assert.deepEqual(wire.socket.sent.at(-1), { type: "ping" });
  wire.pass(1_500);
  assert.equal(wire.sockets.length, 2);
});

test("a network that is back is used at once, whatever became of the old socket", () => {
  const { wire, line } = opened();
  wire.socket.welcome();
  wire.say("network");
  assert.equal(wire.sockets.length, 2);
  assert.equal(line.status, "online", "nothing on the page blinks");
  wire.socket.welcome();
  assert.equal(line.send({ type: "ping" }), true);
});

test("a network that is back does not undo being told to stop", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.socket.onclose?.({ code: 4502 });
  wire.say("network");
  assert.equal(wire.sockets.length, 1);
});

test("a probe that is answered changes nothing", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.say("back");
  wire.pass(100);
  wire.socket.hear({ type: "pong", v: 0 });
  wire.pass(5_000);
  assert.equal(wire.sockets.length, 1);
});

test("a clock that jumps is a page that slept: probe", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.now += 8_000;
  wire.pass(1);
  assert.deepEqual(wire.socket.sent.at(-1), { type: "ping" });
});

test("a socket that opens and says nothing is given up", () => {
  const { wire } = opened();
  wire.pass(8_000);
  assert.ok(wire.sockets.length >= 2);
});

test("a code below 4500 comes back, from 4500 on stops and says why", () => {
  for (const code of [1000, 1006, 4400, 4410, 4411, 4499]) {
    const { wire } = opened();
    wire.socket.welcome();
    wire.socket.die(code);
    wire.pass(300);
    assert.equal(wire.sockets.length, 2, String(code));
  }
  const { wire, line } = opened();
  wire.socket.welcome();
  wire.socket.die(4502);
  wire.pass(60_000);
  wire.say("visible");
  assert.equal(wire.sockets.length, 1);
  assert.deepEqual([line.status, line.reason], ["stopped", 4502]);
  line.restart();
  wire.socket.welcome();
  assert.equal(line.status, "online");
});

test("a server that drains is left alone for as long as it says", () => {
  const { wire } = opened();
  wire.socket.welcome();
  wire.socket.hear({ type: "drain", retry_after_ms: 2_000 });
  wire.socket.die(4410);
  wire.pass(1_999);
  assert.equal(wire.sockets.length, 1);
  wire.pass(301);
  assert.equal(wire.sockets.length, 2);
});

test("a closed line stays closed", () => {
  const { wire, line } = opened();
  wire.socket.welcome();
  line.close();
  wire.pass(60_000);
  assert.equal(wire.sockets.length, 1);
  assert.equal(wire.socket.closed, true);
});
