/** The few icons outside the table, drawn as lines. */

import { draw } from "./dom.js";

const PATHS = {
  together:
    "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 2.5-6 6-6s6 2 6 6M16 11a3 3 0 1 0-1-5.8M16.5 14c3.5 0 5.5 2 5.5 6",
  join: "M10 4h8a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-8M3 12h11M10 8l4 4-4 4",
  watch:
    "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  two: "M7 2.5h10a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM5 12h14M9.5 6.5h5M9.5 17.5h5",
  rules:
    "M12 6.5C10 5 7 4.5 3 4.5v14c4 0 7 .5 9 2 2-1.5 5-2 9-2v-14c-4 0-7 .5-9 2zM12 6.5v14",
  code: "M4 7.5h16v9H4zM7.5 11v2M11 11v2M14.5 11v2M17 11v2M7 4.5h10M7 19.5h10",
  play: "M8 5v14l11-7z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  back: "M18 6v12l-9-6zM6 6v12",
  forth: "M6 6v12l9-6zM18 6v12",
  war: "M4.5 4.5 16 16M19.5 4.5 8 16M13.5 18.5l5-5M10.5 18.5l-5-5M17 17l3 3M7 17l-3 3",
  close: "M6 6l12 12M18 6 6 18",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return draw(
    "svg",
    { class: "icon-line", viewBox: "0 0 24 24", "aria-hidden": "true" },
    draw("path", { d: PATHS[name] }),
  );
}
