/** The field for a name: what was used last, or a suggestion. */

import { make } from "../dom.js";
import { t } from "../i18n.js";
import * as storage from "../storage.js";

/** Signs, as the server counts them (room/names.py). */
export const LONGEST_NAME = 20;

/** @returns {string} */
export function suggestedName() {
  const last = storage.lastName();
  if (last !== "") return last;
  const names = t("name.suggestions").split(", ");
  return names[Math.floor(Math.random() * names.length)] ?? "Krig";
}

/** @param {string} [value] */
export function nameField(value = suggestedName()) {
  const field = make("input", {
    type: "text",
    value,
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
    autocapitalize: "words",
    spellcheck: "false",
    enterkeyhint: "go",
    "data-key": "name",
  });
  field.addEventListener("focus", () => field.select());
  return field;
}
