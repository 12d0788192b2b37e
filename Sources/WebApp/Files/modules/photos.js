import { api, Disconnected, Problem } from './api.js';
import { newID } from './dom.js';
import { notify, take } from './notices.js';
import { text } from './texts.js';

const mostKept = 24;
const kept = new Map();

/** The URL of a photo for an `img`. It is fetched here, because a request needs the token. Keeps the latest photos. */
export function photoSource(itemID, photoID) {
  let source = kept.get(photoID);
  kept.delete(photoID);
  source ??= api.blob(`/v1/items/${itemID}/photos/${photoID}`, { cache: 'default' }).then((blob) => URL.createObjectURL(blob));
  source.catch(() => kept.delete(photoID));
  kept.set(photoID, source);
  if (kept.size > mostKept) {
    const [oldest, dropped] = kept.entries().next().value;
    kept.delete(oldest);
    dropped.then((address) => URL.revokeObjectURL(address), () => {});
  }
  return source;
}

/** Adds photos, each once even if a connection breaks. Shows which could not be added, and why. */
export async function addPhotos(itemID, files) {
  /** The names of files by the reason for the failure. */
  const failed = new Map();
  const fail = (reason, names) => failed.set(reason, [...failed.get(reason) ?? [], ...names]);
  for (const [index, file] of files.entries()) {
    try {
      const photo = await api.upload(`/v1/items/${itemID}/photos?id=${newID()}`, file);
      await take(photo.receipt);
    } catch (error) {
      if (error instanceof Disconnected) {
        fail(text('offline'), files.slice(index).map(({ name }) => name));
        break;
      }
      if (!(error instanceof Problem)) throw error;
      fail(error.message, [file.name]);
    }
  }
  const sentences = [...failed].map(([reason, names]) => text('photosNotAdded', { names: names.join(', '), reason }));
  if (sentences.length) notify(sentences.join(' '), { isTrouble: true });
}
