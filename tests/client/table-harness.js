/* global document, location, window */
// Shows the table in one of the states of `table-states.js`, for looking and for pictures:
// table.html?state=war-3&lang=de. With no state it lists them; `play=1` tells the state's
// story instead of jumping to its end; `dir=rtl` and `calm=1` do what they say, and
// `flat=1` leaves out the glow of the felt, which makes a picture ten times as heavy.

import "../../client/table/table.js";
import { setLanguage } from "../../client/i18n.js";
import { STATES, STORIES } from "./table-states.js";

const query = new URLSearchParams(location.search);
const language = /** @type {import("../../client/i18n.js").Language} */ (
  query.get("lang") ?? "nb"
);
const table = /** @type {import("../../client/table/table.js").KrigTable} */ (
  document.querySelector("krig-table")
);
await setLanguage(language);
document.documentElement.lang = language;
document.documentElement.dir = query.get("dir") ?? "ltr";
document.body.classList.toggle("flat", query.has("flat"));
if (query.has("calm")) table.dataset["motion"] = "off";

const state = STATES[query.get("state") ?? ""];
const story = STORIES[query.get("state") ?? ""];
/** @type {string[]} */
const heard = [];
for (const type of [
  "flip",
  "auto",
  "tempo",
  "pause",
  "menu",
  "react",
  "follow",
  "sit",
]) {
  document.addEventListener(`krig-${type}`, (event) => {
    heard.push(`${type} ${JSON.stringify(/** @type {CustomEvent} */ (event).detail)}`);
  });
}
Object.assign(window, { table, heard, STATES, STORIES });

if (story) {
  table.show(story.before, story.me);
  Object.assign(window, {
    play: () =>
      story.entries.forEach(({ events, view }) => table.tell(events, view, story.me)),
  });
  if (query.has("play")) {
    setTimeout(
      () =>
        story.entries.forEach(({ events, view }) => table.tell(events, view, story.me)),
      400,
    );
  }
} else if (state) {
  if (state.second) table.second = state.second;
  table.show(state.view, state.me);
  if (state.said) table.tell(state.said, state.view, state.me);
} else {
  const list = document.createElement("nav");
  list.id = "list";
  for (const name of [...Object.keys(STATES), ...Object.keys(STORIES)]) {
    const link = document.createElement("a");
    link.href = `?state=${name}&lang=${language}&play=1`;
    link.textContent = name;
    list.append(link);
  }
  document.querySelector("main")?.replaceChildren(list);
}
