import { screensAbove } from './address.js';
import { caller } from './caller.js';
import { showChanges } from './changes-sheet.js';
import { element } from './dom.js';
import { icon } from './icons.js';
import { mayChooseInventory, showInventories } from './inventories-sheet.js';
import { attempt } from './notices.js';
import { Search } from './search.js';
import { showSettings } from './settings-sheet.js';
import { showTags } from './tags-sheet.js';
import { text } from './texts.js';
import { showTrash } from './trash-sheet.js';
import { Tree } from './tree.js';

const roomy = matchMedia('(min-width: 64rem)');

/** The sidebar of a wide window: the search in everything, the tree of lists, and what else the app has. */
export class Sidebar {
  #tree = null;
  /** The ids of the lists from the first one to the visible one. */
  #way = [];

  /** Makes the sidebar as soon as the window is wide enough. */
  start() {
    roomy.addEventListener('change', () => attempt(() => this.#appear()));
    return this.#appear();
  }

  async #appear() {
    if (!roomy.matches) return;
    if (this.#tree) return void (await this.reload());
    const { rootListId } = caller();
    this.#tree = new Tree(rootListId);
    const search = new Search(rootListId, true, {
      shows: (isSearching) => (this.#tree.element.hidden = isSearching), typed: () => {},
    });
    const label = text('searchEverywhere');
    search.input.placeholder = label;
    search.input.setAttribute('aria-label', label);
    search.field.setAttribute('aria-label', label);
    const entry = (key, image, act) => element('button', { type: 'button', data: { entry: key }, onclick: act },
      icon(image), element('span', {}, text(key)));
    document.querySelector('.stage').before(element('nav', { class: 'sidebar', 'aria-label': text('sidebar') },
      search.field,
      element('div', { class: 'sidebar-body' }, search.hits, this.#tree.element),
      element('div', { class: 'sidebar-entries' },
        entry('tags', 'tag', showTags), entry('changes', 'clock', showChanges), entry('trash', 'trash', showTrash),
        mayChooseInventory() ? entry('inventories', 'box', showInventories) : null,
        entry('settings', 'sliders', showSettings))));
    await this.#tree.load();
    await this.#tree.show(this.#way);
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
    await this.#tree.reload();
    await this.#tree.show(this.#way);
  }
}
