import { element } from './dom.js';
import { icon } from './icons.js';

/**
 * What stands in the place of rows that do not exist: what this place is for, and what can be done.
 *
 * @param acts `{title, act}`. The first one is the most likely. Null ones are skipped.
 */
export const emptyState = ({ image, title, detail, acts = [] }) => element('div', { class: 'empty-state' },
  icon(image), element('p', { class: 'empty-title' }, title), element('p', {}, detail),
  ...acts.filter((one) => one).map(({ title: name, act }, place) =>
    element('button', { class: place ? 'plain' : 'plain is-main', type: 'button', onclick: act }, name)));
