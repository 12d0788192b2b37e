/** Makes an element; attributes that are null or false are left out, functions are listeners. */
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

/** A text in which `code` and paragraphs stand as the document writes them. */
export function prose(text) {
  return (text ?? "").split("\n\n").map((paragraph) =>
    element("p", {}, ...paragraph.split("`").map((part, place) =>
      place % 2 ? element("code", {}, part) : part)));
}

/** A sentence of the same kind, without a paragraph around it. */
export function phrase(text) {
  return element("span", {}, ...(text ?? "").split("`").map((part, place) =>
    place % 2 ? element("code", {}, part) : part));
}
