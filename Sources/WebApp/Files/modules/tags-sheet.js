import { address, api } from './api.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { Hits } from './hits.js';
import { attempt } from './notices.js';
import { choices, openFilled, plainBar } from './sheet.js';
import { number, text } from './texts.js';

const pageSize = 100;

/** Shows the tags in use with their numbers of items. */
export const showTags = () => openFilled(plainBar(text('tags')), () => readTags(0), show);

const readTags = (offset) => api.get(address('/v1/tags', { limit: pageSize, offset }));

function show(sheet, first) {
  let shown = 0;
  const lines = (tags) => choices([tags.map(({ tag, count }) =>
    ({ title: tag, value: number(count), act: () => showTag(tag) }))], () => sheet);
  if (first.count) append(first);
  else sheet.body.append(emptyState({ image: 'tag', title: text('tagsNone'), detail: text('tagsNoneHint') }));

  function append(found) {
    shown += found.tags.length;
    sheet.body.append(...lines(found.tags));
    if (!found.tags.length || shown >= found.count) return;
    const button = element('button', {
      class: 'plain more', type: 'button',
      onclick: () => attempt(async () => {
        const next = await readTags(shown);
        button.remove();
        append(next);
      }),
    }, text('more'));
    sheet.body.append(button);
  }
}

/** Shows all items with a tag. */
export function showTag(tag) {
  let sheet = null;
  const hits = new Hits(() => sheet.close());
  return openFilled(plainBar(text('withTag', { name: tag })), async () => {
    await hits.show({ tag });
    return hits;
  }, (opened) => {
    sheet = opened;
    sheet.body.append(hits.element);
  });
}
