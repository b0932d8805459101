/** A room of one's own, of whatever is wanted; and the door that a game code opens. */

import { openRoom, sentenceOf } from "../api.js";
import { make } from "../dom.js";
import { faultIn, tidy } from "../gamecode.js";
import { t } from "../i18n.js";
import * as storage from "../storage.js";
import { openSheet } from "./sheet.js";

/** @typedef {import("../app.js").App} App */

/**
 * Open a room and sit down in it as its host.
 * @param {App} app
 * @param {Parameters<typeof openRoom>[0]} wanted
 */
export async function startRoom(app, wanted) {
  const { code, link } = await openRoom(wanted);
  storage.changeRoom(code, { link });
  const { enterRoom } = await import("./room.js");
  app.goTo(`/r/${code}`, enterRoom(app, code, { host: true }));
}

/** @param {App} app */
export function openGameCode(app) {
  const sheet = openSheet(t("code.title"), (close) => [
    codeForm("code.go", async (code) => {
      await startRoom(app, { code });
      close();
    }),
  ]);
  sheet.querySelector("[data-key=use-code]")?.classList.add("big");
  sheet.querySelector("input")?.focus();
}

/**
 * A field for a game code that says at once what is wrong with what was typed.
 * @param {string} go the key of the button's words
 * @param {(code: string) => Promise<void>} use
 */
export function codeForm(go, use) {
  const field = make("input", {
    type: "text",
    class: "code long",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    enterkeyhint: "go",
    "data-key": "game-code",
  });
  const wrong = make("p", { role: "alert" });
  const form = make(
    "form",
    { class: "stack" },
    make("label", {}, t("code.label"), field),
    make("p", { class: "soft small" }, t("code.help")),
    wrong,
    make("button", { type: "submit", "data-key": "use-code" }, t(go)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fault = faultIn(field.value);
    if (fault !== null) {
      wrong.textContent = t(`code.bad.${fault}`);
      field.focus();
      return;
    }
    wrong.textContent = "";
    field.value = tidy(field.value);
    use(field.value).catch((error) => (wrong.textContent = sentenceOf(error)));
  });
  return form;
}
