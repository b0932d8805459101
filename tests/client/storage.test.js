import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import * as storage from "../../client/storage.js";

beforeEach(() => storage.forgetAll());

test("a game counts once, however often its end is shown", () => {
  storage.countGame("KR071", 1, "won");
  storage.countGame("KR071", 1, "won");
  storage.countGame("KR071", 2, "won");
  assert.deepEqual(storage.balance(), { won: 2, lost: 0, drawn: 0, streak: 2 });
  storage.countGame("KR071", 3, "lost");
  assert.deepEqual(storage.balance(), { won: 2, lost: 1, drawn: 0, streak: 0 });
});

test("a draw whose cards were counted after all is a draw no more", () => {
  storage.countGame("KR071", 1, "won");
  storage.countGame("KR071", 2, "drawn");
  assert.deepEqual(storage.balance(), { won: 1, lost: 0, drawn: 1, streak: 0 });
  storage.countGame("KR071", 2, "won");
  storage.countGame("KR071", 2, "won");
  assert.deepEqual(storage.balance(), { won: 2, lost: 0, drawn: 0, streak: 2 });
});

test("a draw counted as lost ends the wins in a row", () => {
  storage.countGame("KR071", 1, "won");
  storage.countGame("KR071", 2, "drawn");
  storage.countGame("KR071", 2, "lost");
  assert.deepEqual(storage.balance(), { won: 1, lost: 1, drawn: 0, streak: 0 });
});

test("a draw stays one when its end is shown again", () => {
  storage.countGame("KR071", 1, "drawn");
  storage.countGame("KR071", 1, "drawn");
  assert.deepEqual(storage.balance(), { won: 0, lost: 0, drawn: 1, streak: 0 });
});
