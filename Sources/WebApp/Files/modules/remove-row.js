import { api } from './api.js';
import { attempt, take } from './notices.js';
import { ask } from './sheet.js';
import { text } from './texts.js';

/**
 * Asks, then removes a row with everything in it, and offers Undo.
 *
 * @param row `{id, title, hasMore}`; `hasMore` is whether it holds rows.
 * @param label the list's delete label.
 * @param options `around` runs the write, and can do more around it. Without `asks`, only a row that holds rows is
 *   asked about.
 */
export async function removeRow({ id, title, hasMore }, label, { around = (write) => write(), asks = true } = {}) {
  const isSure = (!asks && !hasMore) || await ask(text('removeAsk', { label, name: title }), {
    detail: hasMore ? text('removeAll') : null,
    answer: { title: label, cancel: text('cancel') }, isGrave: true,
  });
  if (!isSure) return;
  await attempt(() => around(async () => {
    const receipt = await api.remove(`/v1/rows/${id}${hasMore ? '?recursive=true' : ''}`);
    await take(receipt, text('removed', { name: title }));
  }));
}
