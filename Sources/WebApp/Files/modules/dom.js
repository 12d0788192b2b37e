export { delay, newID } from '../client/rowhouse.js';

/**
 * Makes an element. `on…` attributes are listeners, booleans are set or omitted, null and undefined are omitted, and
 * `data` and `style` are objects. Children are nodes or texts; null ones are skipped.
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

/** Lets the browser save a file under a name. */
export function saveFile(blob, name) {
  const source = URL.createObjectURL(blob);
  element('a', { href: source, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(source), 60_000);
}

/** Replaces an element's children. The focus moves to the matching new control, or to the title. */
export function redraw(home, children) {
  const focused = home.contains(document.activeElement) ? document.activeElement : null;
  home.replaceChildren(...children);
  if (!focused) return;
  const what = (node) => [node.tagName, node.dataset.action, node.getAttribute('aria-label'), node.textContent].join();
  const same = [...home.querySelectorAll('button:not(:disabled), input')].find((node) => what(node) === what(focused));
  (same ?? home.querySelector('h1')).focus({ preventScroll: true });
}

/** Replaces a list's lines. The focus moves to the line at the same place, or to the title. */
export function refill(list, lines) {
  const place = [...list.children].findIndex((line) => line.contains(document.activeElement));
  list.replaceChildren(...lines);
  if (place < 0) return;
  const button = lines[Math.min(place, lines.length - 1)]?.querySelector('button');
  if (button) button.focus();
  else focusTitle();
}

/** Resolves when the browser has nothing more urgent to do, at the latest after two seconds. */
export const idle = () => new Promise((done) => {
  if (window.requestIdleCallback) requestIdleCallback(done, { timeout: 2000 });
  else setTimeout(done, 200);
});

/** Whether the page's direction, which the server sets, is right to left. */
export const isRightToLeft = () => document.documentElement.dir === 'rtl';

/** Whether the person prefers reduced motion. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The part of the page that can be used: the topmost dialog, or the page. */
export const topmost = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;

/** Focuses the title when the focused element is gone, for people who use the keyboard. */
export function focusTitle() {
  const home = topmost();
  home.querySelector(home === document.body ? '.screen:not([inert]) h1' : 'h2')?.focus({ preventScroll: true });
}

/** The typed text with the line ends of the stored one: CR LF if it had only those. Controls end lines with LF. */
export function likeLineEnds(typed, before) {
  const hadCRLF = before.includes('\r\n') && !/[\r\n]/.test(before.replaceAll('\r\n', ''));
  return hadCRLF ? typed.replaceAll('\n', '\r\n') : typed;
}

/** Whether the window shows the sidebar. */
export const hasSidebar = () => document.querySelector('.sidebar')?.checkVisibility() ?? false;
