import { address, api } from './api.js';
import { text } from './texts.js';

const pageSize = 100;

/** The types of rows that a view can show, with the keys of their texts. */
export const orderTypes = [[undefined, 'everything'], ['list', 'lists'], ['item', 'items']];

export const keyOf = ({ sort }) => sort?.replace('-', '');
export const isTurned = ({ sort }) => sort?.startsWith('-') ?? false;

/** The title of a sort. */
export const sortTitle = (sort) => text(sort === 'totalValueInDollars' ? 'totalValue' : sort);

/** The title of a view. */
export function orderTitle(choice) {
  const parts = [];
  if (choice.sort) parts.push(sortTitle(keyOf(choice)), text(isTurned(choice) ? 'descending' : 'ascending'));
  if (choice.type) parts.push(text(orderTypes.find(([type]) => type === choice.type)[1]));
  if (choice.above) parts.push(text('sections'));
  return parts.join(' · ');
}

/**
 * A view of a list's rows: sorted, filtered or in sections. It is read again after each change of the list, and shows
 * the old rows until then.
 *
 * It is a source of a `RowList`, in which section headings take up places like rows.
 */
export class ListView extends EventTarget {
  #mirror;
  /** The rows by their index in the view, without headings. */
  #rows = new Map();
  #heads = [];
  #tail = null;
  #isFetching = false;
  /** The number of changes of the list. Rows that were read at a lower age are out of date. */
  #age = 0;
  #ageRead = -1;
  #revision;
  #onChange = () => {
    if (this.#mirror.revision === this.#revision) return;
    this.#revision = this.#mirror.revision;
    this.#age += 1;
    this.#tell(false);
  };

  /** @param choice `{sort, type, above}`: parameters of the API. `above` is the amount between the sections. */
  constructor(mirror, choice) {
    super();
    this.#mirror = mirror;
    this.#revision = mirror.revision;
    this.choice = choice;
    this.id = mirror.id;
    this.count = 0;
    mirror.addEventListener('change', this.#onChange);
  }

  close() {
    this.#mirror.removeEventListener('change', this.#onChange);
  }

  get length() {
    return this.count + this.#heads.length + (this.#tail ? 1 : 0);
  }

  row(slot) {
    if (this.#tail && slot === this.length - 1) return this.#tail;
    return this.#heads.find((head) => head.slot === slot)?.row ?? this.#rows.get(slot - this.#headsBefore(slot));
  }

  indexOf(id) {
    const head = this.#heads.find(({ row }) => row.id === id);
    if (head) return head.slot;
    for (const [place, row] of this.#rows) if (row.id === id) return this.#slot(place);
    return undefined;
  }

  #headsBefore(slot) {
    return this.#heads.filter((head) => head.slot < slot).length;
  }

  #slot(place) {
    return this.#heads.reduce((slot, head) => (head.slot <= slot ? slot + 1 : slot), place);
  }

  /** Fetches missing or outdated rows between two slots. */
  async ensure(first, last) {
    const isFresh = this.#ageRead === this.#age;
    const end = Math.min(last, this.count - 1);
    let offset = Math.max(0, first - this.#heads.length);
    while (isFresh && offset <= end && this.#rows.has(offset)) offset += 1;
    if (this.#isFetching || (isFresh && offset > end)) return;
    this.#isFetching = true;
    const age = this.#age;
    let page;
    try {
      const { sort, type, above } = this.choice;
      page = await api.get(address(`/v1/lists/${this.id}/rows`, {
        sort, type, sections: above ? `value:${above}` : undefined, offset, limit: pageSize,
      }));
    } finally {
      this.#isFetching = false;
    }
    if (age === this.#age) this.#take(page, offset);
    this.#tell(!isFresh);
  }

  #take(page, offset) {
    if (this.#ageRead !== this.#age) this.#rows = new Map();
    this.#ageRead = this.#age;
    this.count = page.matched;
    this.#heads = (page.sections ?? []).filter((section) => section.count).map((section, index) => ({
      slot: section.first + index,
      row: { type: 'section', id: `section-${section.title}`, title: section.title, count: section.count },
    }));
    page.rows.forEach((row, place) => {
      if (row.type === 'sentinel') this.#tail = row;
      else this.#rows.set(offset + place, row);
    });
    if (this.#mirror.tail === null) this.#tail = null;
  }

  #tell(isAnimated) {
    this.dispatchEvent(new CustomEvent('change', { detail: { isAnimated } }));
  }
}
