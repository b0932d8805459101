/** To a room by its code, or by a pasted link. */

import { faultIn, tidy } from "../gamecode.js";
import { t } from "../i18n.js";
import { askForCode } from "./sheet.js";
import { startRoom } from "./start.js";

/**
 * The code in what a person typed or pasted.
 * @param {string} text
 * @returns {string | null}
 */
export function codeIn(text) {
  const inLink = /\/r\/([0-9a-z-]+)/i.exec(text)?.[1];
  const bare = (inLink ?? text).toUpperCase().replace(/[\s-]/g, "");
  const code = bare.replace(/O/g, "0").replace(/[IL]/g, "1").replace(/U/g, "V");
  return /^[0-9B-DF-HJKMNP-TV-Z]{4,8}$/.test(code) ? code : null;
}

/**
 * @param {import("../app.js").App} app
 * @param {boolean} watch
 */
export function openJoin(app, watch) {
  const title = t(watch ? "join.watch.title" : "join.title");
  const words = {
    title,
    label: t("join.code"),
    help: t("join.help"),
    go: t("join.go"),
  };
  askForCode(words, (field, wrong, close) => {
    if (faultIn(field.value) === null) {
      // A game code: whoever typed it here wants that game.
      void startRoom(app, { code: tidy(field.value) }).then(close, () => {});
      return;
    }
    const code = codeIn(field.value);
    if (code === null) {
      wrong.textContent = t("join.bad");
      field.focus();
      return;
    }
    close();
    app.go(`/r/${code}${watch ? "?watch" : ""}`);
  });
}
