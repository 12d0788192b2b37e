import { isWorking, kept } from './kept.js';
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

/**
 * How much a list holds, such as "6 items · $1,551": with everything below it if all of that is kept, else the list's own
 * rows.
 *
 * @param list its summary.
 */
export function sumOf({ id, rowCount, totalValueInDollars }) {
  const whole = sumsBelow(id);
  if (whole) return inWords(counting('countItems', whole.itemCount), whole.totalValueInDollars);
  return inWords(counting('countRows', rowCount), totalValueInDollars);
}

/** The number of `sumOf` alone. */
export const countOf = ({ id, rowCount }) => number(sumsBelow(id)?.itemCount ?? rowCount);
