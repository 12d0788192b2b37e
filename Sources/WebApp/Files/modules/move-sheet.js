import { address, api } from './api.js';
import { element, isRightToLeft } from './dom.js';
import { icon } from './icons.js';
import { attempt, take, tell } from './notices.js';
import { readFor, Sheet } from './sheet.js';
import { text } from './texts.js';

const mostShown = 1000;

/** Looks for the list that a row is to be moved to: the server says of each whether it takes the row. */
export class MoveSheet {
  #row;
  #list;
  #sheet;
  #steps = 0;

  constructor(row, listID) {
    this.#row = row;
    readFor(() => this.#enter(listID));
  }

  async #enter(listID) {
    const step = (this.#steps += 1);
    const [screen, way, lists] = await Promise.all([
      api.get(address(`/v1/lists/${listID}/screen`, { mode: 'move', row: this.#row.id })),
      api.get(`/v1/lists/${listID}/path`),
      api.get(address(`/v1/lists/${listID}/rows`, { limit: mostShown, sentinel: false })),
    ]);
    // Somewhere else was tapped in the meantime.
    if (step !== this.#steps) return;
    this.#list = { id: listID, title: screen.navigationBar.title };
    this.#sheet ??= new Sheet(screen.navigationBar, [], { move: () => this.#move() });
    this.#sheet.bar = screen.navigationBar;
    const doors = lists.rows.map((row) => ({ title: row.title, id: row.list?.id ?? row.item.contentsListId }))
      .filter((door) => door.id);
    this.#sheet.body.replaceChildren(
      this.#way(way.path),
      doors.length ? this.#doors(doors) : element('p', { class: 'empty' }, text('nothingToEnter')));
    this.#sheet.element.querySelector('h2').focus();
  }

  /** The way back up. */
  #way(path) {
    // An item on the way is entered by its contents, which come right behind it.
    const steps = path.filter((step) => step.type === 'list');
    return element('nav', { class: 'way', 'aria-label': text('path') }, ...steps.map((step, index) =>
      element('button', {
        type: 'button', 'aria-current': index === steps.length - 1 ? 'page' : null,
        onclick: () => attempt(() => this.#enter(step.id)),
      }, element('bdi', {}, step.title))));
  }

  #doors(doors) {
    return element('ul', { class: 'card choices', role: 'list' }, ...doors.map((door) =>
      element('li', {}, element('button', { type: 'button', onclick: () => attempt(() => this.#enter(door.id)) },
        element('bdi', {}, door.title), icon(isRightToLeft() ? 'chevron-left' : 'chevron-right')))));
  }

  async #move() {
    try {
      const receipt = await api.post(`/v1/rows/${this.#row.id}/move`, { listId: this.#list.id, position: 'last' });
      this.#sheet.close();
      await take(receipt, text('moved', { name: this.#row.title, list: this.#list.title }));
    } catch (error) {
      tell(error);
    }
  }
}
