/** The piles count up side by side before it is said who won; a tap skips it. */

import { make } from "../dom.js";

const LASTS = 1000;

/**
 * @param {readonly string[]} names
 * @param {readonly number[]} counts
 * @param {() => void} done
 * @returns {{element: HTMLElement, stop: () => void}}
 */
export function counting(names, counts, done) {
  const most = Math.max(1, ...counts);
  const numbers = counts.map(() => make("span", { class: "strong" }, "0"));
  const bars = counts.map((_, seat) => make("div", { class: `pile seat-${seat}` }));
  const element = make(
    "button",
    { type: "button", class: "counting plain" },
    ...counts.map((_, seat) =>
      make(
        "span",
        { class: "column" },
        numbers[seat],
        bars[seat],
        make("span", { class: "small" }, names[seat] ?? ""),
      ),
    ),
  );
  const begin = performance.now();
  let frame = 0;
  const stop = () => cancelAnimationFrame(frame);
  const end = () => {
    stop();
    done();
  };
  const draw = () => {
    const share = Math.min(1, (performance.now() - begin) / LASTS);
    counts.forEach((count, seat) => {
      const shown = Math.min(count, share * most);
      const number = numbers[seat];
      if (number) number.textContent = String(Math.round(shown));
      bars[seat]?.style.setProperty("transform", `scaleY(${shown / most})`);
    });
    if (share < 1) frame = requestAnimationFrame(draw);
    else frame = setTimeout(end, LASTS / 4);
  };
  element.addEventListener("click", end);
  draw();
  return {
    element,
    stop() {
      stop();
      clearTimeout(frame);
    },
  };
}
