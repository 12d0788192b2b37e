import assert from 'node:assert/strict';
import { client, list, rowhouse, server, until } from './server.mjs';

/** A disk in memory that several stores open at the same time, like the pages of a browser, and that survives them. */
export class Disk {
  records = new Map();
  /** Called with the changes of each write. */
  wrote = () => {};
  #open = new Set();
  #leader = null;

  /** Another disk with the same content, like a restored backup. */
  copy() {
    const copy = new Disk();
    copy.records = new Map(this.records);
    return copy;
  }

  keys(kind) {
    return [...this.records.keys()].filter((key) => key.startsWith(`${kind}/`));
  }

  /** A storage for one store. After `kill` it does nothing more, like a page or a program that was killed. */
  open() {
    const page = { isKilled: false, listener: null, isWaiting: false, lead: null };
    const turn = () => new Promise((done) => setImmediate(() => page.isKilled || done()));
    const tell = (keys) => {
      for (const other of this.#open) if (other !== page) setImmediate(() => other.isKilled || other.isDeaf || other.listener?.(keys));
    };
    this.#open.add(page);
    return {
      read: async (keys) => {
        await turn();
        const names = keys ?? [...this.records.keys()];
        return new Map(names.filter((key) => this.records.has(key)).map((key) => [key, this.records.get(key)]));
      },
      write: async (changes, needed = []) => {
        await turn();
        const isWritten = needed.every((key) => this.records.has(key));
        for (const [key, value] of isWritten ? changes : []) {
          if (value === undefined) this.records.delete(key);
          else this.records.set(key, value instanceof Blob ? value : structuredClone(value));
        }
        if (isWritten) this.wrote(changes);
        if (isWritten) tell([...changes.keys()]);
        await turn();
        return isWritten;
      },
      erase: async () => {
        await turn();
        this.records.clear();
        tell(null);
      },
      watch: (listener) => (page.listener = listener),
      lead: (signal) => new Promise((lead, fail) => {
        page.lead = lead;
        signal.addEventListener('abort', () => {
          page.lead = null;
          if (this.#leader === page) this.#leader = null;
          fail(signal.reason);
          this.#choose();
        }, { once: true });
        this.#choose();
      }),
      close: () => this.#open.delete(page),
      /** Loses what other stores tell, as if it came late. */
      deafen: () => (page.isDeaf = true),
      kill: () => {
        page.isKilled = true;
        page.lead = null;
        if (this.#leader === page) this.#leader = null;
        this.#open.delete(page);
        this.#choose();
      },
    };
  }

  #choose() {
    if (this.#leader) return;
    this.#leader = [...this.#open].find((page) => page.lead) ?? null;
    this.#leader?.lead();
  }
}

export const retries = { firstDelay: 5, longestDelay: 50 };
const opened = [];

/** Ends the stores of a test. */
export async function closeAll() {
  for (const { store, storage } of opened.splice(0)) {
    await store.stop();
    storage.kill();
  }
}

/** A store on a disk, with what it told and with a table that applied it. */
export async function open({ disk = new Disk(), from = rowhouse, keep = list, isStarted = true } = {}) {
  const storage = disk.open();
  const store = await client.OfflineStore.open(from, { storage, retries });
  const told = [];
  const tables = new Map();
  store.subscribe((update) => {
    told.push(update);
    for (const [id, each] of update.lists) {
      if (each.type === 'gone') tables.delete(id);
      else tables.set(id, shown(tables.get(id), each));
    }
  });
  const one = { disk, storage, store, told, tables };
  opened.push(one);
  if (isStarted) {
    store.start();
    if (keep) {
      await store.keep(keep);
      tables.set(keep, store.rows(keep).map((row) => row.id));
    }
  }
  return one;
}

/** The ids of a table after an update. */
function shown(before, { type, rows, deletes, inserts, moves }) {
  const wanted = rows.map((row) => row.id);
  rows.forEach((row, index) => assert.equal(row.index, index));
  if (type !== 'batch' || !before) return wanted;
  const leaving = new Set([...deletes, ...moves.map((move) => move.from)]);
  const after = before.filter((_, index) => !leaving.has(index));
  const moved = moves.map(({ from, to }) => [to, before[from]]);
  const arriving = [...inserts.map((index) => [index, wanted[index]]), ...moved];
  for (const [index, id] of arriving.sort(([left], [right]) => left - right)) after.splice(index, 0, id);
  assert.deepEqual(after, wanted);
  return after;
}

/** Ends a store as a crash would. */
export function crash({ store, storage }) {
  storage.kill();
  store.stop();
  opened.splice(opened.findIndex((one) => one.store === store), 1);
}

export async function ask(method, path, body) {
  const answer = await fetch(server.url + path, {
    method, body: body && JSON.stringify(body), headers: body ? { 'Content-Type': 'application/json' } : {} });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return text ? JSON.parse(text) : null;
}

export const fail = (...rules) => ask('POST', '/v1/test/faults', { rules });
export const sent = (store) => until(() => store.status.waiting.length === 0);
export const idOf = (entry) => entry.command.item?.id ?? entry.command.list?.id;
export const titles = (store, id = list) => store.rows(id).map((row) => row.title).slice(0, -1);
export const serverRows = async (id = list) => (await rowhouse.rows(id, { limit: 1000 })).rows;

/** The store has sent everything, and has the server's rows. */
export async function equal(store, id = list) {
  await sent(store);
  await store.reached((await rowhouse.list(id)).revision);
  assert.deepEqual(store.rows(id), await serverRows(id));
}
