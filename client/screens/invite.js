/** How others get in: code, link and QR. */

import { lookAt } from "../api.js";
import { make } from "../dom.js";
import { t } from "../i18n.js";
import * as storage from "../storage.js";
import { shareButton } from "./share.js";
import { openSheet } from "./sheet.js";

/**
 * The link that guests can use. The server knows it better than this page's address,
 * which may be `localhost`.
 * @param {string} code
 * @param {boolean} [watch]
 */
export function linkTo(code, watch = false) {
  const link = storage.room(code).link ?? `${location.origin}/r/${code}`;
  return watch ? `${link}?watch` : link;
}

/**
 * Ask the server for that link, where this page came without one.
 * @param {string} code
 * @returns {Promise<boolean>} it is news
 */
export async function learnLink(code) {
  if (storage.room(code).link !== undefined) return false;
  const door = await lookAt(code).catch(() => null);
  if (door === null) return false;
  storage.changeRoom(code, { link: door.link });
  return true;
}

/**
 * @param {string} code
 * @param {boolean} [watch]
 */
function qrOf(code, watch = false) {
  const src = `/r/${encodeURIComponent(code)}/qr.svg${watch ? "?watch" : ""}`;
  return make("img", { src, alt: t("lobby.qr"), width: 112, height: 112 });
}

/** @param {string} code */
export function invitePanel(code) {
  const link = linkTo(code);
  const large = () => openInvite(code);
  const qr = make(
    "button",
    {
      class: "qr",
      type: "button",
      "data-key": "qr",
      "aria-label": t("menu.invite"),
      onclick: large,
    },
    qrOf(code),
  );
  return make(
    "section",
    { class: "panel invite", "aria-label": t("lobby.invite") },
    make("p", { class: "soft small" }, t("lobby.code")),
    qr,
    make("p", { class: "code" }, code),
    make("div", { class: "row" }, shareLink(code)),
    make("p", { class: "link" }, shortLink(link)),
  );
}

/**
 * For a big screen that the room watches: how to join, in its corner.
 * @param {string} code
 */
export function cornerInvite(code) {
  const link = make("p", { class: "soft" }, shortLink(linkTo(code)));
  void learnLink(code).then(() => (link.textContent = shortLink(linkTo(code))));
  return make(
    "aside",
    { class: "corner", "aria-label": t("lobby.invite") },
    make("div", { class: "qr" }, qrOf(code)),
    make("p", { class: "code" }, code),
    link,
  );
}

/** @param {string} link */
function shortLink(link) {
  return link.replace(/^https?:\/\//, "");
}

/**
 * @param {string} code
 * @param {boolean} [watch]
 */
export function shareLink(code, watch = false) {
  return shareButton(`share-${watch}`, () => ({
    text: t("share.text", { code }),
    url: linkTo(code, watch),
  }));
}

/** @param {string} code */
export function openInvite(code) {
  openSheet(t("menu.room", { code }), () => [
    make("div", { class: "qr large" }, qrOf(code)),
    make("p", { class: "soft" }, t("lobby.type")),
    make("p", { class: "invite" }, make("span", { class: "link" }, linkTo(code))),
    make("div", { class: "row" }, shareLink(code)),
    make("h2", {}, t("lobby.watch.link")),
    make("p", { class: "invite" }, make("span", { class: "link" }, linkTo(code, true))),
    make("div", { class: "row" }, shareLink(code, true)),
  ]);
}
