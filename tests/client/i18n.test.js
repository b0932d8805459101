import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, test } from "node:test";

import {
  bestLanguage,
  cardName,
  catalogueOf,
  maybeT,
  number,
  rankLetter,
  setLanguage,
  setLetters,
  t,
} from "../../client/i18n.js";

/** @type {Record<string, import("../../client/i18n.js").Catalogue>} */
const catalogues = {};
for (const language of /** @type {const} */ (["nb", "de", "en"])) {
  catalogues[language] = await catalogueOf(language);
}
const CLIENT = new URL("../../client/", import.meta.url);

afterEach(async () => {
  await setLetters(null);
  await setLanguage("en");
});

test("all catalogues have the same keys", () => {
  const keys = Object.keys(catalogues["nb"] ?? {}).sort();
  assert.deepEqual(Object.keys(catalogues["de"] ?? {}).sort(), keys);
  assert.deepEqual(Object.keys(catalogues["en"] ?? {}).sort(), keys);
});

test("a text has the same holes in every language", () => {
  /** @param {import("../../client/i18n.js").Text | undefined} text */
  const holes = (text) => {
    const all = typeof text === "string" ? text : Object.values(text ?? {}).join(" ");
    return [...new Set(all.match(/\{\w+\}/g) ?? [])].sort();
  };
  for (const key of Object.keys(catalogues["nb"] ?? {})) {
    for (const language of /** @type {const} */ (["de", "en"])) {
      assert.deepEqual(
        holes(catalogues[language]?.[key]),
        holes(catalogues["nb"]?.[key]),
        key,
      );
    }
  }
});

test("every key that the client writes out is in the catalogues", async () => {
  await setLanguage("en");
  const files = readdirSync(CLIENT, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(new URL(file, CLIENT), "utf8");
    for (const [, key] of source.matchAll(/\bt\(\s*"([a-z_.0-9]+)"/gi)) {
      assert.notEqual(maybeT(String(key)), null, `${file}: ${key}`);
    }
  }
});

test("every text is asked for by its key, or by how it begins", () => {
  const files = readdirSync(CLIENT, { recursive: true, encoding: "utf8" });
  const code = files
    .filter((name) => name.endsWith(".js") && !name.startsWith("lang"))
    .map((name) => readFileSync(new URL(name, CLIENT), "utf8"))
    .join("");
  const whole = new Set(
    [...code.matchAll(/["'`]([\w.]+)["'`]/g)].map(([, key]) => key),
  );
  const begun = [...code.matchAll(/`([\w.]+)\$\{/g)].map(([, start]) => String(start));
  const unsaid = Object.keys(catalogues["en"] ?? {}).filter(
    (key) => !whole.has(key) && !begun.some((start) => key.startsWith(start)),
  );
  assert.deepEqual(unsaid, []);
});

test("cards are named as people name them", async () => {
  await setLanguage("nb");
  assert.equal(cardName("Qd"), "ruter dame");
  assert.equal(t("card.7h"), "hjerter sju");
  await setLanguage("de");
  assert.equal(cardName("Qd"), "Karo-Dame");
  await setLanguage("en");
  assert.equal(cardName("Qd"), "queen of diamonds");
  assert.equal(cardName("Xr"), "red joker");
});

test("the letters on the cards follow the language, or the choice", async () => {
  await setLanguage("nb");
  assert.equal(
    ["Jh", "Qh", "Kh", "Ah", "Th", "7h"].map(rankLetter).join(" "),
    "Kn D K A 10 7",
  );
  await setLetters("en");
  assert.equal(rankLetter("Jh"), "J");
});

test("n picks the plural form", async () => {
  await setLanguage("de");
  assert.equal(t("cards", { n: 1 }), "1 Karte");
  assert.equal(t("cards", { n: 26 }), "26 Karten");
});

test("a number is written as the language writes it, small ones without a format", async () => {
  const numbers = [...Array(1100).keys(), 1500000, -1, 0.5, NaN];
  for (const language of /** @type {const} */ (["nb", "de", "en"])) {
    await setLanguage(language);
    const { format } = new Intl.NumberFormat(language);
    assert.deepEqual(numbers.map(number), numbers.map(format), language);
  }
});

test("the browser's first known language is taken", () => {
  assert.equal(bestLanguage(["nn-NO", "en"]), "nb");
  assert.equal(bestLanguage(["fr-FR", "de-AT", "en"]), "de");
  assert.equal(bestLanguage(["fr"]), "en");
});
