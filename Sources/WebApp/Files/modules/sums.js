import { isErased, isFilling, isWorking, kept } from './kept.js';
import { counting, dollars, number, text } from './texts.js';

/** What is in a list and in everything below it, `{listCount, itemCount, totalValueInDollars}`. Undefined unless all of that is kept. */
export const sumsBelow = (id) => (isWorking() ? kept.subtree(id) : undefined);

/** The list that a row opens: itself, or the contents of an item. Null for none. */
export const listInside = ({ id, list, item }) => (list ? id : item?.contentsListId ?? null);

const inWords = (count, value) => (value ? `${count} · ${dollars(value)}` : count);

/** A sentence about what is removed with lists: everything in them, with its number and value if they are known. */
export function removedWith(ids) {
  const sums = ids.map(sumsBelow);
  const add = (name) => sums.reduce((total, sum) => total + sum[name], 0);
  if (sums.includes(undefined) || !add('itemCount')) return text('removeAll');
  return text('removeAllOf', { sum: inWords(counting('countItems', add('itemCount')), add('totalValueInDollars')) });
}

/** The sums that were known last, by list. While the store reads a list that was added, those above it have none. */
const last = new Map();

/** The sums of a list. Undefined if they are not known yet, and null if they never are, because the inventory is too large. */
function sumsOf({ id, rowCount }) {
  if (!rowCount) return { itemCount: 0, totalValueInDollars: 0 };
  const sums = sumsBelow(id);
  if (sums) last.set(id, sums);
  // A page whose store is erased is about to be left.
  return sums ?? (isFilling() || isErased ? last.get(id) : null);
}

/**
 * How much a list holds, such as "6 items · $1,551": with everything below it. Empty until that is known. In an inventory
 * that is too large to be kept, the list's own rows.
 *
 * @param list its summary.
 */
export function sumOf(list) {
  const sums = sumsOf(list);
  if (sums === null) return inWords(counting('countRows', list.rowCount), list.totalValueInDollars);
  return sums ? inWords(counting('countItems', sums.itemCount), sums.totalValueInDollars) : '';
}

/** The number of `sumOf` alone. */
export function countOf(list) {
  const sums = sumsOf(list);
  if (sums === null) return number(list.rowCount);
  return sums ? number(sums.itemCount) : '';
}
