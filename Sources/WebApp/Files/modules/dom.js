/**
 * Makes an element. `on…` attributes are listeners, booleans are set or left out, null and undefined are left out,
 * `data` and `style` are objects; children are nodes, texts, or null for nothing.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key === 'data') Object.assign(made.dataset, value);
    else if (key === 'style') for (const [property, set] of Object.entries(value)) made.style.setProperty(property, set);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Puts other children into an element; the focus goes to what has taken the place of what had it, else to the title. */
export function redraw(home, children) {
  const focused = home.contains(document.activeElement) ? document.activeElement : null;
  home.replaceChildren(...children);
  if (!focused) return;
  const what = (node) => [node.tagName, node.dataset.action, node.getAttribute('aria-label'), node.textContent].join();
  const same = [...home.querySelectorAll('button:not(:disabled), input')].find((node) => what(node) === what(focused));
  (same ?? home.querySelector('h1')).focus({ preventScroll: true });
}

/** Puts other lines into a list; the focus goes to the line in the place of the one that had it, else to the title. */
export function refill(list, lines) {
  const place = [...list.children].findIndex((line) => line.contains(document.activeElement));
  list.replaceChildren(...lines);
  if (place < 0) return;
  const button = lines[Math.min(place, lines.length - 1)]?.querySelector('button');
  if (button) button.focus();
  else focusTitle();
}

/** Whether the page runs from right to left, as the server has said. */
export const isRightToLeft = () => document.documentElement.dir === 'rtl';

/** Whether the person wants nothing to move. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A UUID of its own; `crypto.randomUUID` is there on secure pages only. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What can be pressed and heard: the dialog on top where there is one, else the page. */
export const topmost = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;

/** Has whoever goes by keys begin at the title, where what had the focus is gone. */
export function focusTitle() {
  const home = topmost();
  home.querySelector(home === document.body ? '.screen:not([inert]) h1' : 'h2')?.focus({ preventScroll: true });
}

/** A text as it is sent: a control ends lines with LF; they end with CR LF where all did before. */
export function likeLineEnds(typed, before) {
  const hadCRLF = before.includes('\r\n') && !/[\r\n]/.test(before.replaceAll('\r\n', ''));
  return hadCRLF ? typed.replaceAll('\n', '\r\n') : typed;
}

/** After so many milliseconds. */
export const delay = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
