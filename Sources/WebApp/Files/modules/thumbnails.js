import { element } from './dom.js';
import { icon } from './icons.js';
import { photoFile } from './photos.js';

/** The size in pixels, sharp on most screens. */
const side = 208;
const mostKept = 300;
const atOnce = 2;
/** Milliseconds before a row's photo is fetched, so that scrolling past loads none. */
const pause = 200;

/** By photo: the URL of its thumbnail, or null if it cannot be made. */
const kept = new Map();
let waiting = [];
let working = 0;
let timer = 0;

/** A thumbnail of a photo. Shows an icon until it has loaded, or if it cannot be made. */
export function thumbnail(itemID, photoID) {
  const frame = element('span', { class: 'thumbnail' });
  if (kept.has(photoID)) show(frame, kept.get(photoID));
  else {
    show(frame, null);
    waiting.push({ frame, itemID, photoID });
    clearTimeout(timer);
    // With a metered connection, icons are shown only.
    if (!navigator.connection?.saveData) timer = setTimeout(work, pause);
  }
  return frame;
}

function show(frame, source) {
  frame.replaceChildren(source ? element('img', { src: source, alt: '' }) : icon('camera'));
}

function work() {
  // Rows that were scrolled away no longer need a thumbnail.
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
  const blob = await photoFile(itemID, photoID, { isQuiet: true });
  let photo;
  try {
    photo = await createImageBitmap(blob);
  } catch {
    // Some browsers cannot show every type of photo.
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
