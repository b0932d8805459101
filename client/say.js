/**
 * News of the room that is read aloud. Rounds and wars the table tells itself, and the
 * end screen that the game is over.
 *
 * Pure: nothing here knows the DOM.
 */

import { listOf, t } from "./i18n.js";

/** @typedef {import("./messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("./messages.d.ts").View} View */

/**
 * @param {ToldEvent} event
 * @param {View} before the view that it happened in
 * @param {number | null} me my seat
 * @returns {string | null} null: nothing to say
 */
export function newsOf(event, before, me) {
  const name = (/** @type {number} */ seat) => before.seats[seat]?.name ?? "";
  switch (event.type) {
    case "sat":
      return t("say.sat", { name: event.name });
    case "left":
      return t("say.gone", { name: event.name });
    case "ready_cleared":
      return t(`lobby.cleared.${event.why}`);
    case "deal_voided":
      return t("lobby.voided", { names: listOf(event.withheld.map(name)) });
    case "dealt":
      return t(me === null ? "say.dealt" : "say.turn");
    case "paused":
      return event.seat === me
        ? t("table.paused.you")
        : t("say.paused", { name: name(event.seat) });
    case "resumed":
    case "woke":
      return t("say.resumed");
    case "slept":
      return t("say.slept");
    case "owner": {
      const owner = before.seats.find((seat) => seat?.player === event.player);
      return owner ? t("say.owner", { name: owner.name }) : null;
    }
    default:
      return null;
  }
}
