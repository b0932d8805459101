// Small words for the page's tree.

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {Record<string, string>} [attributes]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, className, attributes = {}) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (node instanceof HTMLButtonElement) node.type = "button";
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/**
 * Write a text only where it differs: a screen reader hears each change once.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
