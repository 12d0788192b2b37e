import { isSame, titleOf } from '../client/view.js';
import { isRightToLeft } from './dom.js';
import { written } from './json-text.js';
import { kept } from './kept.js';
import { learn, likelyBar, likelyToolbar } from './likely-bar.js';
import { mirrors } from './mirrors.js';

const mostKept = 100;

/**
 * What was read of items, by their ids: `{described, item, json, tag, neighbours, path}`. `described` is the server's
 * description of the screen, and `json` the text of the item with its `tag`.
 */
const read = new Map();

/** Tells of items that were learned about otherwise: events `change` with the item's id as `detail`. */
export const learned = new EventTarget();

/** Keeps what was read of an item. */
export function remember(id, known) {
  learn(known.described.navigationBar, known.described.toolbar);
  read.delete(id);
  read.set(id, known);
  if (read.size > mostKept) read.delete(read.keys().next().value);
}

/** Takes over an item from the answer to a change, if it was read before: `{value, json, tag}`. */
export function update({ value: { receipt, index, ...item }, tag }) {
  const known = read.get(item.id);
  if (!known || item.revision < known.item.revision) return;
  const { navigationBar } = known.described;
  read.set(item.id, {
    ...known, item, json: written(item), tag,
    described: { ...known.described, navigationBar: { ...navigationBar, title: titleOf(item) || navigationBar.title } },
  });
  learned.dispatchEvent(new CustomEvent('change', { detail: item.id }));
}

/** Whether all fields of an item are known. */
export const isFullyKnown = (id) => read.has(id) || kept.item(id) !== undefined;

/**
 * What was read of an item, or else what its row says, with the changes that wait in the store. Undefined if nothing is
 * known.
 */
export function recall(id) {
  const known = read.get(id) ?? fromRow(mirrors.find(id));
  const item = kept.item(id);
  if (!known || !item || item.revision < known.item.revision || isSame(item, known.item)) return known;
  const { navigationBar } = known.described;
  return {
    ...known, item, json: written(item), tag: undefined,
    described: { ...known.described, navigationBar: { ...navigationBar, title: titleOf(item) || navigationBar.title } },
  };
}

/** The next item in a direction among the rows of a list. Null if it is not known. */
function neighbour(mirror, index, step) {
  for (let place = index + step; mirror.row(place)?.id; place += step) {
    const { type, id, title } = mirror.row(place);
    if (type === 'item') return { id, title };
  }
  return null;
}

function fromRow(found) {
  if (!found?.row.item) return undefined;
  const { mirror, row } = found;
  const { rights } = mirror;
  const bar = likelyBar('browse', { title: row.title, above: mirror.bar('browse').title, rights, isItem: true });
  if (!bar) return undefined;
  const index = mirror.indexOf(row.id);
  const neighbours = {
    previous: neighbour(mirror, index, -1), next: neighbour(mirror, index, 1), position: '',
    ...(isRightToLeft() ? { leftArrow: 'next', rightArrow: 'previous' } : { leftArrow: 'previous', rightArrow: 'next' }),
  };
  const item = {
    revision: -1, notes: null, fields: {}, photos: row.item.photo ? [row.item.photo] : [], ...row.item, listId: mirror.id };
  return {
    described: { navigationBar: bar, toolbar: likelyToolbar(neighbours, item.photos.length > 0), row: rights },
    item, json: JSON.stringify(item), neighbours, path: [...mirror.path, { id: row.id, title: row.title, type: 'item' }],
  };
}
