/** Taking a seat in a room, under a name that is free and that the server takes. */

import { sentenceOf } from "../api.js";
import { make } from "../dom.js";
import { t } from "../i18n.js";
import * as storage from "../storage.js";
import { LONGEST_NAME, nameField, suggestedName } from "./name.js";
import { openSheet } from "./sheet.js";

/** @typedef {import("../room.js").Answer} Answer */
/** @typedef {import("../room.js").Room} Room */

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
  const start = [...wanted].slice(0, LONGEST_NAME - " 2".length).join("");
  const counted = [2, 3, 4].map((n) => `${start} ${n}`);
  const all = [wanted, ...others, ...counted];
  return all.find((name) => !taken.includes(name.toLowerCase())) ?? wanted;
}

/**
 * Sit down, and keep the name once the server has taken it: one that it refuses would
 * bar every seat there is. The person is asked for another then.
 * @param {Room} room
 * @param {string} [name]
 * @param {number | null} [seat] null: the first free one
 * @returns {Promise<Answer>}
 */
export async function sitUnder(room, name = suggestedName(), seat = null) {
  const answer = await trySitting(room, name, seat);
  if (answer.ok || answer.error.code !== "invalid_name") return answer;
  if (storage.lastName() === name) storage.forgetName();
  const of = { title: t("name.label"), name, wrong: sentenceOf(answer.error) };
  const later = await askForName(of, (other) => trySitting(room, other, seat));
  return later ?? answer;
}

/**
 * @param {Room} room
 * @param {string} name
 * @param {number | null} seat
 */
async function trySitting(room, name, seat) {
  const sit = () => room.sit(freeName(room.view?.seats ?? [], name), seat);
  let answer = await sit();
  // Somebody was quicker with the same name.
  if (!answer.ok && answer.error.code === "name_taken") answer = await sit();
  if (answer.ok) storage.keepName(name);
  return answer;
}

/**
 * Ask for a name, until it is taken or the sheet is closed.
 * @param {object} of
 * @param {string} of.title
 * @param {string} of.name what stands in the field
 * @param {string} [of.wrong] what is wrong with that
 * @param {(name: string) => Promise<Answer>} take
 * @returns {Promise<Answer | null>} the last answer; null: nothing was typed
 */
export function askForName({ title, name, wrong = "" }, take) {
  /** @type {Answer | null} */
  let answer = null;
  const field = nameField(name);
  const alert = make("p", { role: "alert" }, wrong);
  const form = make(
    "form",
    { class: "stack" },
    make("label", {}, t("name.label"), field),
    alert,
    make("button", { class: "big", type: "submit" }, t("lobby.rename.go")),
  );
  const sheet = openSheet(title, () => [form]);
  field.focus(); // Which selects it.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    answer = await take(field.value.trim());
    if (answer.ok) return sheet.close();
    alert.textContent = sentenceOf(answer.error);
    field.focus();
    field.select();
  });
  return new Promise((done) => sheet.addEventListener("close", () => done(answer)));
}

/**
 * Sit down and be ready at once.
 * @param {Room} room
 * @param {string} name
 */
export async function sitAndReady(room, name) {
  const answer = await sitUnder(room, name);
  if (!answer.ok) return;
  await room.until(() => room.seat !== null).catch(() => null);
  await room.ready(true);
}
