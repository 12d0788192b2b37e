import { address, api } from './api.js';
import { element } from './dom.js';
import { give, isKept, isOffline } from './kept.js';
import { attempt, take, takeEntry } from './notices.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { listInside, removedWith } from './sums.js';
import { TagEditor } from './tag-editor.js';
import { countingRows, number, text } from './texts.js';

/** How often a change is tried that others keep from being made. */
const mostAttempts = 2;

/** Whether changes of these rows must wait in the store. */
const areLater = (rows) => isOffline() && rows.every(({ id }) => isKept(id));

/** Gives the store one command for each row. Undo takes back all of them. */
async function giveEach(rows, command, sentence) {
  takeEntry(await Promise.all(rows.map((row) => give((store) => command(store, row)))), sentence);
}

const holdsMore = (row) => Boolean(row.list?.rowCount || row.item?.contentsListId);

/** Removes rows of a list as one change, and offers Undo. Asks if any of them holds rows. Resolves to whether it did. */
export async function removeMany(rows, label, listId) {
  const what = countingRows(rows);
  const hasMore = rows.some(holdsMore);
  const isSure = !hasMore || await ask(text('removeManyAsk', { label, what }), {
    detail: removedWith(rows.map(listInside).filter((id) => id)), answer: { title: label, cancel: text('cancel') }, isGrave: true,
  });
  if (!isSure) return false;
  const sentence = rows.length === 1 ? text('removed', { name: rows[0].title }) : text('removedMany', { what });
  return Boolean(await attempt(async () => {
    if (areLater(rows)) {
      await giveEach(rows, (store, row) => store.delete(row.id, { recursive: holdsMore(row) }), sentence);
    } else {
      const { receipt } = await api.post(address(`/v1/lists/${listId}/batch`, { recursive: hasMore || undefined }),
        { deletes: rows.map(({ id }) => ({ id })) });
      await take(receipt, sentence);
    }
    return true;
  }));
}

/** The changes that add tags to items which do not have all of them. */
const withTags = (items, tags) => items.filter((item) => tags.some((tag) => !item.tags.includes(tag)))
  .map((item) => ({ id: item.id, patch: { tags: [...new Set([...item.tags, ...tags])] } }));

/** Adds tags to the items among rows of a list as one change, and offers Undo. */
export async function tagMany(rows, tags, listId) {
  const known = rows.map(({ item }) => item).filter((item) => item);
  const sentence = (changes) => text('taggedMany', { count: number(changes.length) });
  if (areLater(known)) {
    const changes = withTags(known, tags);
    if (changes.length) await giveEach(changes, (store, { id, patch }) => store.editItem(id, patch), sentence(changes));
    return;
  }
  for (let attempts = 1; ; attempts += 1) {
    // The rows may be older than what others have tagged. The list's entity tag changes with the tags of its items.
    const { tag } = await api.tagged(`/v1/lists/${listId}`);
    const changes = withTags(await Promise.all(known.map(({ id }) => api.get(`/v1/items/${id}`))), tags);
    if (!changes.length) return;
    try {
      const { receipt } = await api.post(`/v1/lists/${listId}/batch`, { updates: changes }, { fields: { 'If-Match': tag } });
      await take(receipt, sentence(changes));
      return;
    } catch (error) {
      if (error.status !== 412 || attempts === mostAttempts) throw error;
    }
  }
}

/** Asks for tags, and gives them to `add`. The sheet stays open if that fails. */
export function askForTags(add) {
  const editor = new TagEditor([]);
  editor.input.id = 'tags-to-add';
  const bar = plainBar(text('addTags'), { action: 'save', title: text('add'), image: 'check', enabled: true });
  const save = () => attempt(async () => {
    const tags = editor.value;
    if (tags.length) await add(tags);
    sheet.close();
  });
  const sheet = new Sheet(bar, element('form', { onsubmit: (event) => {
    event.preventDefault();
    sheet.act('save');
  } }, element('label', { class: 'field' }, element('span', {}, text('tags')), editor.element),
  element('p', { class: 'ask-detail' }, text('tagsHint'))), { save });
  sheet.hasUnsaved = () => sheet.element.open && editor.value.length > 0;
  editor.input.focus();
}
