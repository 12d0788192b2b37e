import { attempt, redo, undo } from './notices.js';
import { openSheets } from './open-sheets.js';
import { session } from './session.js';
import { isLoading, sheets } from './sheets.js';

/** The Latin letters and signs by their places on the keyboard, for keyboards with other letters. */
const latin = { KeyA: 'a', KeyE: 'e', KeyJ: 'j', KeyK: 'k', KeyM: 'm', KeyN: 'n', KeyP: 'p', KeyY: 'y', KeyZ: 'z', Slash: '/' };

function keyOf({ key, code, shiftKey }) {
  if (key.length > 1 || /[ -~]/.test(key)) return key.toLowerCase();
  return code === 'Slash' && shiftKey ? '?' : latin[code];
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
 * @param list returns the visible list; null if there is none.
 */
export function listenForKeys(screen, list) {
  /** Calls a method of the current screen. Returns what it returns, and false if the screen has none. */
  const call = (name, ...given) => (screen()?.[name] ? screen()[name](...given) : false);
  /** What is typed while a sheet is being loaded. */
  let typedAhead = '';
  /** By key. One that returns false leaves the key to the browser. */
  const singleActs = {
    '/': () => document.querySelector(':is(.screen:not([inert]), .beside) .search-field input')?.focus(),
    n: () => (screen()?.add ? screen() : list())?.add(),
    e: () => screen()?.editFocused?.() || press('edit', 'done'),
    j: () => (screen()?.step ? screen().step(1) : press('next')),
    k: () => (screen()?.step ? screen().step(-1) : press('previous')),
    m: () => screen()?.relocate?.(),
    '?': () => void attempt(sheets.keys),
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
    k: (event) => (event.shiftKey ? false : void attempt(() => sheets.palette(() => typedAhead))),
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
    if (event.defaultPrevented || event.isComposing || openSheets.top) return;
    const isTyping = event.target.closest?.('input, textarea, select');
    if (isLoading() && !isTyping) {
      // It is meant for the sheet.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) typedAhead += event.key;
      return;
    }
    typedAhead = '';
    const acts = actsFor(event);
    const key = keyOf(event);
    // The palette opens from fields, too.
    if (isTyping && !(acts === controlActs && key === 'k')) return;
    if (Object.hasOwn(acts, key) && acts[key](event) !== false) event.preventDefault();
  });
}
