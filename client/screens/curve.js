/** Everyone's cards after each round, as a drawing and as a table. */

import { draw, make } from "../dom.js";
import { t } from "../i18n.js";

/** @typedef {import("../api.js").RoundRecord} RoundRecord */

const WIDTH = 350;
const HEIGHT = 178;
const LEFT = 26;
const RIGHT = 4;
const TOP = 8;
const BOTTOM = 26;

/**
 * @param {readonly RoundRecord[]} rounds
 * @param {readonly string[]} names
 * @param {number} total all cards in play
 */
export function curveOf(rounds, names, total) {
  const length = Math.max(1, rounds.length);
  const x = (/** @type {number} */ round) =>
    LEFT + ((WIDTH - LEFT - RIGHT) * round) / length;
  const y = (/** @type {number} */ n) =>
    TOP + (HEIGHT - TOP - BOTTOM) * (1 - n / total);
  const start = total / names.length;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const at = y(total * share);
    return [
      draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }),
      draw(
        "text",
        { x: LEFT - 5, y: at + 4, "text-anchor": "end" },
        String(Math.round(total * share)),
      ),
    ];
  });
  const wars = rounds.filter(({ war }) => war > 0);
  const marks = wars.map(({ round }) =>
    draw("rect", {
      class: "war",
      x: x(round) - 1.5,
      y: HEIGHT - BOTTOM - 4,
      width: 3,
      height: 8,
      rx: 1,
    }),
  );
  const lines = names.map((_, seat) => {
    const points = [start, ...rounds.map(({ counts }) => counts[seat] ?? 0)];
    const path = points
      .map((n, round) => `${x(round).toFixed(1)},${y(n).toFixed(1)}`)
      .join(" ");
    return draw("polyline", { class: `stroke-${seat}`, points: path });
  });
  const foot = HEIGHT - 5;
  return draw(
    "svg",
    {
      class: "curve",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": t("end.curve"),
    },
    ...grid,
    ...marks,
    ...lines,
    draw("rect", { class: "war", x: LEFT, y: foot - 8, width: 3, height: 8, rx: 1 }),
    draw("text", { x: LEFT + 8, y: foot }, t("end.curve.war")),
    draw(
      "text",
      { x: WIDTH - RIGHT, y: foot, "text-anchor": "end" },
      t("end.curve.round", { round: rounds.length }),
    ),
  );
}

/**
 * @param {readonly string[]} names
 * @param {readonly number[]} counts at the end
 */
export function legendOf(names, counts) {
  return make(
    "ul",
    { class: "legend" },
    ...names.map((name, seat) =>
      make(
        "li",
        {},
        draw(
          "svg",
          { viewBox: "0 0 26 6", "aria-hidden": "true" },
          draw("line", { class: `stroke-${seat}`, x1: 0, x2: 26, y1: 3, y2: 3 }),
        ),
        `${name} ${counts[seat] ?? ""}`,
      ),
    ),
  );
}

/**
 * @param {readonly RoundRecord[]} rounds
 * @param {readonly string[]} names
 */
export function roundTable(rounds, names) {
  const head = [t("end.table.round"), ...names, t("end.table.wars")];
  const details = make("details", {}, make("summary", {}, t("end.table")));
  // Two hundred rows are made only for who wants them.
  details.addEventListener(
    "toggle",
    () =>
      details.append(
        make(
          "table",
          {},
          make(
            "thead",
            {},
            make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text))),
          ),
          make(
            "tbody",
            {},
            ...rounds.map(({ round, counts, war }) =>
              make(
                "tr",
                {},
                make("th", { scope: "row" }, String(round)),
                ...counts.map((n) => make("td", {}, String(n))),
                make("td", {}, war > 0 ? String(war) : ""),
              ),
            ),
          ),
        ),
      ),
    { once: true },
  );
  return details;
}
