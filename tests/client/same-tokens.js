/* global process */
// Whether pairs of texts, as JSON on the standard input, are the same to a parser.

import { text } from "node:stream/consumers";
import { tokenizer } from "acorn";

/** @param {string} code */
const tokensOf = (code) =>
  [...tokenizer(code, { ecmaVersion: "latest", sourceType: "module" })].map(
    ({ type, value }) => [type.label, value?.value ?? String(value)].map(String),
  );

const pairs = /** @type {Record<string, [string, string]>} */ (
  JSON.parse(await text(process.stdin))
);
for (const [name, [written, sent]] of Object.entries(pairs)) {
  if (JSON.stringify(tokensOf(written)) !== JSON.stringify(tokensOf(sent))) {
    process.stdout.write(`${name} reads differently\n`);
  }
}
