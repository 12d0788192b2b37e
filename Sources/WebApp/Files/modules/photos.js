import { api, Disconnected, Problem } from './api.js';
import { newID } from './dom.js';
import { give, isKept, isOffline, kept } from './kept.js';
import { doubt, notify, settle, take, takeEntry, tellOutcome } from './notices.js';
import { text } from './texts.js';

const mostKept = 24;
const sources = new Map();

/** The file of a photo: the one that waits in the store, or the server's. */
export const photoFile = async (itemID, photoID, options) => await kept?.photo(photoID).catch(() => undefined)
  ?? api.blob(`/v1/items/${itemID}/photos/${photoID}`, { cache: 'default', ...options });

/** The URL of a photo for an `img`. It is fetched here, because a request needs the token. Keeps the latest photos. */
export function photoSource(itemID, photoID) {
  let source = sources.get(photoID);
  sources.delete(photoID);
  source ??= photoFile(itemID, photoID).then((blob) => URL.createObjectURL(blob));
  source.catch(() => sources.delete(photoID));
  sources.set(photoID, source);
  if (sources.size > mostKept) {
    const [oldest, dropped] = sources.entries().next().value;
    sources.delete(oldest);
    dropped.then((address) => URL.revokeObjectURL(address), () => {});
  }
  return source;
}

/** The uploads whose answers were lost, until they are repeated. */
const lost = new Set();

/** Uploads a photo. If its answer was lost before, repeats that upload, so that there is one photo. */
async function addPhoto(itemID, file) {
  const name = [itemID, file.name, file.size, file.lastModified].join('/');
  if (lost.has(name)) return settle();
  if (isOffline() && isKept(itemID)) return takeEntry(await give((store) => store.addPhoto(itemID, file)));
  try {
    const photo = await api.upload(`/v1/items/${itemID}/photos?id=${newID()}`, file, { canRepeat: true });
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

/** Adds photos, each once even if a connection breaks. Shows which could not be added, and why. */
export async function addPhotos(itemID, files) {
  /** The names of files by the reason for the failure. */
  const failed = new Map();
  let isUnsure = false;
  const fail = (reason, names) => failed.set(reason, [...failed.get(reason) ?? [], ...names]);
  for (const [index, file] of files.entries()) {
    try {
      await addPhoto(itemID, file);
    } catch (error) {
      if (error instanceof Disconnected) {
        isUnsure = true;
        const rest = files.slice(index + 1).map(({ name }) => name);
        if (rest.length) fail(text('offline'), rest);
        break;
      }
      if (!(error instanceof Problem)) throw error;
      fail(error.message, [file.name]);
    }
  }
  const sentences = [...failed].map(([reason, names]) => text('photosNotAdded', { names: names.join(', '), reason }));
  if (isUnsure) sentences.unshift(text('unsure'));
  if (sentences.length) notify(sentences.join(' '), { isTrouble: true });
}
