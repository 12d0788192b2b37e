import { element } from './dom.js';
import { attempt, redo, undo } from './notices.js';
import { session } from './session.js';
import { plainBar, Sheet } from './sheet.js';
import { isLoading, sheets } from './sheets.js';
import { text } from './texts.js';

/** Whether the computer is one of Apple's, whose Command key is what Control is elsewhere. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const control = isApple ? '⌘' : 'Ctrl';
const alt = isApple ? '⌥' : 'Alt';

/** The shortcuts of one letter or sign, with the keys of their texts. */
const single = [
  ['/', 'search'], ['N', 'keyAdd'], ['E', 'keyEdit'], ['J', 'keyNext'], ['K', 'keyPrevious'], ['M', 'moveThis'], ['?', 'keyHelp'],
];
/** The other shortcuts. */
const others = [
  [`${control}+K`, 'keyPalette'], [`${control}+P`, 'print'], ['Space', 'keyLook'], [`${alt}+↑`, 'keyUp'], [`${alt}+↓`, 'keyDown'], ['Del', 'keyRemove'], [`${control}+A`, 'keySelectAll'],
  [`${control}+Z`, 'undo'], [`${control}+Shift+Z`, 'redo'], ['Shift+Enter', 'keyAddList'], ['Esc', 'keyBack'],
];

/** The Latin letters and signs by their places on the keyboard, for keyboards with other letters. */
const latin = { KeyA: 'a', KeyE: 'e', KeyJ: 'j', KeyK: 'k', KeyM: 'm', KeyN: 'n', KeyP: 'p', KeyY: 'y', KeyZ: 'z', Slash: '/' };

function keyOf({ key, code, shiftKey }) {
  if (key.length > 1 || /[ -~]/.test(key)) return key.toLowerCase();
  return code === 'Slash' && shiftKey ? '?' : latin[code];
}

/** Shows the keyboard shortcuts. */
export function showKeys() {
  const lines = (shortcuts) => element('dl', { class: 'card facts' }, ...shortcuts.map(([keys, name]) =>
    element('div', {}, element('dt', {}, text(name)),
      element('dd', { dir: 'ltr' }, ...keys.split('+').map((key) => element('kbd', {}, key))))));
  const sheet = new Sheet(plainBar(text('keys')),
    [session.singleKeys ? lines(single) : element('p', { class: 'empty' }, text('singleKeysOff')), lines(others)]);
  // Nothing in it can be focused, and arrow keys scroll what has the focus.
  sheet.body.tabIndex = 0;
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
  /** Calls a method of the current screen. Returns what it returns, and false if the screen has none. */
  const call = (name, ...given) => (screen()?.[name] ? screen()[name](...given) : false);
  /** By key. One that returns false leaves the key to the browser. */
  const singleActs = {
    '/': () => document.querySelector(':is(.screen:not([inert]), .beside) .search-field input')?.focus(),
    n: () => screen()?.add?.(),
    e: () => press('edit', 'done'),
    j: () => (screen()?.step ? screen().step(1) : press('next')),
    k: () => (screen()?.step ? screen().step(-1) : press('previous')),
    m: () => screen()?.relocate?.(),
    '?': showKeys,
  };
  const namedActs = {
    escape: () => screen()?.endSelecting?.() || press('back', 'done'),
    delete: () => screen()?.removeFocused?.(),
    backspace: () => screen()?.removeFocused?.(),
    ' ': () => call('look'),
  };
  const altActs = {
    arrowup: () => call('shift', -1),
    arrowdown: () => call('shift', 1),
  };
  const controlActs = {
    z: (event) => attempt(() => (event.shiftKey ? redo() : undo())),
    a: (event) => (event.shiftKey ? false : call('selectAll')),
    k: (event) => (event.shiftKey ? false : void attempt(sheets.palette)),
    p: (event) => (event.shiftKey ? false : call('print')),
    // Browsers on a Mac use Command and Y themselves.
    y: (event) => (event.ctrlKey ? attempt(() => redo()) : false),
  };
  const actsFor = ({ altKey, ctrlKey, metaKey }) => {
    if (ctrlKey || metaKey) return altKey ? {} : controlActs;
    if (altKey) return altActs;
    return session.singleKeys ? { ...singleActs, ...namedActs } : namedActs;
  };
  addEventListener('keydown', (event) => {
    // What is typed while a sheet is being loaded is meant for the sheet.
    if (event.defaultPrevented || event.isComposing || Sheet.top || isLoading() || event.target.closest?.('input, textarea, select')) return;
    const acts = actsFor(event);
    const key = keyOf(event);
    if (Object.hasOwn(acts, key) && acts[key](event) !== false) event.preventDefault();
  });
}
