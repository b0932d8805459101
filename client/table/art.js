// The pictures on the table, drawn by us: suits, courts, and small icons.
// Each is drawn where it is shown: `<use>` would cost a tree in its shadow every time.

const SVG = "http://www.w3.org/2000/svg";

/** Path data in a box of 32 by 32; suits by their letter on the wire. */
const GLYPHS = Object.freeze({
  h: "M16 29.5C6.5 21.5 1.5 16 1.5 9.8 1.5 5.6 4.7 2.5 8.7 2.500c3 0 5.8 1.8 7.3 5 1.5-3.2 4.3-5 7.3-5 4 0 7.2 3.1 7.2 7.3 0 6.2-5 11.7-14.5 19.700z",
  d: "M16 .8C19.2 6.5 23.5 11.8 28.5 16 23.5 20.2 19.2 25.5 16 31.2 12.8 25.5 8.5 20.2 3.5 16 8.5 11.8 12.8 6.5 16 .8z",
  s: "M16 .8C20 7.5 30 12.5 30 20c0 3.9-2.9 6.7-6.5 6.7-2.3 0-4.3-1.1-5.6-3 .3 3.2 1.3 5.8 3.9 7.500H10.200c2.6-1.7 3.6-4.3 3.9-7.5-1.3 1.9-3.3 3-5.6 3C4.9 26.7 2 23.9 2 20 2 12.5 12 7.5 16 .8z",
  c: "M16 .8a7 7 0 0 1 5.9 10.8 7 7 0 1 1-3.9 12.500c.2 3.2 1.4 5.5 4 7.100H10c2.6-1.6 3.8-3.9 4-7.100A7 7 0 1 1 10.1 11.6 7 7 0 0 1 16 .8z",
  K: "M14.7.5h2.600v2h2v2.600h-2v2.100l5.5 7.6 6.7-6.3-3 13.500H5.500l-3-13.5 6.7 6.3 5.5-7.600V5.100h-2V2.500h2zM5.5 24h21v2.600h-21zM5.5 28.200h21v3h-21z",
  Q: "M16 2a2.7 2.7 0 0 1 1.3 5.100l4 9.1 4.9-5.400a2.5 2.5 0 1 1 2.2 1.200L26.5 24h-21L3.6 12a2.5 2.5 0 1 1 2.2-1.200l4.9 5.4 4-9.100A2.7 2.7 0 0 1 16 2zM5.5 26h21v4.600a64 64 0 0 0-21 0z",
  J: "M17.5 12.500C18 6.5 23 1.5 31 1c.3 7-3.8 12.2-9.6 13.2 3.6 1.3 6.3 3.7 7.2 7.300H3.400c.6-6 7-9.8 14.1-9zM2.5 23.500h27a2.2 2.2 0 0 1 2.2 2.200v.6a2.2 2.2 0 0 1-2.2 2.200h-27a2.2 2.2 0 0 1-2.2-2.200v-.6a2.2 2.2 0 0 1 2.2-2.200z",
  X: "M16 1l4.3 9.9 10.7 1-8.1 7.1 2.4 10.500L16 24l-9.3 5.500L9.1 19 1 11.900l10.7-1z",
  jester:
    "M16 10C19.5 2.5 28.5 3 30 12.500c-4-1.5-5.5 1-5 11.500H7C7.5 13.5 6 11 2 12.5 3.5 3 12.5 2.5 16 10zM2.8 13a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.400zm26.4 0a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.400zM6 25.600h20v4.400H6z",
  menu: "M4 7h24v3.200H4zm0 7.400h24v3.200H4zm0 7.400h24V25H4z",
  eye: "M16 6.500c6.5 0 11.5 4 14.5 9.5-3 5.5-8 9.5-14.5 9.500S4.5 21.5 1.5 16c3-5.5 8-9.5 14.5-9.500zm0 3.700a5.8 5.8 0 1 0 0 11.6 5.8 5.8 0 0 0 0-11.600zm0 3a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.600z",
  pause: "M7 5h6.500v22H7zm11.5 0H25v22h-6.500z",
  play: "M8 4.5 27 16 8 27.500z",
  smile:
    "M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28zm0 2.800a11.2 11.2 0 1 0 0 22.4 11.2 11.2 0 0 0 0-22.400zM11.2 10.500a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.200zm9.6 0a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.200zM9 18h14c-.5 4-3.3 6.5-7 6.500S9.5 22 9 18z",
  check: "M27.5 7.5 12.3 24.8 4.5 17.200l2.6-2.7 5 4.900L24.7 5z",
  here: "M16 8a8 8 0 1 1 0 16 8 8 0 0 1 0-16z",
  away: "M16 3a13 13 0 1 1 0 26 13 13 0 0 1 0-26zm0 3a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.5 3h3v6.400l4.8 3-1.6 2.6-6.2-3.900z",
  auto: "M3 6.5 15.5 16 3 25.500zm13 0L28.5 16 16 25.500z",
  bot: "M14.5 2h3v5H25a3 3 0 0 1 3 3v15a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V10a3 3 0 0 1 3-3h7.500zM10.5 13a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zm11 0a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM10 21.500V24h12v-2.500z",
  left: "M4 3h14v5h-3V6H7v20h8v-2h3v5H4zm16.5 6L28 16l-7.5 7v-5H11v-4h9.500z",
  out: "M16 3a13 13 0 1 1 0 26 13 13 0 0 1 0-26zM9.5 11.6 13.9 16l-4.4 4.4 2.1 2.1 4.4-4.4 4.4 4.4 2.1-2.1-4.4-4.4 4.4-4.4-2.1-2.1-4.4 4.4-4.4-4.400z",
});

/** @typedef {keyof typeof GLYPHS} Glyph */

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * A picture in a larger drawing.
 * @param {Glyph} name
 * @param {{x: number, y: number, size: number}} [box]
 */
export function glyph(name, { x, y, size } = { x: 0, y: 0, size: 32 }) {
  return svg("path", {
    d: GLYPHS[name],
    "fill-rule": "evenodd",
    transform: `translate(${x} ${y}) scale(${size / 32})`,
  });
}

/**
 * A small picture beside a word, which says the same.
 * @param {Glyph} name
 */
export function icon(name) {
  return svg(
    "svg",
    { class: "kt-icon", viewBox: "0 0 32 32", "aria-hidden": "true" },
    glyph(name),
  );
}
