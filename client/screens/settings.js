/** What this device wants: language, letters, colours, motion; and being forgotten. */

import { make } from "../dom.js";
import { languages, onLanguage, setLetters, t } from "../i18n.js";
import * as storage from "../storage.js";
import { tellWhose, whose } from "./home.js";
import { tempoChoice } from "./house.js";
import { languagePicker } from "./language.js";
import { confirmFirst, fillSheet, openSheet } from "./sheet.js";

/** @typedef {import("../i18n.js").Language} Language */

function letterPicker() {
  const { letters } = storage.settings();
  const choices = [["", t("settings.letters.auto")], ...languages];
  const picker = make(
    "select",
    { "data-key": "letters" },
    ...choices.map(([tag, name]) =>
      make("option", { value: tag ?? "", selected: tag === (letters ?? "") }, name),
    ),
  );
  picker.addEventListener("change", () => {
    const next = picker.value === "" ? null : /** @type {Language} */ (picker.value);
    storage.changeSettings({ letters: next });
    void setLetters(next);
  });
  return picker;
}

/**
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 */
export function switchOf(label, on, change) {
  const box = make("input", { type: "checkbox", checked: on });
  box.addEventListener("change", () => change(box.checked));
  return make("label", { class: "switch" }, box, label);
}

/** "3 won, 1 lost, 0 drawn · 2 wins in a row": on this device only. */
export function balanceText() {
  const { streak, ...sums } = storage.balance();
  const text = t("end.balance", sums);
  return streak > 1 ? `${text} · ${t("end.streak.now", { n: streak })}` : text;
}

function balancePanel() {
  const text = make("p", { class: "soft small" }, balanceText());
  const reset = () => {
    storage.resetBalance();
    text.textContent = balanceText();
  };
  return make(
    "section",
    { class: "stack" },
    text,
    make("button", { type: "button", onclick: reset }, t("settings.balance.reset")),
  );
}

/** What stands at the foot of home, where a small screen has no room for it. */
function footing() {
  const text = make("p", { class: "soft small" }, t("home.foot"), " ");
  void tellWhose().then(() => text.append(whose()));
  return text;
}

/** The keys of two players on one screen; one letter each, never the same. */
function keyFields() {
  const fields = ["top", "bottom"].map((where, i) => {
    const field = make("input", {
      type: "text",
      class: "key",
      maxlength: 1,
      value: (storage.settings().keys[i] ?? "").toUpperCase(),
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
    });
    field.addEventListener("focus", () => field.select());
    field.addEventListener("input", () => {
      const keys = [...storage.settings().keys];
      const key = field.value.toLowerCase();
      // A and the digits are the table's own keys.
      if (/^[\p{L}]$/u.test(key) && key !== "a" && !keys.includes(key)) {
        keys[i] = key;
        storage.changeSettings({ keys: keys.join("") });
      }
      field.value = (storage.settings().keys[i] ?? "").toUpperCase();
    });
    return make("label", { class: "grow" }, t(`settings.keys.${where}`), field);
  });
  return make(
    "fieldset",
    {},
    make("legend", { class: "strong" }, t("settings.keys")),
    make("div", { class: "row" }, ...fields),
  );
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../room.js").Room} [room] the one that the person is in
 */
export function openSettings(app, room) {
  const live = new AbortController();
  /** @param {() => void} close */
  const contents = (close) => choices(app, room, close);
  const sheet = openSheet(t("settings.title"), contents);
  onLanguage(() => fillSheet(sheet, t("settings.title"), contents), live.signal);
  sheet.addEventListener("close", () => live.abort());
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../room.js").Room | undefined} room
 * @param {() => void} close
 */
function choices(app, room, close) {
  const { fourColours, lessMotion, sound, strip, mute } = storage.settings();
  const { dataset } = document.documentElement;
  const seated = room !== undefined && room.seat !== null;
  return [
    make("label", {}, t("settings.language"), languagePicker()),
    make("label", {}, t("settings.letters"), letterPicker()),
    seated && make("p", { class: "strong small" }, t("lobby.tempo")),
    seated && tempoChoice(room),
    switchOf(t("settings.colours"), fourColours, (on) => {
      storage.changeSettings({ fourColours: on });
      dataset["colours"] = on ? "four" : "two";
    }),
    switchOf(t("settings.motion"), lessMotion, (on) => {
      storage.changeSettings({ lessMotion: on });
      dataset["motion"] = on ? "off" : "on";
      const motion = on ? "off" : "on";
      for (const table of document.querySelectorAll("krig-table")) {
        /** @type {HTMLElement} */ (table).dataset["motion"] = motion;
      }
    }),
    switchOf(t("settings.sound"), sound, (on) => storage.changeSettings({ sound: on })),
    switchOf(t("settings.strip"), strip, (on) => {
      storage.changeSettings({ strip: on });
      dispatchEvent(new Event("krig-settings"));
    }),
    switchOf(t("settings.mute"), mute, (on) => storage.changeSettings({ mute: on })),
    keyFields(),
    balancePanel(),
    make(
      "button",
      {
        type: "button",
        class: "danger",
        onclick: () => {
          close();
          confirmFirst(
            t("settings.forget"),
            t("settings.forget.ask"),
            t("settings.forget.yes"),
            () => void app.forget(),
          );
        },
      },
      t("settings.forget"),
    ),
    footing(),
  ];
}
