/** Krig in the browser: what is on the screen follows from the address. */

import "./table/table.js";
import { make, swap, watchTaps } from "./dom.js";
import {
  bestLanguage,
  language,
  onLanguage,
  setLanguage,
  setLetters,
  t,
} from "./i18n.js";
import { home } from "./screens/home.js";
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
 * @property {() => Promise<void>} forget everything that this device keeps
 */

const polite = make("p", { class: "unseen", role: "status" });
const assertive = make("p", { class: "unseen", role: "alert" });
/** Outside the screen: what is said in passing outlives it. */
const toasts = make("div", { role: "status" });
const place = make("div");
/** @type {Screen | null} */
let shown = null;

/** @type {App} */
const app = {
  go(path) {
    history.pushState(null, "", path);
    void route();
  },
  goTo(path, screen) {
    ways++;
    history.pushState(null, "", path);
    show(screen);
  },
  toast(text) {
    const toast = make("p", { class: "banner toast" }, text);
    toasts.append(toast);
    setTimeout(() => toast.remove(), 4000);
  },
  announce(text, urgent = false) {
    (urgent ? assertive : polite).textContent = text;
  },
  async forget() {
    storage.forgetAll();
    app.go("/");
    await dress();
    app.toast(t("settings.forgotten"));
  },
};

/** @param {Screen} screen */
function show(screen) {
  shown?.close();
  shown = screen;
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  swap(place, screen.root);
}

/** Counts the ways taken, so that a screen that loads slowly does not come too late. */
let ways = 0;

async function route() {
  const way = ++ways;
  const screen = await screenFor(new URL(location.href));
  if (way === ways) show(screen);
  else screen.close();
}

/**
 * What an address shows. Home is here at once; the rest is fetched when it is wanted.
 * @param {URL} url
 * @returns {Promise<Screen>}
 */
async function screenFor({ pathname, searchParams: asked, hash }) {
  const code = /^\/r\/([^/]+)\/?$/.exec(pathname)?.[1]?.toUpperCase();
  if (code === undefined) return home(app);
  const claim = /^#claim=([0-9A-Z]{4,12})$/.exec(hash)?.[1];
  if (claim !== undefined) {
    history.replaceState(null, "", pathname); // A reload is not to ask for it again.
    return (await import("./screens/handoff.js")).takeOver(app, code, claim);
  }
  const { tokens } = storage.room(code);
  if (asked.has("two") || tokens.second) {
    return (await import("./screens/two.js")).twoOnOne(app, code);
  }
  if (!asked.has("watch") && !tokens.first) {
    return (await import("./screens/arrive.js")).arrive(app, code);
  }
  const { enterRoom } = await import("./screens/room.js");
  return enterRoom(app, code, { watch: asked.has("watch") });
}

/** Language and looks as this device wants them. */
async function dress() {
  const { language: chosen, letters, lessMotion, fourColours } = storage.settings();
  await setLanguage(chosen ?? bestLanguage(navigator.languages));
  await setLetters(letters);
  document.documentElement.lang = language();
  document.documentElement.dataset["motion"] = lessMotion ? "off" : "on";
  document.documentElement.dataset["colours"] = fourColours ? "four" : "two";
  document.title = t("app.name");
}

await dress();
onLanguage(() => {
  document.documentElement.lang = language();
  document.title = t("app.name");
});
window.addEventListener("popstate", () => void route());
watchTaps();
document.body.append(place, toasts, polite, assertive);
void route();
