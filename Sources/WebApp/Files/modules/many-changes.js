import { isSame } from '../client/view.js';
import { address, api } from './api.js';
import { Form } from './form.js';
import { give, isKept, isOffline } from './kept.js';
import { attempt, take, takeEntry } from './notices.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { listInside, removedWith } from './sums.js';
import { counting, countingRows, number, text } from './texts.js';

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

/** The changes that add and remove tags, for the items that they change. */
const retagged = (items, { added, removed }) => items
  .map(({ id, tags }) => ({ id, tags, wanted: [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added])] }))
  .filter(({ tags, wanted }) => !isSame(wanted, tags)).map(({ id, wanted }) => ({ id, patch: { tags: wanted } }));

/**
 * Adds tags to the items among rows of a list, and removes others, as one change, and offers Undo.
 *
 * @param change `{added, removed}`
 */
export async function tagMany(rows, change, listId) {
  const known = rows.map(({ item }) => item).filter((item) => item);
  const sentence = (changes) => counting('taggedMany', changes.length);
  if (areLater(known)) {
    const changes = retagged(known, change);
    if (changes.length) await giveEach(changes, (store, { id, patch }) => store.editItem(id, patch), sentence(changes));
    return;
  }
  for (let attempts = 1; ; attempts += 1) {
    // The rows may be older than what others have tagged. The list's entity tag changes with the tags of its items.
    const { tag } = await api.tagged(`/v1/lists/${listId}`);
    const changes = retagged(await Promise.all(known.map(({ id }) => api.get(`/v1/items/${id}`))), change);
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

/**
 * Shows the tags that any of the items among rows has, to give them to all or remove them from all, and to add others. Gives
 * `change` what to do: `{added, removed}`. The sheet stays open if that fails.
 */
export function askForTags(rows, change) {
  const all = rows.map(({ item }) => item?.tags).filter((tags) => tags);
  const present = [...new Set(all.flat())];
  const countOf = (tag) => all.filter((tags) => tags.includes(tag)).length;
  const partial = new Map(present.filter((tag) => countOf(tag) < all.length)
    .map((tag) => [tag, text('tagOfSome', { count: number(countOf(tag)), all: number(all.length) })]));
  const form = new Form([[{
    pointer: '/tags', label: text('tags'), kind: 'tags', value: present, options: [new Map(partial)], hint: text('tagsOfMany'),
  }]], () => sheet.act('save'));
  const field = form.field('/tags');
  const sheet = new Sheet(plainBar(text('tags'), { action: 'save', title: text('save'), image: 'check', enabled: true }), form.element, {
    save: () => attempt(async () => {
      const { added, removed } = wanted();
      if (added.length || removed.length) await change({ added, removed });
      sheet.close();
    }),
  });
  sheet.hasUnsaved = () => sheet.element.open && Object.values(wanted()).flat().length > 0;
  field.input.focus();

  function wanted() {
    const { value, partial: left } = field;
    const isForAll = (tag) => !present.includes(tag) || (partial.has(tag) && !left.includes(tag));
    return { added: value.filter(isForAll), removed: present.filter((tag) => !value.includes(tag)) };
  }
}
