import { element } from './dom.js';
import { icon } from './icons.js';
import { listTile } from './tile.js';

/** Actions with a well-known icon. The bar shows the titles of the others. */
const pictured = new Set(['add', 'previous', 'next', 'photos', 'close']);

/** A bar button from the server's description; null for none. */
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
 * The bar of a screen or a sheet, from the server's description.
 *
 * @param level the level of its heading.
 * @param id the id of the heading, for labels.
 * @param list the list whose glyph stands before the title.
 */
export function navigationBar(bar, act, { level = 1, id = null, list = null } = {}) {
  return element('header', { class: 'navigation-bar' },
    bar.prompt ? element('p', { class: 'bar-prompt' }, element('bdi', {}, bar.prompt)) : null,
    element('div', { class: 'bar-line' },
      element('div', { class: 'bar-leading' }, barButton(bar.leading, act)),
      // In the title's own direction, so that the right end is cut off.
      element(`h${level}`, { class: 'bar-title', tabindex: '-1', id, title: bar.title, dir: 'auto' }, titleTile(list), bar.title),
      element('div', { class: 'bar-trailing' }, barButton(bar.trailing, act))));
}

/** The tile of a list before its title, if it has a glyph. */
const titleTile = (list) => (list?.glyph ? listTile(list) : null);

/**
 * The title in large letters above the content. Once it is scrolled away, the bar shows the title. The bar's title stays
 * the heading for screen readers.
 *
 * @param home the element of the screen.
 * @param list the summary of a list, whose glyph stands before the title.
 */
export function largeTitle(bar, home, list = null) {
  const title = element('p', { class: 'large-title', dir: 'auto', 'aria-hidden': 'true' }, titleTile(list), bar.title);
  home.classList.add('has-large-title');
  new IntersectionObserver((changes) => {
    const { isIntersecting, target } = changes.at(-1);
    // A title that was drawn again is not in sight either.
    if (target.isConnected) home.classList.toggle('has-large-title', isIntersecting);
  }).observe(title);
  return title;
}

/** The toolbar of an item, with `beside` between its buttons. */
export function itemToolbar(bar, act, beside = null) {
  if (!bar) return null;
  return element('footer', { class: 'toolbar' },
    barButton(bar.previous, act),
    element('div', { class: 'toolbar-middle' }, barButton(bar.photos, act), beside),
    barButton(bar.next, act));
}
