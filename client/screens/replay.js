/** A finished game once more: play, pause, step, scrub, and on to the next war. */

import { make } from "../dom.js";
import { language, t } from "../i18n.js";
import { icon } from "../icons.js";
import { nextWar, replayOf, stepOfRound } from "../replay.js";
import { TEMPO } from "../table/plan.js";
import { TEMPI } from "../table/tools.js";
import { makeTable } from "./play.js";

/** @typedef {import("../api.js").GameRecord} GameRecord */
/** @typedef {import("../icons.js").IconName} IconName */
/** @typedef {import("../messages.d.ts").Tempo} Tempo */
/** @typedef {import("../messages.d.ts").View} View */

/** Between two rounds, at normal tempo (ms). */
const PAUSE = 420;
/** How often to look whether the table has come to rest (ms). */
const LOOK = 50;

/**
 * @param {GameRecord} record
 * @param {string} code the room's
 * @param {number} seat who looks; -1: only watched
 * @param {number | null} [fromRound] play from there at once
 */
export function openReplay(record, code, seat, fromRound = null) {
  showReplay(replayOf(record, code), seat, fromRound);
}

/**
 * @param {import("../replay.js").Replay} replay
 * @param {number} seat who looks; -1: only watches
 * @param {number | null} fromRound play from there at once
 */
export function showReplay({ start, steps }, seat, fromRound) {
  const me = { seat: seat < 0 ? null : seat, watchers: 0, online: true, replay: true };
  const table = makeTable();
  const dialog = make("dialog", { class: "replay", "aria-label": t("replay.title") });
  /** @type {Tempo} */
  let tempo = "normal";
  /** How many steps have been played. */
  let at = 0;
  let timer = 0;

  /** @param {number} n @returns {View} */
  const viewAt = (n) => {
    const view = steps[n - 1]?.view ?? start;
    return { ...view, room: { ...view.room, tempo } };
  };
  const show = () => {
    table.show(viewAt(at), me);
    draw();
  };
  /** Play the next step, and whatever follows while nobody pauses. */
  const advance = () => {
    const step = steps[at];
    if (step === undefined) return pause();
    at++;
    table.tell(step.events, viewAt(at), me);
    draw();
  };
  const playOn = () => {
    if (table.playing) timer = setTimeout(playOn, LOOK);
    else if (at >= steps.length) pause();
    else {
      advance();
      timer = setTimeout(playOn, PAUSE * TEMPO[tempo]);
    }
  };
  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    draw();
  };
  const play = () => {
    if (at >= steps.length) {
      at = 0;
      show();
    }
    timer = setTimeout(playOn, 0);
    draw();
  };
  /** @param {number} n */
  const jump = (n) => {
    clearTimeout(timer);
    timer = 0;
    at = Math.min(Math.max(0, n), steps.length);
    show();
  };
  const toWar = () => {
    const war = nextWar(steps, at);
    if (war === null) return;
    jump(war);
    play();
  };

  const slider = make("input", {
    type: "range",
    min: 0,
    max: steps.length,
    "aria-label": t("replay.where"),
  });
  slider.addEventListener("input", () => jump(Number(slider.value)));
  /** @param {IconName} name @param {string} label @param {() => void} act */
  const button = (name, label, act) =>
    make(
      "button",
      { type: "button", class: "icon", "aria-label": t(label), onclick: act },
      icon(name),
    );
  const back = button("back", "replay.back", () => {
    if (at > 0) jump(at - 1);
  });
  const toggle = button("play", "replay.play", () => (timer ? pause() : play()));
  const forth = button("forth", "replay.forth", () => {
    pause();
    advance();
  });
  const war = button("war", "replay.war", toWar);
  const speed = make("button", { type: "button", class: "grow" });
  speed.addEventListener("click", () => {
    tempo = TEMPI[(TEMPI.indexOf(tempo) + 1) % TEMPI.length] ?? "normal";
    draw();
  });
  toggle.classList.add("toggle");

  const draw = () => {
    slider.value = String(at);
    const round = steps[Math.min(at, steps.length - 1)]?.round ?? 0;
    slider.setAttribute("aria-valuetext", t("table.round", { round }));
    const running = timer !== 0;
    toggle.setAttribute("aria-label", t(running ? "replay.pause" : "replay.play"));
    toggle.replaceChildren(icon(running ? "pause" : "play"));
    offer(back, at > 0);
    offer(forth, at < steps.length);
    offer(war, nextWar(steps, at) !== null);
    speed.textContent = t(`tempo.${tempo}`);
    speed.setAttribute("aria-label", t("table.tempo", { tempo: t(`tempo.${tempo}`) }));
  };
  dialog.addEventListener("keydown", (event) => {
    const onControl = event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLButtonElement;
    if (event.key === " " && !onButton) toggle.click();
    else if (event.key === "ArrowLeft" && !onControl) back.click();
    else if (event.key === "ArrowRight" && !onControl) forth.click();
    else if (event.key.toLowerCase() === "w") war.click();
    else return;
    event.preventDefault();
  });
  dialog.append(
    table,
    make(
      "div",
      { class: "controls" },
      make("div", { class: "scrub" }, marks(steps), slider),
      make(
        "div",
        { class: "row" },
        back,
        toggle,
        forth,
        war,
        speed,
        button("close", "action.close", () => dialog.close()),
      ),
    ),
  );
  dialog.lang = language();
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  toggle.focus();
  jump(fromRound === null ? 0 : stepOfRound(steps, fromRound));
  if (fromRound !== null) play();
}

/**
 * A button that can do nothing now keeps its focus, as one that is `disabled` would not.
 * @param {HTMLElement} button
 * @param {boolean} live
 */
function offer(button, live) {
  button.setAttribute("aria-disabled", String(!live));
}

/**
 * Where the wars are, over the slider.
 * @param {readonly import("../replay.js").Step[]} steps
 */
function marks(steps) {
  const row = make("div", { class: "marks", "aria-hidden": "true" });
  steps.forEach(({ war }, i) => {
    if (!war) return;
    const mark = make("span");
    mark.style.setProperty(
      "inset-inline-start",
      `${(100 * (i + 0.5)) / steps.length}%`,
    );
    row.append(mark);
  });
  return row;
}
