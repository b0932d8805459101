/** After a game: that its deal was fair, and the code that deals it again. */

import { sentenceOf } from "../api.js";
import { make } from "../dom.js";
import { t } from "../i18n.js";
import { startRoom } from "./start.js";
import { shareButton } from "./share.js";

/** @typedef {import("./room.js").Here} Here */
/** @typedef {import("../api.js").GameRecord} GameRecord */

/**
 * One tap checks the deal and every round.
 * @param {Here} here
 * @param {GameRecord} record
 */
export function fairness({ room }, record) {
  const verdict = make("p", { role: "status" });
  const button = make("button", { type: "button", "data-key": "fair" }, t("end.fair"));
  button.addEventListener("click", () => {
    verdict.textContent = t("end.fair.checking");
    void check(record, room).then((text) => (verdict.textContent = text));
  });
  return make("section", { class: "stack" }, button, verdict);
}

/**
 * @param {GameRecord} record
 * @param {import("../room.js").Room} room
 * @returns {Promise<string>} what came out, as a sentence
 */
async function check(record, room) {
  const { verdictOn } = await import("../verify.js");
  const verdict = verdictOn(record, room.dealtUnder(record.deal.id));
  if (verdict.holds === "yes")
    return `✓ ${t(record.known_beforehand ? "end.fair.known" : "end.fair.yes")}`;
  if (verdict.holds === "unknown") return t("end.fair.unknown");
  return `${t("end.fair.no")} ${t("end.fair.where", verdict)}`;
}

/**
 * The game code, to share and to play again.
 * @param {Here} here
 * @param {string} code
 * @param {string} result "Kari vant! 31 – 21"
 */
export function gameCode(here, code, result) {
  return make(
    "section",
    { class: "panel stack" },
    make("h2", {}, t("end.code")),
    make("p", { class: "game-code" }, code),
    make("p", { class: "soft small" }, t("end.code.help")),
    make(
      "div",
      { class: "row" },
      make(
        "button",
        {
          type: "button",
          class: "grow",
          "data-key": "again",
          onclick: () => void playAgain(here, code),
        },
        t("end.code.again"),
      ),
      shareButton(
        "share",
        () => ({ text: t("end.share.text", { result, code }) }),
        t("end.share"),
      ),
    ),
  );
}

/**
 * The owner sets the code for everybody here; anybody else opens a room of their own.
 * @param {Here} here
 * @param {string} code
 */
async function playAgain(here, code) {
  const { app, room } = here;
  if (room.isOwner && room.view?.room.phase === "lobby") {
    const answer = await room.ask({ type: "rules", code });
    if (answer.ok) here.toLobby();
    return;
  }
  try {
    await startRoom(app, { code });
  } catch (error) {
    app.toast(sentenceOf(error));
  }
}
