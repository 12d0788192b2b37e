/** Makes an element. Null and false attributes are omitted; functions are listeners. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Paragraphs of a text with `code`, as in the document. */
export function prose(text) {
  return (text ?? "").split("\n\n").map((paragraph) =>
    element("p", {}, ...paragraph.split("`").map((part, place) =>
      place % 2 ? element("code", {}, part) : part)));
}

/** A text with `code`, without a paragraph. */
export function phrase(text) {
  return element("span", {}, ...(text ?? "").split("`").map((part, place) =>
    place % 2 ? element("code", {}, part) : part));
}
