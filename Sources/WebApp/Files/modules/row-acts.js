import { caller } from './caller.js';
import { session } from './session.js';
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

/**
 * Keeps the rows that are typed or on their way for the next page of this window and inventory, and a form if there is one.
 * A form that is kept already stays.
 */
export function keepTyped(form = session.draft?.form ?? null) {
  const rows = rowActs?.closeNewRows() ?? null;
  if (form || rows) session.draft = { form, rows, tokenId: caller()?.tokenId ?? null };
}
