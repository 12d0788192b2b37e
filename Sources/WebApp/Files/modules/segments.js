import { element } from './dom.js';
import { text } from './texts.js';

/**
 * A choice of one of a few values, side by side.
 *
 * @param name the name of the group, for the browser.
 * @param options pairs of a value and the key of its text.
 * @param choose called with the chosen value.
 */
export const segments = (name, legend, options, chosen, choose) => element('fieldset', { class: 'segments' },
  element('legend', { class: 'unseen' }, legend),
  ...options.map(([value, key]) => element('label', {},
    element('input', { type: 'radio', name, checked: value === chosen, onchange: () => choose(value) }),
    element('span', {}, text(key)))));
