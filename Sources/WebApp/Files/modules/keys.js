import { element } from './dom.js';
import { attempt, redo, undo } from './notices.js';
import { plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

/** The key of Control, which is Command on a Mac. */
const control = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** The shortcuts with the keys of their texts. */
const shortcuts = [
  ['/', 'search'], ['N', 'keyAdd'], ['E', 'keyEdit'], ['J', 'keyNext'], ['K', 'keyPrevious'], ['Esc', 'keyBack'],
  [`${control}+Z`, 'undo'], [`${control}+Shift+Z`, 'redo'], ['?', 'keyHelp'],
];

/** The Latin letters and signs by their places on the keyboard, for keyboards with other letters. */
const latin = { KeyE: 'e', KeyJ: 'j', KeyK: 'k', KeyN: 'n', KeyY: 'y', KeyZ: 'z', Slash: '/' };

function keyOf({ key, code, shiftKey }) {
  if (key.length > 1 || /[ -~]/.test(key)) return key.toLowerCase();
  return code === 'Slash' && shiftKey ? '?' : latin[code];
}

/** Shows the keyboard shortcuts. */
export function showKeys() {
  return new Sheet(plainBar(text('keys')), element('dl', { class: 'card facts' }, ...shortcuts.map(([keys, name]) =>
    element('div', {}, element('dt', {}, text(name)),
      element('dd', { dir: 'ltr' }, ...keys.split('+').map((key) => element('kbd', {}, key)))))));
}

/** The buttons of the current screen's bars, by the names of their actions, in the order in which they are tried. */
function press(...actions) {
  for (const action of actions) {
    const button = document.querySelector(`.screen:not([inert]) > :is(header, footer) [data-action=${action}]:not(:disabled)`);
    if (button) return button.click();
  }
  return undefined;
}

/**
 * Handles the keyboard shortcuts of the page. Each does what a button does. In sheets and fields, the keys belong to
 * the text.
 *
 * @param screen returns the current screen.
 */
export function listenForKeys(screen) {
  const acts = {
    '/': () => document.querySelector('.screen:not([inert]) .search-field input')?.focus(),
    n: () => screen()?.add?.(),
    e: () => press('edit', 'done'),
    j: () => (screen()?.step ? screen().step(1) : press('next')),
    k: () => (screen()?.step ? screen().step(-1) : press('previous')),
    escape: () => press('back', 'done'),
    '?': showKeys,
  };
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || Sheet.top || event.target.closest?.('input, textarea, select')) return;
    const key = keyOf(event);
    // Browsers on a Mac use Command and Y themselves.
    if ((event.ctrlKey && key === 'y') || ((event.ctrlKey || event.metaKey) && key === 'z')) {
      event.preventDefault();
      attempt(() => (key === 'y' || event.shiftKey ? redo() : undo()));
    } else if (key in acts && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      acts[key]();
    }
  });
}
