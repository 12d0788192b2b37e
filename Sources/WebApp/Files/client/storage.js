/**
 * Where an `OfflineStore` of `offline.js` keeps its records: in memory, or in a database of the browser.
 */
import { delay, newID, RowhouseError } from './rowhouse.js';

/** Milliseconds. Browsers run timers of hidden pages once a minute. */
const leaseTime = 90_000;

/**
 * Keeps records in memory. An app can pass a storage of its own with the same methods. All values are JSON, except for
 * those of keys that begin with `photo/`, which are blobs. A storage that several stores may open at the same time also
 * needs `lead` and `watch`, as `DatabaseStorage` has them.
 */
export class MemoryStorage {
  #records = new Map();

  /** The records of these keys, or all, as a map. */
  async read(keys = [...this.#records.keys()]) {
    return new Map(keys.filter((key) => this.#records.has(key)).map((key) => [key, this.#records.get(key)]));
  }

  /**
   * Writes a map of records, all or none, and resolves to true when they are on disk. Undefined deletes a record.
   * Resolves to false, without writing, if the storage has no record of one of the keys `needed`.
   */
  async write(changes, needed = []) {
    if (!needed.every((key) => this.#records.has(key))) return false;
    for (const [key, value] of changes) {
      if (value === undefined) this.#records.delete(key);
      else this.#records.set(key, value);
    }
    return true;
  }

  /** Deletes everything. */
  async erase() {
    this.#records.clear();
  }

  close() {}
}

const answered = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** Keeps records in a database of the browser, which the pages of a site share. */
export class DatabaseStorage {
  #database;
  #channel;
  #listener = () => {};
  /** If there are no locks: the id with which this page leads, and that of the last page that stopped leading. */
  #page = null;
  #released = null;

  constructor(name, database) {
    this.name = name;
    this.#database = database;
    // Another page erases everything.
    database.onversionchange = () => database.close();
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => {
      if (data?.released) this.#released = data.released;
      else this.#listener(data);
    };
  }

  static async open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('records');
    return new DatabaseStorage(name, await answered(request));
  }

  async read(keys) {
    const records = this.#database.transaction('records').objectStore('records');
    const [names, values] = await Promise.all(keys
      ? [keys, Promise.all(keys.map((key) => answered(records.get(key))))]
      : [answered(records.getAllKeys()), answered(records.getAll())]);
    return new Map(names.map((key, index) => [key, values[index]]).filter(([, value]) => value !== undefined));
  }

  async write(changes, needed = []) {
    const isWritten = await this.#transaction(async (records) => {
      const lease = this.#page && await answered(records.get('lease'));
      if (lease && lease.page !== this.#page) {
        throw new RowhouseError('Another page sends now.', { code: 'other_page' });
      }
      const found = await Promise.all(needed.map((key) => answered(records.getKey(key))));
      if (found.includes(undefined)) return false;
      for (const [key, value] of changes) {
        if (value === undefined) records.delete(key);
        else records.put(value, key);
      }
      return true;
    });
    if (isWritten) this.#channel.postMessage([...changes.keys()]);
    return isWritten;
  }

  async erase() {
    await this.#transaction((records) => void records.clear());
    this.#channel.postMessage(null);
    this.close();
    indexedDB.deleteDatabase(this.name);
  }

  /** Runs work that writes. Resolves to its result when that is on disk. */
  async #transaction(work) {
    const transaction = this.#database.transaction('records', 'readwrite', { durability: 'strict' });
    const complete = new Promise((done, fail) => {
      transaction.oncomplete = done;
      transaction.onabort = () => fail(transaction.error ?? new DOMException('Not written.', 'AbortError'));
    });
    const [result] = await Promise.all([work(transaction.objectStore('records')), complete]);
    return result;
  }

  /** Calls a function with the keys that another page has written, or with null after it has erased everything. */
  watch(listener) {
    this.#listener = listener;
  }

  /** Resolves when this page is the one that sends, until the signal aborts. */
  lead(signal) {
    // Locks exist only on secure pages (https://developer.mozilla.org/en-US/docs/Web/API/Web_Locks_API).
    if (!navigator.locks) return this.#lease(signal);
    return new Promise((lead, fail) => {
      const held = () => (lead(), new Promise((done) => signal.addEventListener('abort', done, { once: true })));
      navigator.locks.request(this.name, { signal }, held).catch(fail);
    });
  }

  /** Leads by a record that expires. Writes of a page that has lost it fail. */
  async #lease(signal) {
    const page = newID();
    const renew = () => this.#transaction(async (records) => {
      const lease = await answered(records.get('lease'));
      const isTaken = lease && lease.page !== page && lease.page !== this.#released && lease.until > Date.now();
      if (isTaken) return false;
      records.put({ page, until: Date.now() + leaseTime }, 'lease');
      return true;
    });
    while (!(await renew())) await delay(1000, signal);
    this.#page = page;
    const timer = setInterval(() => renew().catch(() => {}), leaseTime / 4);
    const release = () => {
      clearInterval(timer);
      removeEventListener('pagehide', release);
      // A closed database was erased, with the lease.
      if (!this.#page) return;
      this.#page = null;
      // The end of a page may leave no time for a transaction.
      this.#channel.postMessage({ released: page });
      this.#released = page;
    };
    addEventListener('pagehide', release);
    signal.addEventListener('abort', release, { once: true });
  }

  close() {
    this.#page = null;
    this.#channel.close();
    this.#database.close();
  }
}
