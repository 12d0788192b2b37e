import { address, api } from './api.js';
import { mayEdit } from './caller.js';
import { element, refill } from './dom.js';
import { emptyState } from './empty-state.js';
import { kept } from './kept.js';
import { attempt } from './notices.js';
import { restoreRow } from './put-back.js';
import { ask, openFilled, plainBar } from './sheet.js';
import { moment, text } from './texts.js';

const pageSize = 50;

/** Shows the trash, to restore rows or delete them permanently. */
export const showTrash = () => openFilled(plainBar(text('trash')), () => read(0), show);

const read = (offset) => api.get(address('/v1/trash', { limit: pageSize, offset }));

function show(sheet, first) {
  const list = element('ul', { class: 'card entries', role: 'list' });
  sheet.body.append(list);
  draw(first, 0);

  const drawFrom = async (offset) => draw(await read(offset), offset);

  function draw(found, offset) {
    const lines = found.trash.map(line);
    if (offset === 0) refill(list, lines);
    else list.append(...lines);
    list.hidden = !found.count;
    sheet.body.querySelectorAll(':scope > :not(.entries)').forEach((node) => node.remove());
    if (!found.count) sheet.body.append(emptyState({ image: 'trash', title: text('trashEmpty'), detail: text('trashHint') }));
    const shown = offset + found.trash.length;
    if (shown < found.count) {
      sheet.body.append(element('button', { class: 'plain more', type: 'button', onclick: () => attempt(() => drawFrom(shown)) },
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
    if (await restoreRow(row.id, text('restored', { name: row.title }))) await drawFrom(0);
  }

  async function purge(row) {
    const isSure = await ask(text('purgeAsk', { name: row.title }), {
      answer: { title: text('purge'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    await api.remove(`/v1/trash/${row.id}`, { canRepeat: true });
    await drawFrom(0);
  }
}
