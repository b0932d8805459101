// What the wide button says and does: it follows from the view alone, so it is always live
// when the seat may press, whatever is still moving on the table.

import { listOf, t } from "../i18n.js";
import { awaited, nameOf } from "./say.js";

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {"flip" | "resume" | "takeover" | "none"} Act */
/** @typedef {{act: Act, label: string, hint: string, war: boolean}} Press */

/**
 * @param {View} view
 * @param {number} seat
 * @param {boolean} online
 * @param {boolean} sent  this press is on its way
 * @returns {Press}
 */
export function pressOf(view, seat, online, sent) {
  const { room, table, seats } = view;
  /** @type {(act: Act, label: string, hint?: string) => Press} */
  const press = (act, label, hint = "") => ({
    act,
    label,
    hint,
    war: act === "flip" && (table?.battle ?? 0) > 0,
  });
  if (!online) return press("none", t("table.offline"));
  if (room.paused) {
    const hint =
      room.paused.seat === seat
        ? t("table.paused.you")
        : t("table.paused", { name: nameOf(view, room.paused.seat) });
    return press("resume", t("table.resume"), hint);
  }
  if (room.asleep) return press("flip", t("table.wake"), t("table.asleep"));
  if (!table) {
    return press(
      "none",
      t(room.phase === "dealing" ? "table.dealing" : "table.moment"),
    );
  }
  if (table.hands[seat]?.out) return press("none", t("table.out.you"), waitText(view));
  const state = seats.filter((s) => s !== null)[seat]?.state;
  if (state === "auto") {
    return press("takeover", t("table.takeover"), t("table.plays_itself"));
  }
  const due = table.waiting.includes(seat) && !table.flipped.includes(seat);
  if (!due) return press("none", waitText(view), pressedHint(table, seat));
  if (sent) return press("none", t("table.sent"));
  const label = t(table.battle > 0 ? "table.flip.war" : "table.flip");
  const hint = state === "away" ? t("table.away.you") : waitHint(view, seat);
  return press("flip", label, hint);
}

/** @param {View} view */
function waitText(view) {
  const names = awaited(view);
  return names ? t("table.wait", { names }) : t("table.moment");
}

/**
 * Who waits for this seat, where it is the last to press; who is not here waits for none.
 * @param {View} view
 * @param {number} seat
 */
function waitHint({ table, seats }, seat) {
  const { waiting = [], flipped = [] } = table ?? {};
  const others = waiting.filter((s) => s !== seat);
  if (others.length === 0 || !others.every((s) => flipped.includes(s))) return "";
  const taken = seats.filter((s) => s !== null);
  const here = others.flatMap((s) => (taken[s]?.state === "here" ? taken[s] : []));
  const names = listOf(here.map(({ name }) => name));
  return names && t("table.wait.you", { names, n: here.length });
}

/**
 * @param {NonNullable<View["table"]>} table
 * @param {number} seat
 */
function pressedHint(table, seat) {
  if (table.flipped.includes(seat)) return t("table.pressed.you");
  return table.battle > 0 && !table.fighting.includes(seat) ? t("table.bystander") : "";
}
