import { base } from './base.js';
import { delay } from './dom.js';
import { session } from './session.js';

/**
 * The databases of this browser with stores of lists: one for each inventory and token. Servers with other
 * base paths may have the same origin, and have others.
 */

/** The start of all names. `OfflineStore` requires the first word. No base path contains a space. */
const prefix = base ? `rowhouse-${base} ` : 'rowhouse-';

/** The name of the store for photos, in the browser's storage for caches. */
export const photoStore = `${prefix}photos`;

/** What follows: an inventory's id, and the checksum of a token unless there was none. */
const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-f]{1,16})?$/;

/** The parts of the name of a store of this server. Null for another name. */
const parts = (name) => (name.startsWith(prefix) ? pattern.exec(name.slice(prefix.length)) : null);

/** Milliseconds to wait for a database, which a suspended page may hold. */
const longestWait = 5000;

/** A short name for a token, which does not tell the token. */
function checksum(token) {
  let sum = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(token)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum.toString(16);
}

/** The end of the names of a token's stores. It is empty without a token. */
const endingOf = (token) => (token === null ? '' : `-${checksum(token)}`);

/** The name of the database of an inventory's store. */
export const storeName = (inventory, token) => `${prefix}${inventory}${endingOf(token)}`;

/** The names of all stores. Some browsers do not list their databases. */
export async function storeNames() {
  const listed = await globalThis.indexedDB?.databases?.().catch(() => []) ?? [];
  return [...new Set([...listed.map(({ name }) => name), ...session.stores])].filter((name) => parts(name));
}

/** The names of the stores of a token, or of null for none. */
export const storeNamesOf = async (token) =>
  (await storeNames()).filter((name) => (parts(name)[1] ?? '') === endingOf(token));

/** Whether a window sends from a store. Without locks (see hold.js) it counts as unused. */
export const isInUse = async (name) => Boolean((await navigator.locks?.query())?.held.some((lock) => lock.name === name));

/** Resolves to the result of a request; undefined if it fails, or waits for a page that does not close the database. */
const settled = (request) => Promise.race([delay(longestWait), new Promise((done) => {
  request.onsuccess = () => done(request.result);
  request.onerror = request.onblocked = () => done(undefined);
})]);

/** Runs work with the records of a store, in a transaction. Resolves to its result. Undefined if there are none. */
async function withRecords(name, mode, work) {
  const request = indexedDB.open(name);
  // There is no such database, and none is to be made.
  request.onupgradeneeded = () => request.transaction.abort();
  const database = await settled(request);
  if (!database) {
    request.addEventListener('success', () => request.result.close());
    return undefined;
  }
  try {
    const transaction = database.transaction('records', mode);
    const complete = new Promise((done) => (transaction.oncomplete = transaction.onabort = done));
    const asked = work(transaction.objectStore('records'));
    await complete;
    return asked.result;
  } finally {
    database.close();
  }
}

/**
 * The number of changes in a store that wait for a connection, `waiting`, and of its notices that were not dismissed,
 * `told`. Undefined if that cannot be found out.
 */
export async function countUnsettled(name) {
  const keys = await withRecords(name, 'readonly', (records) => records.getAllKeys()).catch(() => undefined);
  const count = (pattern) => keys.filter((key) => pattern.test(key)).length;
  return keys && { waiting: count(/^(waiting|sent)\//), told: count(/^notice\//) };
}

/** Erases a store. Another page may hold the database: its records are gone all the same, and that page cannot add any. */
export async function eraseStore(name) {
  try {
    await withRecords(name, 'readwrite', (records) => records.clear()).catch(() => {});
    const channel = new BroadcastChannel(name);
    channel.postMessage(null);
    channel.close();
    await settled(indexedDB.deleteDatabase(name));
    session.forgetStore(name);
  } catch {
    // The browser gives this page no databases.
  }
}
