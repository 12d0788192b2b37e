/** Batch updates of partly known rows, as maps from index to row. A long list is only loaded where it was viewed. */

/** The number of ascending `values` below `limit`. */
function countBelow(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The free place with `rank` free places before it. `taken` has the other places, ascending. */
function free(taken, rank) {
  // The number of taken places before the result grows with it, so bisection finds it.
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (taken[middle] - middle <= rank) low = middle + 1;
    else high = middle;
  }
  return rank + low;
}

const ascending = (left, right) => left - right;

/** The rows after a delta of the API. Does not change `rows`. */
export function applied(delta, rows) {
  const leaving = [...delta.deletes, ...delta.moves.map((move) => move.from)].sort(ascending);
  const taken = [...delta.inserts.map((insert) => insert.index), ...delta.moves.map((move) => move.to)].sort(ascending);
  const deleted = new Set(delta.deletes);
  const destinations = new Map(delta.moves.map((move) => [move.from, move.to]));
  const after = new Map();
  for (const [index, row] of rows) {
    if (deleted.has(index)) continue;
    after.set(destinations.get(index) ?? free(taken, index - countBelow(leaving, index)), row);
  }
  for (const { index, row } of [...delta.inserts, ...delta.reloadsAfter]) after.set(index, row);
  return after;
}

const empty = { deletes: [], moves: [], inserts: [], reloadsAfter: [] };

/** The rows after moving one. `to` counts without that row. */
export const moved = (rows, from, to) => applied({ ...empty, moves: [{ from, to }] }, rows);

/** The rows without one. */
export const without = (rows, index) => applied({ ...empty, deletes: [index] }, rows);
