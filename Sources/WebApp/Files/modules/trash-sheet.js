import { address, api } from './api.js';
import { mayEdit } from './caller.js';
import { element, refill } from './dom.js';
import { emptyState } from './empty-state.js';
import { kept } from './kept.js';
import { attempt, take } from './notices.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { moment, text } from './texts.js';

const pageSize = 50;

/** Shows the trash, to restore rows or delete them permanently. */
export async function showTrash() {
  const list = element('ul', { class: 'card entries', role: 'list' });
  const sheet = new Sheet(plainBar(text('trash')), list);

  async function draw(offset = 0) {
    const found = await api.get(address('/v1/trash', { limit: pageSize, offset }));
    const lines = found.trash.map(line);
    if (offset === 0) refill(list, lines);
    else list.append(...lines);
    list.hidden = !found.count;
    sheet.body.querySelectorAll(':scope > :not(.entries)').forEach((node) => node.remove());
    if (!found.count) sheet.body.append(emptyState({ image: 'trash', title: text('trashEmpty'), detail: text('trashHint') }));
    const shown = offset + found.trash.length;
    if (shown < found.count) {
      sheet.body.append(element('button', { class: 'plain more', type: 'button', onclick: () => attempt(() => draw(shown)) },
        text('more')));
    }
  }

  function line(row) {
    const home = kept?.list(row.listId)?.title;
    return element('li', {},
      element('div', { class: 'row-texts' },
        element('bdi', { class: 'row-title' }, row.title),
        element('span', { class: 'row-detail' },
          home ? [element('bdi', {}, home), ' · '] : null, element('bdi', {}, moment(row.deletedAt)))),
      mayEdit() ? element('div', { class: 'entry-ways' },
        element('button', { class: 'plain', type: 'button', onclick: () => attempt(() => restore(row)) }, text('restore')),
        element('button', { class: 'plain is-grave', type: 'button', onclick: () => attempt(() => purge(row)) },
          text('purge'))) : null);
  }

  async function restore(row) {
    const put = (target) => api.post(`/v1/trash/${row.id}/restore`, target, { canRepeat: true });
    let receipt;
    try {
      receipt = await put();
    } catch (error) {
      if (error.code !== 'list_gone') throw error;
      const isSure = await ask(text('restoreElsewhere'), {
        answer: { title: text('restore'), cancel: text('cancel') } });
      if (!isSure) return;
      receipt = await put({ listId: 'root' });
    }
    await take(receipt, text('restored', { name: row.title }));
    await draw();
  }

  async function purge(row) {
    const isSure = await ask(text('purgeAsk', { name: row.title }), {
      answer: { title: text('purge'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    await api.remove(`/v1/trash/${row.id}`, { canRepeat: true });
    await draw();
  }

  await attempt(draw);
}
