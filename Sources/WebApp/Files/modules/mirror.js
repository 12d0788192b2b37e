import { applyDelta } from '../client/rowhouse.js';
import { api, address, Disconnected, Problem } from './api.js';
import { idle } from './dom.js';
import { isNew, isWorking, kept, keptPath } from './kept.js';
import { learn, likelyBar, likelyShortcuts } from './likely-bar.js';

const pageSize = 100;
/** The most rows kept of a list. More than a person sees around one place. */
const mostKept = 3000;

const noChange = { deletes: [], moves: [], inserts: [], reloadsAfter: [] };

/** The rows after moving one. `to` counts without that row. */
const moved = (rows, from, to) => applyDelta({ ...noChange, moves: [{ from, to }] }, rows);

/** Ignores that something could not be read. */
const unneeded = (read) => read.catch((error) => {
  if (!(error instanceof Problem || error instanceof Disconnected)) throw error;
});

/** The rows without one. */
const without = (rows, index) => applyDelta({ ...noChange, deletes: [index] }, rows);

/**
 * The known part of a list's rows. Those of a kept list are the store's, with the changes that wait there. Of another list
 * they are some of its rows by index, at one revision: deltas from receipts, events and problems keep them current, and
 * pending changes of this page are shown on top until the server responds.
 *
 * Dispatches `change`, with `isAnimated`, when rows look different, `fields` when the list's fields, rights or
 * bars do, `bars` when only bars do, and `sums` when lists below may hold more or less.
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
  /** The rows of the store, with the sentinel. Null if the list is not kept. */
  #kept = null;
  /** The title that the list had in the store when its bars were read. */
  #title;
  /** What the list's own row shows, as the server has answered it. */
  #summary = null;
  /** The glyph and the colour that the store had last. */
  #looks = '';

  constructor(id) {
    super();
    this.id = id;
    this.revision = -1;
    /** The permissions of rows and the label for removing them, from the server's screen. */
    this.rights = null;
    /** The navigation bars by mode, as the server has described them. */
    this.bars = {};
    /** The ways to screens far above, as `{id, title}`. */
    this.shortcuts = [];
    /** The steps from the first list to this one, with `id`, `title` and `type`. */
    this.path = [];
    /** The sentinel. Null if it is hidden, undefined until it is known. */
    this.tail = undefined;
    this.takeKept();
  }

  /** Whether the store has the list. */
  get isKept() {
    return this.#kept !== null;
  }

  /** Whether there is something to show before the list has been read. */
  get isKnown() {
    return this.isKept && this.bar('browse') !== null;
  }

  /** Takes over the rows of the store, if it has the list. */
  takeKept(isAnimated = false) {
    if (!isWorking()) return;
    const list = kept.list(this.id);
    const rows = kept.rows(this.id);
    // What is shown may be newer than what the store has.
    if (!this.#kept && list?.revision < this.revision) return;
    const looks = list ? `${list.glyph} ${list.colour}` : '';
    const isOther = list && (list.title !== this.#title || looks !== this.#looks);
    this.#looks = looks;
    if (isOther && this.bars.browse) this.dispatchEvent(new Event('bars'));
    // A list that has left the store is gone, too.
    if (!rows || rows === this.#kept) return;
    this.#kept = rows;
    this.revision = list.revision;
    if (!this.bars.browse) this.#guess(list);
    this.#show(isAnimated);
  }

  /** Stops using the store, and reads the list from the server. */
  leaveKept() {
    this.#kept = null;
    return this.load();
  }

  /** Describes the screen as the server is likely to do. */
  #guess({ can, deleteLabel }) {
    this.rights = { canAdd: can.add, canEdit: can.edit, canMove: can.move, canDelete: can.delete, deleteLabel };
    this.path = keptPath(this.id);
    this.shortcuts = likelyShortcuts(this.path);
  }

  /** What the list's own row shows: its title, numbers, glyph and colour. Null until it is known. */
  get summary() {
    return kept?.list(this.id) ?? this.#summary;
  }

  /** Takes over what the list's row shows now. */
  takeSummary(summary) {
    this.#summary = summary;
    this.dispatchEvent(new Event('sums'));
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
    // The server does not have it yet.
    if (isNew(this.id)) return Promise.resolve();
    this.#read ??= this.load().catch((error) => {
      this.#read = null;
      throw error;
    });
    return this.#read;
  }

  /** Takes over the screen and the first rows that were read with the page. */
  begin(list) {
    this.path = list.path;
    this.#read = this.#inTurn(() => this.#describe(list, { edit: list.editBar }));
  }

  /** Reads the screen and the first rows again. Deltas received meanwhile are applied afterwards. */
  load() {
    return this.#inTurn(() => this.#load());
  }

  /** The bar of a mode: the server's, or else the likely one. Null if neither is known. */
  bar(mode) {
    const described = this.bars[mode];
    const own = kept?.list(this.id)?.title;
    this.#title ??= own;
    // A new title may wait in the store.
    if (described && own === this.#title) return described;
    const title = own ?? this.bars.browse.title;
    const likely = likelyBar(mode, { title, above: this.path.at(-2)?.title, rights: this.rights }) ?? described;
    // The server cannot describe a new list yet.
    return likely ?? (isNew(this.id) ? { leading: null, title, titleFits: true, prompt: null, trailing: null } : null);
  }

  /** Reads the bar of a mode. Resolves when there is one to show, which may be before the server's. */
  async readBar(mode) {
    if (this.bars[mode] || isNew(this.id)) return;
    const read = this.#readBar(mode);
    if (this.bar(mode)) unneeded(read);
    else await read;
  }

  async #readBar(mode) {
    this.bars[mode] = await this.#describedBar(mode);
    this.dispatchEvent(new Event('bars'));
  }

  async #describedBar(mode) {
    const { navigationBar } = await api.get(address(`/v1/lists/${this.id}/screen`, { mode }), { isQuiet: true });
    learn(navigationBar);
    return navigationBar;
  }

  /** Reads where the list is. Throws the server's problem if it is gone. */
  async readPath() {
    if (isNew(this.id)) return;
    this.path = (await api.get(`/v1/rows/${this.id}`)).path;
  }

  async #load() {
    const others = Object.keys(this.bars).filter((mode) => mode !== 'browse');
    const [screen, , ...bars] = await Promise.all([
      api.get(address(`/v1/lists/${this.id}/screen`, { limit: this.#kept ? undefined : pageSize })), this.readPath(),
      ...others.map((mode) => this.#describedBar(mode))]);
    this.#describe(screen, Object.fromEntries(others.map((mode, index) => [mode, bars[index]])));
  }

  /** @param bars those of other modes. */
  #describe(screen, bars = {}) {
    learn(screen.navigationBar, ...Object.values(bars));
    this.bars = { browse: screen.navigationBar, ...bars };
    this.#title = kept?.list(this.id)?.title;
    this.shortcuts = screen.shortcuts;
    this.rights = screen.row;
    this.#summary = screen.list ?? this.#summary;
    if (screen.rows && !this.#kept) {
      this.revision = screen.revision;
      this.#count = screen.count;
      this.#rows = new Map();
      this.tail = undefined;
      this.#take(screen.rows);
      this.#show(false);
    }
    this.dispatchEvent(new Event('fields'));
    // The buttons of the first list's edit mode are those of other lists, too.
    if (screen.navigationBar.trailing?.action === 'edit' && !this.bar('edit')) unneeded(idle().then(() => this.readBar('edit')));
  }

  /** Fetches missing rows between two indices, one page at a time. */
  async ensure(first, last) {
    if (this.#kept) return;
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
    if (this.#kept) return delta.list ? this.#load() : undefined;
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
    // The delta of the list above has the new total.
    this.takeSummary({ ...this.#summary, rowCount: delta.countAfter, totalValueInDollars: 0 });
    this.#show(true);
  }

  /** Reads the changes since the known revision. */
  catchUp() {
    return this.#inTurn(() => this.#catchUp());
  }

  async #catchUp() {
    if (this.revision < 0 || this.#kept) return;
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
    if (this.#kept) {
      this.tail = this.#kept.at(-1)?.id === null ? this.#kept.at(-1) : null;
      rows = new Map((this.tail ? this.#kept.slice(0, -1) : this.#kept).entries());
      count = rows.size;
    }
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
