/** A sheet over the screen: a dialog with a heading and a way out. */

import { make, refill, refocus } from "../dom.js";
import { t } from "../i18n.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * Open a sheet; Esc, its cross, and a tap beside it close it.
 * @param {string} title
 * @param {(close: () => void) => Child[]} contents
 * @returns {HTMLDialogElement}
 */
export function openSheet(title, contents) {
  const dialog = make("dialog");
  fillSheet(dialog, title, contents);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  const opener = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    refocus(opener);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Fill a sheet, which may be open and in another language now.
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 * @param {(close: () => void) => Child[]} contents
 */
export function fillSheet(dialog, title, contents) {
  const close = () => dialog.close();
  const scrolled = dialog.scrollTop;
  dialog.setAttribute("aria-label", title);
  refill(
    dialog,
    make(
      "div",
      { class: "head" },
      make("h2", {}, title),
      make(
        "button",
        {
          class: "icon plain",
          type: "button",
          "aria-label": t("action.close"),
          onclick: close,
        },
        "✕",
      ),
    ),
    make("div", { class: "body" }, ...contents(close)),
  );
  dialog.scrollTop = scrolled;
}

/**
 * Ask before something that cannot be undone.
 * @param {string} title
 * @param {string} question
 * @param {string} yes
 * @param {() => void} then
 */
export function confirmFirst(title, question, yes, then) {
  openSheet(title, (close) => [
    make("p", {}, question),
    make(
      "div",
      { class: "list" },
      make(
        "button",
        {
          type: "button",
          class: "danger",
          onclick: () => {
            close();
            then();
          },
        },
        yes,
      ),
      make("button", { type: "button", onclick: close }, t("action.cancel")),
    ),
  ]);
}

/**
 * Ask for something that is typed: a code, or a link.
 * @param {object} of
 * @param {string} of.title
 * @param {string} of.label
 * @param {string} of.go
 * @param {string} [of.help]
 * @param {(field: HTMLInputElement, wrong: HTMLElement, close: () => void) => void} take
 */
export function askForCode({ title, label, go, help = "" }, take) {
  openSheet(title, (close) => {
    const field = make("input", {
      type: "text",
      class: "code",
      autofocus: true,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    const wrong = make("p", { role: "alert" });
    const form = make(
      "form",
      { class: "stack" },
      make("label", {}, label, field),
      help !== "" && make("p", { class: "soft small" }, help),
      wrong,
      make("button", { class: "big", type: "submit" }, go),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      take(field, wrong, close);
    });
    return [form];
  });
}
