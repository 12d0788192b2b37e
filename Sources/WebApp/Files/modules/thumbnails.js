import { api } from './api.js';
import { element } from './dom.js';
import { icon } from './icons.js';

/** In pixels; sharp on most screens at the sizes that they are shown in. */
const side = 208;
const mostKept = 300;
const atOnce = 2;
/** So long a row has to stay before its photo is fetched: whoever scrolls past sees none. */
const pause = 200;

/** By photo: where an `img` finds the small picture, or null where it can't be made. */
const kept = new Map();
let waiting = [];
let working = 0;
let timer = 0;

/** A small picture of a photo; as long as there is none, and where it can't be had, a sign for it. */
export function thumbnail(itemID, photoID) {
  const frame = element('span', { class: 'thumbnail' });
  if (kept.has(photoID)) show(frame, kept.get(photoID));
  else {
    show(frame, null);
    waiting.push({ frame, itemID, photoID });
    clearTimeout(timer);
    // Whoever pays for each byte has signs.
    if (!navigator.connection?.saveData) timer = setTimeout(work, pause);
  }
  return frame;
}

function show(frame, source) {
  frame.replaceChildren(source ? element('img', { src: source, alt: '' }) : icon('camera'));
}

function work() {
  // What has been scrolled away is not wanted any more.
  waiting = waiting.filter(({ frame }) => frame.isConnected);
  while (working < atOnce && waiting.length) {
    const { itemID, photoID } = waiting[0];
    const frames = waiting.filter((other) => other.photoID === photoID).map(({ frame }) => frame);
    waiting = waiting.filter((other) => other.photoID !== photoID);
    working += 1;
    made(itemID, photoID).then((source) => {
      keep(photoID, source);
      for (const frame of frames) show(frame, source);
    }, () => {}).finally(() => {
      working -= 1;
      work();
    });
  }
}

async function made(itemID, photoID) {
  const blob = await api.blob(`/v1/items/${itemID}/photos/${photoID}`, { cache: 'default', isQuiet: true });
  let photo;
  try {
    photo = await createImageBitmap(blob);
  } catch {
    // Not every browser reads every kind of photo.
    return null;
  }
  const scale = Math.min(1, side / Math.min(photo.width, photo.height));
  const canvas = element('canvas', {
    width: Math.max(1, Math.round(photo.width * scale)), height: Math.max(1, Math.round(photo.height * scale)) });
  canvas.getContext('2d').drawImage(photo, 0, 0, canvas.width, canvas.height);
  photo.close();
  const small = await new Promise((done) => canvas.toBlob(done, 'image/webp', 0.8));
  return small && URL.createObjectURL(small);
}

function keep(photoID, source) {
  kept.set(photoID, source);
  if (kept.size <= mostKept) return;
  const [oldest, dropped] = kept.entries().next().value;
  kept.delete(oldest);
  if (dropped) URL.revokeObjectURL(dropped);
}
