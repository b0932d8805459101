/* global process */
// Whether pairs of texts, as JSON on the standard input, are the same to a parser.

import { text } from "node:stream/consumers";
import { parse } from "acorn";

/** @param {string} code */
const treeOf = (code) =>
  JSON.stringify(
    parse(code, { ecmaVersion: "latest", sourceType: "module" }),
    (key, value) =>
      key === "start" || key === "end"
        ? undefined
        : typeof value === "bigint"
          ? String(value)
          : value,
  );

const pairs = /** @type {Record<string, [string, string]>} */ (
  JSON.parse(await text(process.stdin))
);
for (const [name, [written, sent]] of Object.entries(pairs)) {
  if (treeOf(written) !== treeOf(sent))
    process.stdout.write(`${name} reads differently\n`);
}
