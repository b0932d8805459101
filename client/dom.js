/** Elements, made without a string of HTML. */

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * Make an element: `make("button", {class: "big", onclick: start}, "Start")`.
 * A function is a listener, `true` an empty attribute, null and false none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false)
      element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

const TAP_MS = 1000;
let tap = 0;

/** What a finger is on. @type {Node | null} */
let touched = null;

/** What was not redrawn because of that. @type {Map<HTMLElement, Child[]>} */
const postponed = new Map();

function release() {
  clearTimeout(tap);
  touched = null;
  for (const [container, children] of postponed) refill(container, ...children);
  postponed.clear();
}

/** A button that is exchanged under a finger hears nothing of its tap. */
export function watchTaps() {
  addEventListener("pointerdown", ({ target }) => {
    clearTimeout(tap);
    touched = target instanceof Node ? target : null;
    tap = setTimeout(release, TAP_MS); // Longer is no tap, or it ended elsewhere.
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => setTimeout(release)); // The click comes first.
  }
}

/**
 * Redraw what is in an element, as soon as no finger is on it, and keep the focus where
 * it was: on the element with the same `data-key`, else on the container.
 * @param {HTMLElement} container
 * @param {...Child} children
 */
export function refill(container, ...children) {
  if (touched !== null && container.contains(touched)) {
    postponed.set(container, children);
    return;
  }
  const focused = document.activeElement;
  const inside = focused instanceof HTMLElement && container.contains(focused);
  const key = inside && focused !== container ? focused.dataset["key"] : undefined;
  container.replaceChildren(...present(children));
  if (inside && focused !== container) focusOn(container, key, container);
}

/**
 * After a sheet: where the focus was before it, or what was drawn there meanwhile.
 * @param {Element | null} before
 */
export function refocus(before) {
  const lost = before !== document.body && document.activeElement === document.body;
  if (lost && before instanceof HTMLElement)
    focusOn(document, before.dataset["key"], landing(document));
}

/**
 * @param {ParentNode} where
 * @param {string | undefined} key
 * @param {HTMLElement} other if there is none of that key
 */
function focusOn(where, key, other) {
  const same = key && where.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  if (document.activeElement === document.body) catchFocus(other);
}

/**
 * Where one is on a screen that has just come: at its button, or its heading.
 * @param {ParentNode} where
 */
function landing(where) {
  const first = where.querySelector(".kt-flip, h1, main");
  return first instanceof HTMLElement ? first : document.body;
}

/**
 * Put another screen in an element. Whoever came by keyboard is at its button or its
 * heading, not back at the start of the page.
 * @param {HTMLElement} container
 * @param {...Node} children
 */
export function swap(container, ...children) {
  const inside = container.contains(document.activeElement);
  container.replaceChildren(...children);
  if (inside) catchFocus(landing(container));
}

/** @param {HTMLElement} element */
function catchFocus(element) {
  if (!(element instanceof HTMLButtonElement)) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  return children.flatMap((child) => (child == null || child === false ? [] : [child]));
}
