// The keyboard: a whole game without a pointer.

import { TEMPI } from "./tools.js";

/**
 * @typedef {object} Table
 * @property {(across: boolean) => void} press  flip, for the seat here or across
 * @property {() => boolean} auto
 * @property {() => string | null} two  the keys of two on this screen: across, and here
 * @property {() => boolean} active
 */

/** Where typing belongs to something else. */
const TYPING = "input, textarea, select, [contenteditable], dialog, [role=dialog]";
/** Where Space and Enter press what has the focus. */
const PRESSABLE = "a[href], button, summary";

/**
 * @param {(type: string, detail: object) => void} ask
 * @param {Table} table
 * @returns {(event: KeyboardEvent) => void}
 */
export function keysOf(ask, table) {
  return (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const taken =
      event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (
      taken ||
      !table.active() ||
      target.closest(TYPING) ||
      document.querySelector("dialog[open]")
    ) {
      return;
    }
    const key = event.key.toLowerCase();
    const tempo = TEMPI[Number(key) - 1];
    if (key === " " || key === "enter") {
      if (target.closest(PRESSABLE)) return;
      if (!event.repeat) table.press(false);
    } else if (key.length === 1 && table.two()?.includes(key)) {
      if (!event.repeat) table.press(table.two()?.[0] === key);
    } else if (key === "a") ask("krig-auto", { on: !table.auto() });
    else if (tempo) ask("krig-tempo", { tempo });
    else return;
    event.preventDefault();
  };
}
