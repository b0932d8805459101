/** The browser as `protocol.js` wants it: sockets, a clock, and what the page hears. */

/** @type {import("./protocol.js").Around} */
export const browser = {
  connect: (url, protocol) => new WebSocket(url, protocol),
  clock: {
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  },
  page: {
    hidden: () => document.visibilityState === "hidden",
    listen: (heard) => {
      const stop = new AbortController();
      const { signal } = stop;
      document.addEventListener(
        "visibilitychange",
        () => heard(document.visibilityState),
        {
          signal,
        },
      );
      window.addEventListener("pageshow", () => heard("back"), { signal });
      window.addEventListener("offline", () => heard("back"), { signal });
      window.addEventListener("online", () => heard("network"), { signal });
      return () => stop.abort();
    },
  },
};

/** Where the server's socket is. */
export function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

/**
 * Put a text on the clipboard; plain http has no `navigator.clipboard`.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "unseen";
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
