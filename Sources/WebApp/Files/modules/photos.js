import { makeRenditions, neededSizes } from '../client/renditions.js';
import { api, base, Disconnected, Problem } from './api.js';
import { newID } from './dom.js';
import { give, isKept, isOffline, kept } from './kept.js';
import { attempt, doubt, isFull, notify, settle, take, takeEntry, tellOutcome } from './notices.js';
import { session } from './session.js';
import { photoStore } from './stores.js';
import { text } from './texts.js';

const mostKept = 24;
const mostStored = 400;
const sources = new Map();

/** By photo: the renditions that are made here and sent. */
const made = new Map();

const pathOf = (itemID, photoID) => `/v1/items/${itemID}/photos/${photoID}`;

/** A photo that waits in the store. Undefined if it does not. */
const waiting = async (photoID) => kept?.photo(photoID).catch(() => undefined);

/** Keeps the latest values. `drop` gets those that are not kept any more. */
function keepLatest(values, key, value, drop = () => {}) {
  values.delete(key);
  values.set(key, value);
  if (values.size <= mostKept) return;
  const [oldest, dropped] = values.entries().next().value;
  values.delete(oldest);
  drop(dropped);
}

/**
 * The smallest file of a photo that is sharp at a size, as `{blob, isRendition}`. If the server has none of the size, and
 * the person may edit the item, renditions are made here and sent, so that the photo is large for once only.
 */
export async function photoFile(itemID, photoID, size, { canEdit = false, ...options } = {}) {
  const own = await waiting(photoID);
  if (own) return { blob: own, isRendition: false };
  const rendition = (await made.get(photoID))?.get(size);
  if (rendition) return { blob: rendition, isRendition: true };
  const path = size ? `${pathOf(itemID, photoID)}?size=${size}` : pathOf(itemID, photoID);
  const { blob, tag } = await file(path, size, options);
  const isRendition = Boolean(size) && Boolean(tag?.endsWith(`-${size}"`));
  // Without a small one there is hardly a large one.
  const sizes = size === 1280 ? [size] : neededSizes(blob);
  if (!size || isRendition || !canEdit || made.has(photoID) || !neededSizes(blob).includes(size)) return { blob, isRendition };
  const making = makeRenditions(blob, sizes);
  sendRenditions(itemID, photoID, making);
  // A screen need not wait for it.
  const small = size === 1280 ? null : (await making).get(size);
  return small ? { blob: small, isRendition: true } : { blob, isRendition };
}

/**
 * Reads a photo's file. A browser that keeps the token, or needs none, keeps the files in a store of their own, which a
 * sign-out deletes. The browser's cache would keep them, and in some browsers the token too.
 */
async function file(path, size, options) {
  const store = session.isLasting || !session.token ? await globalThis.caches?.open(photoStore).catch(() => null) : null;
  const stored = await store?.match(base + path);
  if (stored) return { blob: await stored.blob(), tag: stored.headers.get('ETag') };
  const found = await api.file(path, options);
  // Without a small one, the same path has one later.
  if (store && found.tag && (!size || found.tag.endsWith(`-${size}"`))) {
    attempt(() => keepFile(store, path, found));
  }
  return found;
}

async function keepFile(store, path, { blob, tag }) {
  try {
    await store.put(base + path, new Response(blob, { headers: { 'Content-Type': blob.type, ETag: tag } }));
    const kept = await store.keys();
    for (const old of kept.slice(0, Math.max(0, kept.length - mostStored))) await store.delete(old);
  } catch {
    // Without room, the photo is read again.
  }
}

/** Sends renditions of a photo. Nothing depends on them, so they are sent once. */
async function sendRenditions(itemID, photoID, making) {
  keepLatest(made, photoID, making);
  try {
    for (const [size, rendition] of await making) {
      await api.upload(`${pathOf(itemID, photoID)}/renditions/${size}`, rendition, { method: 'PUT', isQuiet: true, isMinor: true });
    }
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Disconnected)) throw error;
  }
}

/**
 * The URL of a photo for an `img`, sharp on most screens, or with all its pixels if `size` is null. It is fetched here,
 * because a request needs the token. Keeps the latest photos.
 */
export function photoSource(itemID, photoID, { size = 1280, canEdit } = {}) {
  const name = `${photoID}/${size}`;
  const source = sources.get(name)
    ?? photoFile(itemID, photoID, size, { canEdit }).then(({ blob }) => URL.createObjectURL(blob));
  source.catch(() => sources.delete(name));
  keepLatest(sources, name, source, (dropped) => dropped.then((address) => URL.revokeObjectURL(address), () => {}));
  return source;
}

/** The uploads whose answers were lost, until they are repeated. */
const lost = new Set();

/** Uploads a photo. If its answer was lost before, repeats that upload, so that there is one photo. */
async function addPhoto(itemID, file) {
  const name = [itemID, file.name, file.size, file.lastModified].join('/');
  if (lost.has(name)) return settle();
  if (!file.size) throw new Problem({ title: text('fileEmpty') });
  if (isOffline() && isKept(itemID)) return takeEntry(await give((store) => store.addPhoto(itemID, file)));
  try {
    const making = makeRenditions(file);
    const photo = await api.upload(`/v1/items/${itemID}/photos?id=${newID()}`, file, { canRepeat: true });
    sendRenditions(itemID, photo.id, making);
    return await take(photo.receipt);
  } catch (error) {
    if (error instanceof Disconnected) lost.add(name);
    doubt(error, (found) => {
      lost.delete(name);
      return tellOutcome(found);
    });
    throw error;
  }
}

/**
 * Adds photos, each once even if a connection breaks. Shows which could not be added, and why.
 *
 * @param tried gets the number of files that were tried, after each but the last.
 */
export async function addPhotos(itemID, files, tried) {
  /** The names of files by the reason for the failure. */
  const failed = new Map();
  let isUnsure = false;
  const fail = (reason, names) => failed.set(reason, [...failed.get(reason) ?? [], ...names]);
  for (const [index, file] of files.entries()) {
    if (index) tried(index);
    try {
      await addPhoto(itemID, file);
    } catch (error) {
      if (error instanceof Disconnected) {
        isUnsure = true;
        const rest = files.slice(index + 1).map(({ name }) => name);
        if (rest.length) fail(text('offline'), rest);
        break;
      }
      if (!(error instanceof Problem || isFull(error))) throw error;
      fail(isFull(error) ? text('notStored') : error.code === 'unsupported_image' ? text('photoTypes') : error.message, [file.name]);
    }
  }
  const sentences = [...failed].map(([reason, names]) => text('photosNotAdded', { names: names.join(', '), reason }));
  if (isUnsure) sentences.unshift(text('unsure'));
  if (sentences.length) notify(sentences.join(' '), { isTrouble: true });
}
