import { imported } from './texts.js';

/** What acts on the rows of lists: `rowActs`. Null until it is loaded, after the first rows are shown. */
export let listActs = null;

/** Resolves to `listActs`. */
export async function loadListActs() {
  listActs ??= (await imported(import('./row-acts.js'))).rowActs;
  return listActs;
}
