import { element } from './dom.js';
import { say } from './speech.js';
import { text } from './texts.js';

/**
 * A text that can be selected, with a button that copies it.
 *
 * @param copied is called once the button has copied it.
 */
export function copyable(label, value, copied = () => {}) {
  const input = element('input', { type: 'text', value, readonly: true, dir: 'ltr', 'aria-label': label, onfocus: () => input.select() });
  const button = element('button', { class: 'plain', type: 'button', onclick: copy }, text('copy'));
  return element('div', { class: 'card copyable' }, input, button);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Pages without encryption have no clipboard.
      input.select();
      document.execCommand('copy');
    }
    button.textContent = text('copied');
    say(text('copied'));
    copied();
  }
}
