import { Disconnected, pauseAfterTrouble, Problem } from './api.js';
import { filling, isErased, isOffline, isWorking, kept, keptPath } from './kept.js';
import { learn } from './likely-bar.js';
import { Mirror } from './mirror.js';
import { session } from './session.js';
import { listInside } from './sums.js';

const mostKept = 24;
const mostFound = 30;

/** The ids of what a delta renames or moves. */
const changedIDs = ({ listId, list, inserts = [] }) => [...(list ? [listId] : []), ...inserts.map(({ row }) => row?.id)];

/** The rows of a kept list and of the kept lists below it, as `[id, rows]`. */
function* keptBelow(id) {
  const rows = kept.rows(id);
  if (!rows) return;
  yield [id, rows];
  for (const inside of rows.map(listInside)) if (inside) yield* keptBelow(inside);
}

/** The mirrors of recently viewed lists. */
class Mirrors {
  #mirrors = new Map();
  /** The lists whose changes could not be fetched. */
  #missed = new Set();
  #timer = 0;
  /** The list that was read with the page, until it is shown. */
  #offered = null;

  /** Shows what the store keeps, and each change of it. */
  follow(store) {
    filling.addEventListener('change', () => {
      for (const mirror of this.#mirrors.values()) mirror.dispatchEvent(new Event('sums'));
    });
    store.subscribe(({ lists, status }) => {
      // A page that signs out shows nothing any more.
      if (isErased || session.isSignedOut) return undefined;
      if (status.error) {
        const left = [...this.#mirrors.values()].filter((mirror) => mirror.isKept);
        return void this.#each(left, (mirror) => mirror.leaveKept(), ({ id }) => id);
      }
      for (const [id, mirror] of this.#mirrors) {
        const isUnread = mirror.isKept && !mirror.bars.browse && status.connection === 'online';
        if (isUnread) this.#each([mirror], () => mirror.whenRead(), () => id);
        if (lists.get(id)?.type === 'gone') this.#mirrors.delete(id);
        else if (lists.has(id) || !mirror.isKept) mirror.takeKept(true);
        mirror.dispatchEvent(new Event('sums'));
      }
      return undefined;
    });
  }

  /** Gives the list that was read with the page. */
  offer(list) {
    this.#offered = list;
    learn(list.navigationBar, list.editBar);
  }

  /** A list's mirror, read from the server if nothing is known of it. */
  async of(id) {
    // Registered before it is read, so that it receives changes during the read.
    const mirror = this.#mirrors.get(id) ?? new Mirror(id);
    this.#mirrors.delete(id);
    this.#mirrors.set(id, mirror);
    if (this.#mirrors.size > mostKept) this.#mirrors.delete(this.#mirrors.keys().next().value);
    if (this.#offered?.listId === id) mirror.begin(this.#offered);
    this.#offered = null;
    const read = mirror.whenRead();
    if (mirror.isKnown) {
      this.#each([mirror], () => read, () => id);
      return mirror;
    }
    try {
      await read;
    } catch (error) {
      this.#mirrors.delete(id);
      throw error;
    }
    return mirror;
  }

  /** The known lists and items, the last viewed ones first: `{id, isList, title, detail}`. `detail` is the list of a row. */
  known() {
    const found = new Map();
    for (const mirror of [...this.#mirrors.values()].reverse().filter(({ rights }) => rights)) {
      for (const { id, title, type } of mirror.path) found.set(id, { id, title, isList: type === 'list' });
      const detail = mirror.path.at(-1)?.title;
      for (const row of mirror.rows) {
        if (!found.has(row.id)) found.set(row.id, { id: row.id, title: row.title, isList: Boolean(row.list), detail });
      }
    }
    return [...found.values()];
  }

  /** A row of a list that is mirrored, with the list: `{mirror, row}`. Undefined if it is not known. */
  find(id) {
    for (const mirror of this.#mirrors.values()) {
      const index = mirror.indexOf(id);
      if (index !== undefined && mirror.rights) return { mirror, row: mirror.row(index) };
    }
    return undefined;
  }

  /**
   * The known rows whose titles or details have all these words, with their lists, at most 30.
   *
   * @param listId a list that contains them, at any depth. Undefined for all lists.
   */
  search(words, listId) {
    const wanted = words.toLowerCase().split(/\s+/);
    const hits = [];
    for (const { rows, path } of this.#searched(listId)) {
      for (const row of rows) {
        const text = `${row.title} ${row.detail ?? ''}`.toLowerCase();
        if (wanted.every((word) => text.includes(word))) hits.push({ ...row, path: [...path, row], snippet: [] });
        if (hits.length === mostFound) return hits;
      }
    }
    return hits;
  }

  /** What is searched: the mirrors, and without a connection the lists that the store keeps, too. */
  *#searched(listId) {
    const known = [...this.#mirrors.values()].filter(({ path }) => !listId || path.some(({ id }) => id === listId));
    yield* known;
    if (!isOffline() || !isWorking()) return;
    const seen = new Set(known.map(({ id }) => id));
    for (const [id, rows] of keptBelow(listId ?? kept.list()?.id)) {
      if (!seen.has(id)) yield { rows: rows.filter((row) => row.id), path: keptPath(id) };
    }
  }

  /** Applies the deltas of a receipt or an event. */
  async receive({ deltas = [], items = [] }) {
    await this.#each(deltas, (delta) => this.#mirrors.get(delta.listId)?.receive(delta), (delta) => delta.listId);
    for (const { row } of deltas.flatMap(({ inserts = [], reloadsAfter = [] }) => [...inserts, ...reloadsAfter])) {
      if (row.list) this.#mirrors.get(row.id)?.takeSummary(row.list);
    }
    // The bars of a list name the screens above it.
    const changed = new Set([...items, ...deltas.flatMap(changedIDs)]);
    const below = [...this.#mirrors.values()].filter(({ id, path }) => path.some((step) => changed.has(step.id)
      && !(step.id === id && deltas.some((delta) => delta.listId === id && delta.list))));
    await this.#each(below, (mirror) => mirror.load(), (mirror) => mirror.id);
  }

  /** Reads the lists whose changes could not be fetched. */
  async loadMissed() {
    const missed = [...this.#missed];
    this.#missed.clear();
    await this.#each(missed, (id) => this.#mirrors.get(id)?.load(), (id) => id);
  }

  /** Reads all mirrored lists again. */
  async reload() {
    await this.#each([...this.#mirrors.values()], (mirror) => mirror.load(), (mirror) => mirror.id);
  }

  /** Retries later. A lost stream does so when it reconnects, but here the stream may still be open. */
  #tryLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.loadMissed(), pauseAfterTrouble);
  }

  async #each(things, work, id) {
    await Promise.all(things.map(async (thing) => {
      try {
        await work(thing);
      } catch (error) {
        const isTrouble = error instanceof Problem && error.mayPass;
        // A deleted list is dropped. A list that cannot be reached is read later.
        if (isTrouble || error instanceof Disconnected) this.#missed.add(id(thing));
        else if (error instanceof Problem) this.#mirrors.delete(id(thing));
        else throw error;
        if (isTrouble) this.#tryLater();
      }
    }));
  }
}

export const mirrors = new Mirrors();
