import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setLanguage } from "../../client/i18n.js";
import { freeName } from "../../client/screens/sit.js";

before(() => setLanguage("en"));

test("a name that somebody has is counted, and stays as short as a name must be", () => {
  /** @param {...string} names */
  const seats = (...names) => names.map((name) => ({ name }));
  assert.equal(freeName(seats("Ola"), "Kari"), "Kari");
  assert.equal(freeName(seats("kari", "Kari 2"), "Kari"), "Kari 3");
  const long = "🎴".repeat(20);
  assert.equal(freeName(seats(long), long), `${"🎴".repeat(18)} 2`);
});
