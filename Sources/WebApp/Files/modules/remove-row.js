import { api } from './api.js';
import { attempt, take } from './notices.js';
import { ask } from './sheet.js';
import { text } from './texts.js';

/**
 * Asks once, removes a row with all that is in it, and offers to undo that.
 *
 * @param row `{id, title, hasMore}`; whether it holds rows of its own.
 * @param label the server's word for it.
 * @param around does more than the write, when there is more to it.
 */
export async function removeRow({ id, title, hasMore }, label, around = (write) => write()) {
  const isSure = await ask(text('removeAsk', { label, name: title }), {
    detail: hasMore ? text('removeAll') : null,
    answer: { title: label, cancel: text('cancel') }, isGrave: true,
  });
  if (!isSure) return;
  await attempt(() => around(async () => {
    const receipt = await api.remove(`/v1/rows/${id}${hasMore ? '?recursive=true' : ''}`);
    await take(receipt, text('removed', { name: title }));
  }));
}
