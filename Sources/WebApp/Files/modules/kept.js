import { parseJSON } from '../client/rowhouse.js';
import { api, base, Disconnected, Problem } from './api.js';
import { delay } from './dom.js';
import { written } from './json-text.js';
import { session } from './session.js';
import { countUnsettled, eraseStore, isInUse, photoStore, storeName, storeNames, storeNamesOf } from './stores.js';
import { imported } from './texts.js';

/** The most rows that are kept in all. Longer lists are read in parts. */
const mostRows = 10_000;

/** Milliseconds for which a page waits until its store has heard of a change. */
const longestWait = 2000;

/** The lists that the page keeps, and the changes that wait for a connection: an `OfflineStore`. Null until it is open. */
export let kept = null;

let opening = null;
/** The name of the store's database. Null until it is opened, or if there is none. */
let own = null;

/** Opens the store of the inventory. Without a database it is kept in memory. */
export function openKept() {
  opening ??= openStore().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** A sign-out could not remove answers from the browser's cache. */
const fetchUncached = (address, options) => fetch(address, { ...options, cache: 'no-store' });

async function openStore() {
  const [{ MemoryStorage, OfflineStore }, { Rowhouse }] = await imported(
    Promise.all([import('../client/offline.js'), import('../client/rowhouse.js')]));
  const { token, inventory, language } = session;
  const rowhouse = new Rowhouse(`${location.origin}${base}/`, { token, inventory, language, fetch: fetchUncached });
  own = storeName(inventory, token);
  const open = () => OfflineStore.open(rowhouse, { name: own.replace('rowhouse-', '') }).catch(() => {
    own = null;
    return OfflineStore.open(rowhouse, { storage: new MemoryStorage() });
  });
  const found = await open();
  if (own) session.noteStore(own);
  // The texts of lists that were read in another language.
  const { lang } = document.documentElement;
  const isUnsettled = unsettledCount(found) > 0;
  const isForeign = session.keptLanguage && session.keptLanguage !== lang && !isUnsettled;
  if (isForeign) await found.signOut();
  if (isForeign || !isUnsettled) session.keptLanguage = lang;
  const opened = isForeign ? await open() : found;
  if (session.token !== token || session.isSignedOut) {
    // Another window has signed out meanwhile, and this page is about to be left.
    await opened.signOut();
    await new Promise(() => {});
  }
  kept = opened;
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
  const { position, ...draft } = parseJSON(written(members));
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

/** Whether this page has erased what was kept, and is about to be left. */
export let isErased = false;

/** The number of a store's changes that wait for a connection, and of its notices that were not dismissed. */
const unsettledCount = ({ status, refused, notices }) => status.waiting.length + refused.length + notices.length;

/**
 * The number of changes that wait for a connection, and of notices that were not dismissed, also those of other
 * inventories and tokens.
 */
export async function waitingCount() {
  const others = (await storeNames()).filter((name) => !kept || name !== own);
  const counts = await Promise.all(others.map(countUnsettled));
  return counts.reduce((sum, count) => sum + (count ? count.waiting + count.told : 0), kept ? unsettledCount(kept) : 0);
}

/**
 * The stores of other tokens for this inventory in which changes or notices wait, and from which no window sends: `{name,
 * waiting, told, isOfNobody}`. `isOfNobody`: there was no token.
 */
export async function formerStores() {
  // A store in memory would lose them.
  if (!own || !isWorking()) return [];
  const nobodys = storeName(session.inventory, null);
  const names = (await storeNames()).filter((name) => name !== own && name.startsWith(nobodys));
  const found = await Promise.all(names.map(async (name) => (
    { name, ...(await isInUse(name) ? null : await countUnsettled(name)), isOfNobody: name === nobodys })));
  return found.filter(({ waiting, told }) => waiting || told);
}

/** Takes over what waits in the store of another token, and erases that store. */
export async function adopt(name) {
  await kept.adopt({ name: name.replace('rowhouse-', '') });
  session.forgetStore(name);
}

/** Erases the open store. Resolves to whether its database is erased. */
async function eraseOwn() {
  isErased = true;
  if (!await kept?.signOut().then(() => true, () => false)) return false;
  if (own) session.forgetStore(own);
  return true;
}

/** Erases what is kept of all inventories and tokens, and the changes that wait, in every window of this browser. */
export async function eraseKept() {
  await globalThis.caches?.delete(photoStore).catch(() => {});
  const isDone = await eraseOwn();
  for (const name of await storeNames()) if (!isDone || name !== own) await eraseStore(name);
}

/**
 * Erases what is kept for a token, or for null without one, that the server has refused or that another one replaces. A
 * careful person expects that a device forgets what it may no longer read. They do not expect that it forgets what they
 * have typed. So a store stays while changes wait in it: who signs in next can send or discard them; see former.js. If
 * this does not happen, the next sign-out asks about them and erases the store.
 */
export async function eraseFormer(token) {
  await globalThis.caches?.delete(photoStore).catch(() => {});
  for (const name of await storeNamesOf(token)) {
    const count = await countUnsettled(name);
    if (!count || count.waiting || count.told) continue;
    if (name !== own || !await eraseOwn()) await eraseStore(name);
  }
}
