import { imported } from './texts.js';

/** What acts on the rows of lists: the members of `loadedRowActs`. Null until it is loaded, after the first rows are shown. */
export let rowActs = null;

/**
 * Resolves to `rowActs`.
 *
 * @param load imports a module: `imported`, or `loaded` if a person waits for it.
 */
export async function loadRowActs(load = imported) {
  rowActs ??= (await load(import('./row-acts-loaded.js'))).loadedRowActs;
  return rowActs;
}
