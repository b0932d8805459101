/** Krig in the browser: what is on the screen follows from the address. */

import "./table/table.js";
import { make } from "./dom.js";
import {
  bestLanguage,
  language,
  onLanguage,
  setLanguage,
  setLetters,
  t,
} from "./i18n.js";
import { arrive } from "./screens/arrive.js";
import { home } from "./screens/home.js";
import { enterRoom } from "./screens/room.js";
import { twoOnOne } from "./screens/two.js";
import * as storage from "./storage.js";

/**
 * A screen on the page.
 * @typedef {object} Screen
 * @property {HTMLElement} root
 * @property {() => void} close ends its listeners, timers and sockets
 */

/**
 * What screens may ask of the page.
 * @typedef {object} App
 * @property {(path: string) => void} go to another address of ours
 * @property {(path: string, screen: Screen) => void} goTo the same, with the screen made
 * @property {(text: string) => void} toast say something in passing
 * @property {(text: string, urgent?: boolean) => void} announce to a screen reader
 */

const polite = make("p", { class: "unseen", role: "status" });
const assertive = make("p", { class: "unseen", role: "alert" });
const place = make("div");
/** @type {Screen | null} */
let shown = null;

/** @type {App} */
const app = {
  go(path) {
    history.pushState(null, "", path);
    route();
  },
  goTo(path, screen) {
    history.pushState(null, "", path);
    show(screen);
  },
  toast(text) {
    const toast = make("p", { class: "banner toast", role: "status" }, text);
    place.append(toast);
    setTimeout(() => toast.remove(), 4000);
  },
  announce(text, urgent = false) {
    (urgent ? assertive : polite).textContent = text;
  },
};

/** @param {Screen} screen */
function show(screen) {
  shown?.close();
  shown = screen;
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  place.replaceChildren(screen.root);
}

function route() {
  const code = /^\/r\/([^/]+)\/?$/.exec(location.pathname)?.[1]?.toUpperCase();
  const asked = new URLSearchParams(location.search);
  const { tokens } = storage.room(code ?? "");
  if (code === undefined) show(home(app));
  else if (asked.has("two") || tokens.second) show(twoOnOne(app, code));
  else if (asked.has("watch")) show(enterRoom(app, code, { watch: true }));
  else if (tokens.first) show(enterRoom(app, code));
  else show(arrive(app, code));
}

/** Language and looks as this device wants them. */
function dress() {
  const { language: chosen, letters, lessMotion, fourColours } = storage.settings();
  const next = chosen ?? bestLanguage(navigator.languages);
  if (next !== language()) setLanguage(next);
  setLetters(letters);
  document.documentElement.lang = language();
  document.documentElement.dataset["motion"] = lessMotion ? "off" : "on";
  document.documentElement.dataset["colours"] = fourColours ? "four" : "two";
  document.title = t("app.name");
}

dress();
onLanguage(() => {
  document.documentElement.lang = language();
  document.title = t("app.name");
});
window.addEventListener("popstate", route);
document.body.append(place, polite, assertive);
route();
