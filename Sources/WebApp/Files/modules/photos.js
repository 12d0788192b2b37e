import { api } from './api.js';
import { newID } from './dom.js';
import { take } from './notices.js';

const mostKept = 24;
const kept = new Map();

/** Where an `img` finds a photo: its bytes take a token by header, so they are fetched here; those seen last are kept. */
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

/** Adds a photo; sent again after a broken connection, it is added once. */
export async function addPhoto(itemID, file) {
  const photo = await api.upload(`/v1/items/${itemID}/photos?id=${newID()}`, file);
  await take(photo.receipt);
}
