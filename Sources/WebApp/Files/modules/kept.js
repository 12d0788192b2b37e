import { api, base, Disconnected, Problem } from './api.js';
import { delay } from './dom.js';
import { exactly, written } from './json-text.js';
import { session } from './session.js';
import { imported } from './texts.js';

/** The name of the store for photos, in the browser's storage for caches. */
export const photoStore = 'rowhouse-photos';

/** The most rows that are kept in all. Longer lists are read in parts. */
const mostRows = 10_000;

/** Milliseconds for which a page waits until its store has heard of a change. */
const longestWait = 2000;

/** The lists that the page keeps, and the changes that wait for a connection: an `OfflineStore`. Null until it is open. */
export let kept = null;

/** A short name for a token, which does not tell the token. */
function checksum(token) {
  let sum = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(token)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum.toString(16);
}

let opening = null;
/** The end of the names of all stores of the token. Each inventory has one. */
let ending = null;

/** Opens the store of the inventory. Without a database it is kept in memory. */
export function openKept() {
  opening ??= openStore().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function openStore() {
  const [{ MemoryStorage, OfflineStore }, { Rowhouse }] = await imported(
    Promise.all([import('../client/offline.js'), import('../client/rowhouse.js')]));
  const { token, inventory, language } = session;
  const rowhouse = new Rowhouse(`${location.origin}${base}/`, { token, inventory, language });
  ending = token && `-${checksum(token)}`;
  const name = `${inventory}${ending ?? ''}`;
  const open = () => OfflineStore.open(rowhouse, { name })
    .catch(() => OfflineStore.open(rowhouse, { storage: new MemoryStorage() }));
  const found = await open();
  // The texts of lists that were read in another language.
  const { lang } = document.documentElement;
  const isForeign = session.keptLanguage && session.keptLanguage !== lang && !found.status.waiting.length;
  if (isForeign) await found.signOut();
  if (isForeign || !found.status.waiting.length) session.keptLanguage = lang;
  kept = isForeign ? await open() : found;
}

/** Whether the store may still read lists that it has not. */
let isBeingFilled = true;
/** Whether the store had all lists when it was filled last. Of a large inventory it never has. */
let wasWhole = false;

/** Dispatches `change` when the store has read what it keeps. */
export const filling = new EventTarget();

/** Whether what the store does not know now may be known soon. */
export const isFilling = () => isBeingFilled && (kept === null || isWorking());

/** Resolves when the store has read what it keeps. */
export const filled = () => new Promise((done) => {
  if (isFilling()) filling.addEventListener('change', done, { once: true });
  else done();
});

function endFilling() {
  isBeingFilled = false;
  wasWhole = isWorking() && kept.subtree() !== undefined;
  filling.dispatchEvent(new Event('change'));
}

function fill() {
  isBeingFilled = true;
  // The store is stopped when the page is left.
  kept.keepAll({ limit: mostRows }).catch(() => {}).then(endFilling);
}

/** Connects the store, and keeps all lists that are not too long. */
export async function startKept() {
  kept.start();
  const { rowCount } = await api.get('/v1/lists/root', { isQuiet: true });
  if (rowCount > mostRows) return endFilling();
  fill();
  // A list that others have added is read, too.
  kept.subscribe(() => {
    if (!isBeingFilled && wasWhole && isWorking() && !kept.subtree()) fill();
  });
}

/** Whether a list or an item was created here and is not on the server yet. */
export const isNew = (id) => Boolean(kept?.status.waiting.some(({ command }) => (command.list ?? command.item)?.id === id));

/** The steps from the first list to a kept list, as the API gives them for a row. */
export function keptPath(id) {
  const path = [];
  for (let next = id; next;) {
    const list = kept.list(next);
    const known = list ?? kept.row(next);
    if (!known) break;
    path.unshift({ id: next, title: known.title, type: list ? 'list' : 'item' });
    next = list ? list.itemId ?? list.parentId : kept.home(next);
  }
  return path;
}

/** Whether the server cannot be reached, so that changes wait in the store. */
export const isOffline = () => kept?.status.connection === 'offline';

/** Whether the store can be used. It stops for good after some errors, such as a full disk. */
export const isWorking = () => kept !== null && kept.status.error === null;

/** Whether the store has a row, so that it can be changed without a connection. */
export const isKept = (row) => isWorking() && kept.home(row) !== null;

/** An error of the client, as `api` throws it. */
const asOwn = (error) => (error.problem ? new Problem(error.problem) : error.code === 'unreachable' ? new Disconnected(error.message) : error);

/**
 * Gives the store a command. Resolves to its entry when the server has answered it, or at once without a connection.
 * Throws the problem if the server has refused it.
 *
 * @param command gives it: `(store) => store.delete(id)`.
 */
export async function give(command) {
  await openKept();
  const entry = await command(kept);
  await answered(entry);
  const refused = kept.refused.find(({ id }) => id === entry.id);
  if (!refused) return entry;
  await kept.dismiss(refused);
  throw new Problem(refused.problem);
}

/** Whether rows that are added to a list wait in the store. */
export const addsLater = (listId) => isWorking() && isOffline() && kept.list(listId) !== undefined;

/** Adds a row to a list in the store, and resolves to the entry. `members` are those of the API. */
export function addLater(listId, isList, members) {
  const plain = exactly(written(members));
  if (!plain) throw new Disconnected();
  const { position, ...draft } = plain;
  const place = { at: position === 'first' ? 0 : undefined };
  if (!isList && kept.list(listId).itemKind === 'car') draft.kind = 'car';
  return give((store) => (isList ? store.createList(listId, draft, place) : store.createItem(listId, draft, place)));
}

/** Resolves when the server has answered a command, or there is no connection. */
async function answered({ id }) {
  const isOpen = () => kept.status.connection === 'online' && kept.status.waiting.some((entry) => entry.id === id);
  if (!isOpen()) return;
  await new Promise((done) => {
    const leave = kept.subscribe(() => {
      if (isOpen()) return;
      leave();
      done();
    });
  });
}

/** Resolves when the store has the rows at a revision. Waits no longer than a moment, and not without a connection. */
export async function caughtUp(revision) {
  if (!isWorking() || kept.status.connection !== 'online') return;
  await Promise.race([kept.reached(revision).catch(() => {}), delay(longestWait)]);
}

/** Undoes a command. Resolves to the receipt of the server, or to null if the command was not sent yet. */
export async function takeBack(entry) {
  await answered(entry);
  try {
    const undone = await kept.undo(entry);
    return Array.isArray(undone) ? null : undone;
  } catch (error) {
    throw asOwn(error);
  }
}

/** Whether this page signs out, and has erased what was kept. */
export let isErased = false;

/** Resolves to the result of a request; undefined if it fails, or waits for a page that does not close the database. */
const settled = (request) => new Promise((done) => {
  request.onsuccess = () => done(request.result);
  request.onerror = request.onblocked = () => done(undefined);
});

/** The names of the databases with the stores of the token, but not of the open one. */
async function otherStores() {
  const found = await globalThis.indexedDB?.databases?.().catch(() => []) ?? [];
  const own = `rowhouse-${session.inventory}${ending}`;
  return found.map(({ name }) => name).filter((name) => ending && name.endsWith(ending) && name !== own);
}

/** Whether changes wait for a connection, also those of other inventories. */
export async function hasWaiting() {
  if (kept.status.waiting.length) return true;
  for (const name of await otherStores()) {
    const database = await settled(indexedDB.open(name));
    const keys = database && await settled(database.transaction('records').objectStore('records').getAllKeys());
    database?.close();
    if (keys?.some((key) => /^(waiting|sent)\//.test(key))) return true;
  }
  return false;
}

/** Erases what is kept of all inventories, and the changes that wait, in every window of this browser. */
export async function eraseKept() {
  await globalThis.caches?.delete(photoStore).catch(() => {});
  isErased = true;
  await kept.signOut().catch(() => {});
  for (const name of await otherStores()) await settled(indexedDB.deleteDatabase(name));
}
