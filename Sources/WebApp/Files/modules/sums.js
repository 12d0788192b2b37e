import { isWorking, kept } from './kept.js';
import { counting, dollars } from './texts.js';

/**
 * How much a list holds, such as "6 items · $1,551": with everything below it if all of that is kept, else the list's own
 * rows.
 *
 * @param list its summary.
 */
export function sumOf({ id, rowCount, totalValueInDollars }) {
  const whole = isWorking() ? kept.subtree(id) : undefined;
  const count = whole ? counting('countItems', whole.itemCount) : counting('countRows', rowCount);
  const value = whole?.totalValueInDollars ?? totalValueInDollars;
  return value ? `${count} · ${dollars(value)}` : count;
}
