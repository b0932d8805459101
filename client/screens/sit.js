/** Taking a seat in a room, under a name that is free. */

import { t } from "../i18n.js";
import { suggestedName } from "./name.js";

/** @typedef {import("./room.js").Here} Here */
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
  const counted = [2, 3, 4].map((n) => `${wanted} ${n}`);
  const all = [wanted, ...others, ...counted];
  return all.find((name) => !taken.includes(name.toLowerCase())) ?? wanted;
}

/**
 * Sit down and be ready at once; while a game runs, when the next lobby opens.
 * @param {Room} room
 * @param {string} name
 * @param {Here} [here]
 */
export async function sitAndReady(room, name, here) {
  await room.until((state) => state.view !== null).catch(() => null);
  if (room.view?.room.phase !== "lobby") {
    if (here) here.wishes.wantsSeat = true;
    return;
  }
  const seats = () => room.view?.seats ?? [];
  let answer = await room.sit(freeName(seats(), name));
  // Somebody was quicker with the same name.
  if (!answer.ok && answer.error.code === "name_taken")
    answer = await room.sit(freeName(seats(), name));
  if (!answer.ok) return;
  await room.until(() => room.seat !== null).catch(() => null);
  await room.ready(true);
}
