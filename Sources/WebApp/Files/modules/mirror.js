import { api, address, Problem } from './api.js';
import { applied, moved, without } from './delta.js';

const pageSize = 100;
/** As many rows are kept as a long list is looked at around one place, and some more. */
const mostKept = 3000;

/**
 * What this page knows of a list's rows: some of them by index, at one revision. It is kept right by deltas, from
 * receipts, events and problems alike. What the person has just done is laid over it until the server has answered.
 *
 * Tells `change`, with `isAnimated`, when rows look different, and `fields` when the list's own fields or rights do.
 */
export class Mirror extends EventTarget {
  /** Of the list on the server: what was confirmed. */
  #rows = new Map();
  #count = 0;
  /** What was done here and is not answered yet: `{id, to}`, or `{id}` for a row that goes. */
  #pending = [];
  /** Both together. */
  #shown = new Map();
  #places = new Map();
  #shownCount = 0;
  #isFetching = false;
  #turns = Promise.resolve();
  #read = null;

  constructor(id) {
    super();
    this.id = id;
    this.revision = -1;
    /** What may be done to rows, and the word for removing them, as the server's screen says. */
    this.rights = null;
    /** The row that stands behind all others; null where there is none, undefined until it has been seen. */
    this.tail = undefined;
  }

  /** Rows that take part in the order. */
  get count() {
    return this.#shownCount;
  }

  /** Rows with the one behind all others. */
  get length() {
    return this.#shownCount + (this.tail ? 1 : 0);
  }

  /** The row at a place; undefined where it is not known yet. */
  row(index) {
    return index === this.#shownCount && this.tail ? this.tail : this.#shown.get(index);
  }

  /** Where a row stands; undefined where that is not known. */
  indexOf(id) {
    return this.#places.get(id);
  }

  /** Resolves when it has been read once. */
  whenRead() {
    this.#read ??= this.load();
    return this.#read;
  }

  /** Reads the screen and the first rows anew; what is heard of in the meantime is taken in afterwards. */
  load() {
    return this.#inTurn(() => this.#load());
  }

  async #load() {
    const screen = await api.get(address(`/v1/lists/${this.id}/screen`, { limit: pageSize }));
    this.rights = screen.row;
    this.revision = screen.revision;
    this.#count = screen.count;
    this.#rows = new Map();
    this.tail = undefined;
    this.#take(screen.rows);
    this.#show(false);
    this.dispatchEvent(new Event('fields'));
  }

  /** Fetches what is missing between two places, a page at a time. */
  async ensure(first, last) {
    const end = Math.min(last, this.#count - 1);
    const missing = [];
    for (let index = Math.max(0, first); index <= end; index += 1) {
      if (!this.#rows.has(index)) missing.push(index);
    }
    const wantsTail = this.tail === undefined && last >= this.#count - 1;
    if (this.#isFetching || (!missing.length && !wantsTail)) return;
    this.#isFetching = true;
    try {
      // Upwards, the page is to end where the known rows begin.
      const isUpwards = missing.length && this.#rows.has(end);
      const offset = isUpwards ? Math.max(0, missing.at(-1) - pageSize + 1) : (missing[0] ?? this.#count);
      const page = await this.#page(offset);
      if (page) {
        this.#take(page.rows);
        this.#forgetFarFrom(first);
      }
    } finally {
      this.#isFetching = false;
    }
    // Whoever is shown this asks for what is still missing, as after a page that came too late.
    this.#show(false);
  }

  async #page(offset) {
    const revision = this.revision;
    try {
      const page = await api.get(
        address(`/v1/lists/${this.id}/rows`, { offset, limit: pageSize, revision }));
      return page.revision === this.revision ? page : null;
    } catch (problem) {
      if (problem.code !== 'list_moved_on') throw problem;
      await this.receive(problem.members.delta);
      return this.#page(offset);
    }
  }

  #take(rows) {
    for (const row of rows) {
      if (row.type === 'sentinel') this.tail = row;
      else this.#rows.set(row.index, row);
    }
    if (this.tail === undefined && this.#rows.has(this.#count - 1) && rows.at(-1)?.index === this.#count - 1) {
      this.tail = null;
    }
    if (this.tail === undefined && this.#count === 0) this.tail = null;
  }

  #forgetFarFrom(index) {
    if (this.#rows.size <= mostKept) return;
    const nearest = [...this.#rows].sort(
      ([left], [right]) => Math.abs(left - index) - Math.abs(right - index));
    this.#rows = new Map(nearest.slice(0, mostKept / 2));
  }

  /** Brings the rows to a delta's revision; deltas that came before, or do not fit, do no harm. */
  receive(delta) {
    return this.#inTurn(() => this.#receive(delta));
  }

  /** One after the other, each on what the one before has made of the rows. */
  #inTurn(work) {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  async #receive(delta) {
    if (delta.resync) return this.#load();
    if (delta.toRevision <= this.revision) return;
    // One that begins before this revision, and ends behind it, has changes in it that have been taken in already.
    if (delta.fromRevision !== this.revision || delta.countBefore !== this.#count) return this.#catchUp();
    this.#apply(delta);
    // Rights, the last row and the words are worked out by the server.
    if (delta.list) await this.#load();
  }

  #apply(delta) {
    this.#rows = applied(delta, this.#rows);
    this.#count = delta.countAfter;
    this.revision = delta.toRevision;
    this.#show(true);
  }

  /** Asks for what has changed since. */
  catchUp() {
    return this.#inTurn(() => this.#catchUp());
  }

  async #catchUp() {
    if (this.revision < 0) return;
    try {
      const { deltas } = await api.get(address(`/v1/lists/${this.id}/changes`, { since: this.revision }));
      for (const delta of deltas) {
        if (delta.resync || delta.list) await this.#load();
        else if (delta.toRevision > this.revision) this.#apply(delta);
      }
    } catch (problem) {
      if (problem instanceof Problem && problem.code === 'resync') await this.#load();
      else throw problem;
    }
  }

  /**
   * Does a change of a row at once, and for good when `write` has been answered; what the server made of it comes with
   * the receipt's deltas.
   *
   * @param change `{id, to}`, or `{id}` for a row that goes.
   */
  async optimistically(change, write) {
    this.#pending.push(change);
    this.#show(true);
    try {
      return await write();
    } finally {
      this.#pending = this.#pending.filter((other) => other !== change);
      this.#show(true);
    }
  }

  #show(isAnimated) {
    let rows = this.#rows;
    let count = this.#count;
    for (const { id, to } of this.#pending) {
      const from = [...rows].find(([, row]) => row.id === id)?.[0];
      if (from === undefined) continue;
      if (to === undefined) {
        rows = without(rows, from);
        count -= 1;
      } else {
        rows = moved(rows, from, Math.min(to, count - 1));
      }
    }
    this.#shown = rows;
    this.#shownCount = count;
    this.#places = new Map([...rows].map(([index, row]) => [row.id, index]));
    this.dispatchEvent(new CustomEvent('change', { detail: { isAnimated } }));
  }
}
