import { applyDelta } from '../client/rowhouse.js';
import { api, address, Problem } from './api.js';

const pageSize = 100;
/** The most rows kept of a list. More than a person sees around one place. */
const mostKept = 3000;

const noChange = { deletes: [], moves: [], inserts: [], reloadsAfter: [] };

/** The rows after moving one. `to` counts without that row. */
const moved = (rows, from, to) => applyDelta({ ...noChange, moves: [{ from, to }] }, rows);

/** The rows without one. */
const without = (rows, index) => applyDelta({ ...noChange, deletes: [index] }, rows);

/**
 * The known part of a list's rows: some of them by index, at one revision. Deltas from receipts, events and problems
 * keep it current. Pending changes of this page are shown on top until the server responds.
 *
 * Dispatches `change`, with `isAnimated`, when rows look different, and `fields` when the list's fields, rights or bars do.
 */
export class Mirror extends EventTarget {
  /** The confirmed rows on the server. */
  #rows = new Map();
  #count = 0;
  /** Changes made here without a response yet: `{id, to}`, or `{id}` for a removed row. */
  #pending = [];
  /** The confirmed rows with the pending changes. */
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
    /** The permissions of rows and the label for removing them, from the server's screen. */
    this.rights = null;
    /** The navigation bars by mode. `browse` is always known, `edit` after `readBar`. */
    this.bars = {};
    /** The ways to screens far above, as `{id, title}`. */
    this.shortcuts = [];
    /** The steps from the first list to this one, with `id`, `title` and `type`. */
    this.path = [];
    /** The sentinel. Null if it is hidden, undefined until it is known. */
    this.tail = undefined;
  }

  /** The number of rows without the sentinel. */
  get count() {
    return this.#shownCount;
  }

  /** The number of rows with the sentinel. */
  get length() {
    return this.#shownCount + (this.tail ? 1 : 0);
  }

  /** The row at an index; undefined if it is not loaded. */
  row(index) {
    return index === this.#shownCount && this.tail ? this.tail : this.#shown.get(index);
  }

  /** The rows that are loaded. */
  get rows() {
    return [...this.#shown.values()];
  }

  /** The index of a row; undefined if it is not loaded. */
  indexOf(id) {
    return this.#places.get(id);
  }

  /** The index of a row on the server, without the pending changes; undefined if it is not loaded. */
  confirmedIndexOf(id) {
    return [...this.#rows].find(([, row]) => row.id === id)?.[0];
  }

  /** Resolves when the list has been read once. */
  whenRead() {
    this.#read ??= this.load();
    return this.#read;
  }

  /** Reads the screen and the first rows again. Deltas received meanwhile are applied afterwards. */
  load() {
    return this.#inTurn(() => this.#load());
  }

  /** Resolves when the bar of a mode is known. */
  async readBar(mode) {
    this.bars[mode] ??= await this.#bar(mode);
  }

  async #bar(mode) {
    return (await api.get(address(`/v1/lists/${this.id}/screen`, { mode }))).navigationBar;
  }

  /** Reads where the list is. Throws the server's problem if it is gone. */
  async readPath() {
    this.path = (await api.get(`/v1/rows/${this.id}`)).path;
  }

  async #load() {
    const others = Object.keys(this.bars).filter((mode) => mode !== 'browse');
    const [screen, , ...bars] = await Promise.all([
      api.get(address(`/v1/lists/${this.id}/screen`, { limit: pageSize })), this.readPath(),
      ...others.map((mode) => this.#bar(mode))]);
    this.bars = { browse: screen.navigationBar, ...Object.fromEntries(others.map((mode, index) => [mode, bars[index]])) };
    this.shortcuts = screen.shortcuts;
    this.rights = screen.row;
    this.revision = screen.revision;
    this.#count = screen.count;
    this.#rows = new Map();
    this.tail = undefined;
    this.#take(screen.rows);
    this.#show(false);
    this.dispatchEvent(new Event('fields'));
  }

  /** Fetches missing rows between two indices, one page at a time. */
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
      // When scrolling up, the page should end where the known rows begin.
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
    // The viewer then asks for rows that are still missing, for example after a late page.
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

  /** Applies a delta. Earlier deltas are ignored, and one that does not fit causes a new read. */
  receive(delta) {
    return this.#inTurn(() => this.#receive(delta));
  }

  /** Runs work one after the other, because each depends on the rows that the last one left. */
  #inTurn(work) {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  async #receive(delta) {
    if (delta.resync) return this.#load();
    if (delta.toRevision <= this.revision) return;
    // A delta from before this revision to after it contains changes that are already applied.
    if (delta.fromRevision !== this.revision || delta.countBefore !== this.#count) return this.#catchUp();
    this.#apply(delta);
    // The server determines rights, the sentinel and labels, so they are read again.
    if (delta.list) await this.#load();
  }

  #apply(delta) {
    this.#rows = applyDelta(delta, this.#rows);
    this.#count = delta.countAfter;
    this.revision = delta.toRevision;
    this.#show(true);
  }

  /** Reads the changes since the known revision. */
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
   * Shows a change of a row at once, until `write` has its response. The receipt's deltas bring the confirmed change.
   *
   * @param change `{id, to}`, or `{id}` for a removed row.
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
