import { address, api } from './api.js';
import { caller } from './caller.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { attempt, undo } from './notices.js';
import { openFilled, plainBar } from './sheet.js';
import { hasText, moment, text } from './texts.js';

const pageSize = 50;
const mostNamed = 3;

/** The text key of a change's action, such as `move row`. A drag is sent as `move rows` also for one row. */
const key = ({ action, subjects }) => (action === 'move rows' && subjects.length === 1 ? 'did move row' : `did ${action}`)
  .replace(/ (.)/g, (_, letter) => letter.toUpperCase());

/** The titles of a change's subjects, as many as fit in a line. */
function names({ subjects }) {
  if (!subjects.length) return null;
  const shown = subjects.slice(0, mostNamed).flatMap(({ title }) => [' · ', element('bdi', {}, title)]).slice(1);
  return element('span', { class: 'row-subjects' }, ...shown, subjects.length > mostNamed ? ' …' : null);
}

/** Shows the log of changes, the latest first, with a button to undo each. */
export const showChanges = () => openFilled(plainBar(text('changes')), () => read(), show);

/** The next page with changes. Pages before it may be empty for this token. */
async function read(before) {
  let page = await api.get(address('/v1/changes', { limit: pageSize, before }));
  while (!page.changes.length && page.nextBefore !== null) {
    page = await api.get(address('/v1/changes', { limit: pageSize, before: page.nextBefore }));
  }
  return page;
}

function show(sheet, first) {
  const list = element('ol', { class: 'card entries', role: 'list', reversed: true });
  sheet.body.append(list);
  draw(first);

  function draw({ changes, nextBefore }) {
    const lines = changes.map(line);
    list.append(...lines);
    const isEmpty = !list.childElementCount;
    list.hidden = isEmpty;
    sheet.body.querySelectorAll(':scope > :not(.entries)').forEach((node) => node.remove());
    if (isEmpty) sheet.body.append(emptyState({ image: 'clock', title: text('changesNone'), detail: text('changesHint') }));
    if (nextBefore !== null) {
      sheet.body.append(element('button', { class: 'plain more', type: 'button', onclick: () => attempt(async () => draw(await read(nextBefore))) },
        text('more')));
    }
  }

  function line(change) {
    const name = key(change);
    return element('li', {},
      element('div', { class: 'row-texts' },
        element('span', { class: 'row-title' }, hasText(name) ? text(name) : change.action),
        names(change),
        element('span', { class: 'row-detail' },
          // Without tokens, all changes have the same author.
          change.actor && caller().tokenId ? [element('bdi', {}, change.actor), ' · '] : null, element('bdi', {}, moment(change.at)))),
      change.undo
        ? element('button', {
          class: 'plain', type: 'button',
          // The lines stay where they are, so that a second click undoes no other change.
          onclick: ({ currentTarget }) => attempt(async () => {
            if (!(await undo(change.undo))) return;
            const mark = element('span', { class: 'row-detail', tabindex: '-1' }, text('undone'));
            const hasFocus = currentTarget === document.activeElement;
            currentTarget.replaceWith(mark);
            if (hasFocus) mark.focus();
          }),
        }, text('undo'))
        : null);
  }
}
