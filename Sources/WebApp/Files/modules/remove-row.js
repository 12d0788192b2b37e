import { api } from './api.js';
import { give, isKept } from './kept.js';
import { attempt, take, takeEntry } from './notices.js';
import { ask } from './sheet.js';
import { removedWith } from './sums.js';
import { text } from './texts.js';

/**
 * Asks, then removes a row with everything in it, and offers Undo.
 *
 * @param row `{id, title, hasMore, inside}`; `hasMore` is whether it holds rows, `inside` the id of the list that has them.
 * @param label the list's delete label.
 * @param options `around` runs the write, and can do more around it. Without `asks`, only a row that holds rows is
 *   asked about.
 */
export async function removeRow({ id, title, hasMore, inside }, label, { around = (write) => write(), asks = true } = {}) {
  const isSure = (!asks && !hasMore) || await ask(text('removeAsk', { label, name: title }), {
    detail: hasMore ? removedWith([inside]) : null,
    answer: { title: label, cancel: text('cancel') }, isGrave: true,
  });
  if (!isSure) return undefined;
  const sentence = text('removed', { name: title });
  if (isKept(id)) {
    return attempt(async () => takeEntry(await give((store) => store.delete(id, { recursive: hasMore })), sentence));
  }
  return attempt(() => around(async () => {
    const receipt = await api.remove(`/v1/rows/${id}${hasMore ? '?recursive=true' : ''}`);
    await take(receipt, sentence);
  }));
}
