import { api } from './api.js';
import { mayEdit } from './caller.js';
import { give, kept } from './kept.js';
import { take, takeEntry } from './notices.js';
import { ask } from './sheet.js';
import { text } from './texts.js';

/** The id with which what a refused change needs can be restored from the trash. Undefined if it is not there. */
export const inTrash = ({ status, trashId }) => (status === 410 ? trashId : undefined);

/**
 * Restores a row from the trash. If its list is gone, asks whether to put it into the first list. Resolves to whether the row
 * is no longer in the trash.
 *
 * @param sentence what to tell; undefined for nothing.
 */
export async function restoreRow(id, sentence) {
  const restore = (target) => api.post(`/v1/trash/${id}/restore`, target, { canRepeat: true });
  let receipt;
  try {
    receipt = await restore();
  } catch (error) {
    // Somebody else has restored it. If it was deleted for good, what needs it is refused again.
    if (error.status === 404) return true;
    if (error.code !== 'list_gone') throw error;
    if (!await ask(text('restoreElsewhere'), { answer: { title: text('restore'), cancel: text('cancel') } })) return false;
    receipt = await restore({ listId: 'root' });
  }
  await take(receipt, sentence);
  return true;
}

/** The place of a new row. The rows that it was typed between may be elsewhere by now. */
const placeOf = (position) => ({ at: position === 'first' ? 0 : undefined });

/** How the store makes a refused command again, by its type: those with what a person typed or took. */
const again = {
  editItem: (store, { id, patch, from }) => store.editItem(id, patch, { seen: from }),
  editList: (store, { id, patch, from }) => store.editList(id, patch, { seen: from }),
  createItem: (store, { listId, position, item }) => store.createItem(listId, item, placeOf(position)),
  createList: (store, { listId, position, list }) => store.createList(listId, list, placeOf(position)),
  addPhoto: async (store, { id, itemId }) => store.addPhoto(itemId, await store.photo(id)),
};

/** Whether a command was refused because what it changes or adds to is in the trash. */
export const canPutBack = ({ command, problem }) =>
  mayEdit() && command.type in again && problem && inTrash(problem) !== undefined;

/** Restores what is in the trash, and makes the refused command again, and those for the row that it creates. */
export async function putBack(notice) {
  if (!await restoreRow(inTrash(notice.problem))) return;
  const created = (notice.command.item ?? notice.command.list)?.id;
  const isAbout = ({ command: { type, id, itemId, listId } }) => type in again && [id, itemId, listId].includes(created);
  for (const each of [notice, ...created ? kept.refused.filter(isAbout) : []]) {
    takeEntry(await give((store) => again[each.command.type](store, each.command)));
    await kept.dismiss(each);
  }
}
