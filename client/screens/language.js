/** The choice of language, which stands where somebody may not understand a word. */

import { make } from "../dom.js";
import { bestLanguage, languages, setLanguage, t } from "../i18n.js";
import * as storage from "../storage.js";

/** @typedef {import("../i18n.js").Language} Language */

/** A language picker that takes effect at once. */
export function languagePicker() {
  const chosen = storage.settings().language ?? bestLanguage(navigator.languages);
  const picker = make(
    "select",
    { "aria-label": t("settings.language"), "data-key": "language" },
    ...languages.map(([tag, name]) =>
      make("option", { value: tag, lang: tag, selected: tag === chosen }, name),
    ),
  );
  picker.addEventListener("change", () => {
    const next = /** @type {Language} */ (picker.value);
    storage.changeSettings({ language: next });
    void setLanguage(next);
  });
  return picker;
}
