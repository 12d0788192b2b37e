import { element } from './dom.js';
import { icon } from './icons.js';
import { imported } from './texts.js';

/** The size in pixels, sharp on most screens: one of those of renditions. */
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

/**
 * A thumbnail of a photo. Shows an icon until it has loaded, or if it cannot be made.
 *
 * @param canEdit whether the person may edit the item.
 */
export function thumbnail(itemID, photoID, canEdit = false) {
  const frame = element('span', { class: 'thumbnail' });
  if (kept.has(photoID)) show(frame, kept.get(photoID));
  else {
    show(frame, null);
    waiting.push({ frame, itemID, photoID, canEdit });
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
    const { itemID, photoID, canEdit } = waiting[0];
    const frames = waiting.filter((other) => other.photoID === photoID).map(({ frame }) => frame);
    waiting = waiting.filter((other) => other.photoID !== photoID);
    working += 1;
    thumbnailSource(itemID, photoID, canEdit).then((source) => {
      keep(photoID, source);
      for (const frame of frames) show(frame, source);
    }, () => {}).finally(() => {
      working -= 1;
      work();
    });
  }
}

/** The URL of a thumbnail, which the caller revokes. Null if it cannot be made. */
export async function thumbnailSource(itemID, photoID, canEdit = false) {
  const [{ photoFile }, { makeRenditions }] = await imported(
    Promise.all([import('./photos.js'), import('../client/renditions.js')]));
  const { blob, isRendition } = await photoFile(itemID, photoID, side, { canEdit, isQuiet: true });
  // Some browsers cannot show every type of photo.
  const small = isRendition ? blob : (await makeRenditions(blob, [side])).get(side);
  return small ? URL.createObjectURL(small) : null;
}

function keep(photoID, source) {
  kept.set(photoID, source);
  if (kept.size <= mostKept) return;
  const [oldest, dropped] = kept.entries().next().value;
  kept.delete(oldest);
  if (dropped) URL.revokeObjectURL(dropped);
}
