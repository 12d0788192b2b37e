import { address, api } from './api.js';
import { element } from './dom.js';

/** The distance in pixels from an edge of the sidebar at which dragging scrolls it. */
const edge = 40;
const speed = 6;
/** Milliseconds over a closed list until it opens. */
const openTime = 700;

/** The list in the sidebar under a dragged row. The server says whether it accepts the row. */
export class ListTarget {
  #id;
  #label;
  #row = null;
  #timer = 0;
  /** What the server has said about lists, by id. */
  #answers = new Map();

  /** @param row `{id, name}`. */
  constructor({ id, name }) {
    this.#id = id;
    this.#label = element('div', { class: 'dragged', 'aria-hidden': 'true', hidden: true }, element('bdi', {}, name));
    document.body.append(this.#label);
  }

  /** Follows the pointer. Returns whether it is over the sidebar. */
  follow(x, y) {
    const under = document.elementFromPoint(x, y);
    const sidebar = under?.closest('.sidebar');
    this.#label.hidden = !sidebar;
    this.#label.style.translate = `${x}px ${y}px`;
    this.#aim(sidebar ? under.closest('.tree-row[data-list]') : null);
    const body = sidebar?.querySelector('.sidebar-body');
    if (body) {
      const { top, bottom } = body.getBoundingClientRect();
      if (y < top + edge) body.scrollTop -= speed;
      else if (y > bottom - edge) body.scrollTop += speed;
    }
    return Boolean(sidebar);
  }

  #aim(row) {
    if (row !== this.#row) {
      clearTimeout(this.#timer);
      this.#row?.classList.remove('is-target');
      this.#row = row;
      if (row?.getAttribute('aria-expanded') === 'false') {
        this.#timer = setTimeout(() => row.querySelector('.tree-toggle').click(), openTime);
      }
      if (row) this.#ask(row.dataset.list);
    }
    row?.classList.toggle('is-target', this.#answers.get(row.dataset.list) === true);
  }

  async #ask(listID) {
    if (this.#answers.has(listID)) return;
    this.#answers.set(listID, null);
    try {
      const { navigationBar } = await api.get(
        address(`/v1/lists/${listID}/screen`, { mode: 'move', row: this.#id }), { isQuiet: true });
      this.#answers.set(listID, Boolean(navigationBar.trailing?.enabled));
    } catch {
      // The drop reports the error.
      this.#answers.delete(listID);
    }
  }

  /** The list to drop on: `{id, title}`. Null if there is none, or it does not accept the row. */
  get list() {
    const id = this.#row?.dataset.list;
    if (!id || this.#answers.get(id) === false) return null;
    return { id, title: this.#row.querySelector('.tree-title').textContent };
  }

  end() {
    this.#aim(null);
    this.#label.remove();
  }
}
