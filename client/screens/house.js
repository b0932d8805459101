/** The drawer with every house rule; the owner changes them, everyone may read them. */

import { presets } from "../api.js";
import { make, refill } from "../dom.js";
import {
  CHOICES,
  changed,
  choiceText,
  COMMON,
  presetName,
  PRESETS,
  valueOf,
} from "../house.js";
import { t } from "../i18n.js";
import { openSheet } from "./sheet.js";
import { codeForm } from "./start.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.d.ts").Rules} Rules */
/** @typedef {import("../messages.d.ts").RuleValue} RuleValue */

/**
 * @param {Room} room
 * @param {() => void} learned the presets are known now
 */
export function houseRules(room, learned) {
  /** @type {HTMLElement | null} */
  let body = null;
  let unfolded = false;
  /** @type {Map<string, Rules>} */
  let known = new Map();

  const codes = make(
    "section",
    { class: "panel" },
    codeForm("code.use", async (code) => {
      const answer = await room.ask({ type: "rules", code });
      if (!answer.ok) throw answer.error;
    }),
  );

  /** The rules are not those of their preset any more. */
  const altered = () => {
    const { rules = {}, preset = null } = room.view?.room ?? {};
    const from = preset === null ? undefined : known.get(preset);
    return (
      from !== undefined &&
      CHOICES.some(([name]) => valueOf(rules, name) !== valueOf(from, name))
    );
  };
  const update = () => {
    const { view } = room;
    if (body === null || view === null) return;
    const { preset, phase, game_code: code } = view.room;
    const may = room.isOwner && phase === "lobby";
    const fields = CHOICES.map(([name, choices]) =>
      make(
        "div",
        { class: "rule" },
        may ? rulePicker(room, name, choices) : ruleText(room, name),
        make("p", {}, t(`rule.${name}.help`)),
      ),
    );
    const more = make(
      "details",
      { open: unfolded },
      make("summary", {}, t("rules.more")),
      ...fields.slice(COMMON),
    );
    more.addEventListener("toggle", () => (unfolded = more.open));
    refill(
      body,
      make("p", { class: "soft small" }, t("rules.drawer.owner")),
      may
        ? presetPicker(room, preset, altered())
        : told(t("preset.label"), presetName(preset, altered())),
      code !== null && make("p", { class: "small strong" }, t("lobby.known", { code })),
      code !== null && may && make("p", { class: "small" }, t("lobby.known.new")),
      make("div", {}, ...fields.slice(0, COMMON), more),
      may && codes,
    );
  };
  presets().then(
    (all) => {
      known = new Map(all.map(({ name, rules }) => [name, rules]));
      learned();
      update();
    },
    () => {}, // The names of the presets do without.
  );
  return {
    update,
    altered,
    open() {
      const inside = make("div", { class: "stack" });
      body = inside;
      openSheet(t("rules.drawer"), () => [inside]).addEventListener(
        "close",
        () => (body = null),
      );
      update();
    },
    close() {
      body?.closest("dialog")?.close();
    },
  };
}

/**
 * What cannot be changed here: a select that is disabled would cut long words.
 * @param {string} label
 * @param {string} value
 */
function told(label, value) {
  return make("dl", { class: "told" }, make("dt", {}, label), make("dd", {}, value));
}

/**
 * @param {Room} room
 * @param {string} name
 */
function ruleText(room, name) {
  const now = valueOf(room.view?.room.rules ?? {}, name);
  return told(t(`rule.${name}`), choiceText(name, now));
}

/**
 * @param {Room} room
 * @param {string | null} preset
 * @param {boolean} altered
 */
function presetPicker(room, preset, altered) {
  const own = preset === null || altered;
  const picker = make(
    "select",
    { "data-key": "preset" },
    own && make("option", { value: "", selected: true }, presetName(preset, altered)),
    ...PRESETS.map((name) =>
      make(
        "option",
        { value: name, selected: !own && name === preset },
        presetName(name),
      ),
    ),
  );
  picker.addEventListener("change", () => {
    if (picker.value !== "") void room.ask({ type: "rules", preset: picker.value });
  });
  return make("label", {}, t("preset.label"), picker);
}

/**
 * @param {Room} room
 * @param {string} name
 * @param {readonly RuleValue[]} choices
 */
function rulePicker(room, name, choices) {
  const rules = room.view?.room.rules ?? {};
  const now = valueOf(rules, name);
  const all = choices.includes(now) ? choices : [...choices, now];
  const picker = make(
    "select",
    { "data-key": `rule-${name}` },
    ...all.map((value, i) =>
      make("option", { value: i, selected: value === now }, choiceText(name, value)),
    ),
  );
  picker.addEventListener("change", () => {
    const value = all[Number(picker.value)] ?? null;
    const preset = room.view?.room.preset ?? null;
    void room.ask({ type: "rules", preset, rules: changed(rules, name, value) });
  });
  return make("label", {}, t(`rule.${name}`), picker);
}

/** @param {Room} room */
export function tempoChoice(room) {
  const group = make("div", {
    class: "choice",
    role: "group",
    "aria-label": t("lobby.tempo"),
  });
  /** @param {import("../messages.d.ts").Tempo} tempo */
  const choose = async (tempo) => {
    await room.tempo(tempo);
    draw(); // A sheet is not redrawn by what happens in the room.
  };
  const draw = () =>
    refill(
      group,
      .../** @type {const} */ (["slow", "normal", "fast"]).map((tempo) =>
        make(
          "button",
          {
            type: "button",
            "data-key": `tempo-${tempo}`,
            "aria-pressed": String(tempo === room.view?.room.tempo),
            onclick: () => void choose(tempo),
          },
          t(`tempo.${tempo}`),
        ),
      ),
    );
  draw();
  return group;
}
