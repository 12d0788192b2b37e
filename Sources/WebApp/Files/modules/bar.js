import { element } from './dom.js';
import { icon } from './icons.js';

/** These actions are so usual that their picture says enough on a bar; the others are read. */
const pictured = new Set(['add', 'previous', 'next', 'photos', 'close']);

/** A button of a bar as the server describes it, or nothing for null. */
export function barButton(button, act) {
  if (!button) return null;
  const isPicture = pictured.has(button.action);
  return element('button', {
    class: `bar-button is-${button.action}`, type: 'button', disabled: !button.enabled,
    'aria-label': isPicture ? button.title : null, title: isPicture ? button.title : null,
    data: { action: button.action }, onclick: () => act(button.action),
  },
    isPicture || button.action === 'back' ? icon(button.image) : null,
    isPicture ? null : element('bdi', {}, button.title));
}

/**
 * The bar above a screen or a sheet, as the server has worked it out.
 *
 * @param level of its heading.
 * @param id of the heading, for what is labelled by it.
 */
export function navigationBar(bar, act, { level = 1, id = null } = {}) {
  return element('header', { class: 'navigation-bar' },
    bar.prompt ? element('p', { class: 'bar-prompt' }, element('bdi', {}, bar.prompt)) : null,
    element('div', { class: 'bar-line' },
      element('div', { class: 'bar-leading' }, barButton(bar.leading, act)),
      // In its own direction, it is cut at its own end.
      element(`h${level}`, { class: 'bar-title', tabindex: '-1', id, title: bar.title, dir: 'auto' }, bar.title),
      element('div', { class: 'bar-trailing' }, barButton(bar.trailing, act))));
}

/** The title once more, where the bar has no room for it. */
export function longTitle(bar) {
  return bar.titleFits ? null : element('p', { class: 'long-title', dir: 'auto' }, bar.title);
}

/** The bar below an item; `beside` stands between its buttons. */
export function toolbar(bar, act, beside = null) {
  if (!bar) return null;
  return element('footer', { class: 'toolbar' },
    barButton(bar.previous, act),
    element('div', { class: 'toolbar-middle' }, barButton(bar.photos, act), beside),
    barButton(bar.next, act));
}
