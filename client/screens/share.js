/** Buttons that hand something on: by what the device has for that, or by copying it. */

import { copy } from "../browser.js";
import { make } from "../dom.js";
import { t } from "../i18n.js";

const SAID_MS = 2000;

/**
 * A button that copies, and says so where it stands: behind an open sheet nothing is heard.
 * @param {string} key
 * @param {() => string} text
 * @param {string} label
 */
export function copyButton(key, text, label = t("action.copy")) {
  const said = make("p", { class: "unseen", role: "status" });
  const button = make("button", { type: "button", "data-key": key }, label);
  const act = async () => {
    button.after(said);
    if (!(await copy(text()))) return;
    button.textContent = said.textContent = t("action.copied");
    setTimeout(() => {
      button.textContent = label;
      said.remove();
    }, SAID_MS);
  };
  button.addEventListener("click", () => void act());
  return button;
}

/**
 * Share where the browser can, else copy.
 * @param {string} key
 * @param {() => {text: string, url?: string}} what
 * @param {string} [label]
 */
export function shareButton(key, what, label) {
  if (!("share" in navigator)) {
    return copyButton(key, () => what().url ?? what().text, label);
  }
  const share = () => void navigator.share(what()).catch(() => {});
  return make(
    "button",
    { type: "button", "data-key": key, onclick: share },
    label ?? t("action.share"),
  );
}
