/** The field for a name: what was used last, or a suggestion. */

import { make } from "../dom.js";
import { t } from "../i18n.js";
import * as storage from "../storage.js";

/** @returns {string} */
export function suggestedName() {
  const last = storage.lastName();
  if (last !== "") return last;
  const names = t("name.suggestions").split(", ");
  return names[Math.floor(Math.random() * names.length)] ?? "Krig";
}

/**
 * A name that nobody at the table has: the wanted one if it is free. Of two guests who
 * leave the name to us one in ten would be refused a seat else.
 * @param {readonly ({name: string} | null)[]} seats
 * @param {string} [wanted]
 * @returns {string}
 */
export function freeName(seats, wanted = suggestedName()) {
  const taken = seats.map((seat) => seat?.name.toLowerCase());
  const names = t("name.suggestions").split(", ");
  const others = names.includes(wanted) ? names.sort(() => Math.random() - 0.5) : [];
  const counted = [2, 3, 4].map((n) => `${wanted} ${n}`);
  const all = [wanted, ...others, ...counted];
  return all.find((name) => !taken.includes(name.toLowerCase())) ?? wanted;
}

/** @param {string} [value] */
export function nameField(value = suggestedName()) {
  const field = make("input", {
    type: "text",
    value,
    maxlength: 30,
    autocomplete: "nickname",
    autocapitalize: "words",
    spellcheck: "false",
    enterkeyhint: "go",
    "data-key": "name",
  });
  field.addEventListener("focus", () => field.select());
  return field;
}
