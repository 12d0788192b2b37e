import { address, api } from './api.js';

const pageSize = 100;

/** A list's rows in another order, for looking at; read anew when the list changes. */
export class SortedView extends EventTarget {
  #mirror;
  #rows = new Map();
  #tail = null;
  #isFetching = false;
  #onChange = (event) => {
    if (event.detail.isAnimated) this.#begin();
  };

  constructor(mirror, sort) {
    super();
    this.#mirror = mirror;
    this.sort = sort;
    this.id = mirror.id;
    this.count = mirror.count;
    mirror.addEventListener('change', this.#onChange);
  }

  close() {
    this.#mirror.removeEventListener('change', this.#onChange);
  }

  get length() {
    return this.count + (this.#tail ? 1 : 0);
  }

  row(place) {
    return place === this.count && this.#tail ? this.#tail : this.#rows.get(place);
  }

  indexOf(id) {
    for (const [place, row] of this.#rows) if (row.id === id) return place;
    return undefined;
  }

  #begin() {
    this.#rows = new Map();
    this.dispatchEvent(new CustomEvent('change', { detail: { isAnimated: true } }));
  }

  async ensure(first, last) {
    let offset = Math.max(0, first);
    while (offset <= Math.min(last, this.count - 1) && this.#rows.has(offset)) offset += 1;
    if (this.#isFetching || (offset > Math.min(last, this.count - 1) && (this.count || this.#tail))) return;
    this.#isFetching = true;
    try {
      const page = await api.get(
        address(`/v1/lists/${this.id}/rows`, { sort: this.sort, offset, limit: pageSize }));
      this.count = page.matched;
      page.rows.forEach((row, place) => {
        if (row.type === 'sentinel') this.#tail = row;
        else this.#rows.set(offset + place, row);
      });
    } finally {
      this.#isFetching = false;
    }
    this.dispatchEvent(new CustomEvent('change', { detail: { isAnimated: false } }));
  }
}
