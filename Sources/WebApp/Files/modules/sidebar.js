import { caller, mayChooseInventory } from './caller.js';
import { element } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { Search } from './search.js';
import { loadedInBackground, sheets } from './sheets.js';
import { text } from './texts.js';

const roomy = matchMedia('(min-width: 64rem)');

/** The sidebar of a wide window: the search in everything, the tree of lists, and what else the app has. */
export class Sidebar {
  #tree = null;
  #search = null;
  /** The ids of the lists from the first one to the visible one. */
  #way = [];

  /** Makes the sidebar as soon as the window is wide enough. */
  start() {
    roomy.addEventListener('change', () => attempt(() => this.#appear()));
    return this.#appear();
  }

  async #appear() {
    if (!roomy.matches) return;
    const { Tree } = await loadedInBackground(import('./tree.js'));
    if (this.#tree) return void (await this.reload());
    const { rootListId } = caller();
    this.#tree = new Tree(rootListId);
    const search = new Search(rootListId, true, {
      shows: (isSearching) => (this.#tree.element.hidden = isSearching), typed: () => {},
    });
    this.#search = search;
    const label = text('searchEverywhere');
    search.input.placeholder = label;
    search.input.setAttribute('aria-label', label);
    search.field.setAttribute('aria-label', label);
    const entry = (key, image, act) => element('button', { type: 'button', data: { entry: key }, onclick: () => attempt(act) },
      icon(image), element('span', {}, text(key)));
    document.querySelector('.stage').before(element('nav', { class: 'sidebar', 'aria-label': text('sidebar') },
      search.field,
      element('div', { class: 'sidebar-body' }, search.hits, this.#tree.element),
      element('div', { class: 'sidebar-entries' },
        entry('tags', 'tag', sheets.tags), entry('changes', 'clock', sheets.changes), entry('trash', 'trash', sheets.trash),
        mayChooseInventory() ? entry('inventories', 'box', sheets.inventories) : null,
        entry('settings', 'sliders', sheets.settings))));
    await this.reload();
  }

  /** Opens the tree down to the visible list, and marks it there. */
  show(list) {
    const way = list?.above ? [list.screen.listId, ...list.above.map(({ listId }) => listId)].filter((id) => id).reverse() : [];
    if (way.join() === this.#way.join()) return;
    this.#way = way;
    if (roomy.matches && this.#tree) attempt(() => this.#tree.show(way));
  }

  /** Shows what an event has changed. */
  async hear(event) {
    if (roomy.matches) await this.#tree?.hear(event);
  }

  /** Shows the lists as they are now, after changes that were missed. */
  async reload() {
    if (!roomy.matches || !this.#tree) return;
    this.#search.retry();
    await this.#tree.reload();
    await this.#tree.show(this.#way);
  }
}
