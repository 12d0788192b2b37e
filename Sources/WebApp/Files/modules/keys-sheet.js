import { element } from './dom.js';
import { session } from './session.js';
import { plainBar, Sheet } from './sheet.js';
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
