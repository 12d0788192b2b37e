import { address, api } from './api.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { Hits } from './hits.js';
import { attempt } from './notices.js';
import { choices, plainBar, readFor, Sheet } from './sheet.js';
import { number, text } from './texts.js';

const pageSize = 100;

/** Shows the tags in use with their numbers of items. */
export async function showTags() {
  const first = await readFor(() => api.get(address('/v1/tags', { limit: pageSize })));
  if (!first) return;
  let shown = 0;
  let sheet = null;
  const lines = (tags) => choices([tags.map(({ tag, count }) =>
    ({ title: tag, value: number(count), act: () => showTag(tag) }))], () => sheet);
  sheet = new Sheet(plainBar(text('tags')), first.count ? []
    : emptyState({ image: 'tag', title: text('tagsNone'), detail: text('tagsNoneHint') }));
  append(first);

  function append(found) {
    shown += found.tags.length;
    sheet.body.append(...lines(found.tags));
    if (!found.tags.length || shown >= found.count) return;
    const button = element('button', {
      class: 'plain more', type: 'button',
      onclick: () => attempt(async () => {
        const next = await api.get(address('/v1/tags', { limit: pageSize, offset: shown }));
        button.remove();
        append(next);
      }),
    }, text('more'));
    sheet.body.append(button);
  }
}

/** Shows all items with a tag. */
export async function showTag(tag) {
  let sheet = null;
  const hits = new Hits(() => sheet.close());
  await readFor(async () => {
    await hits.show({ tag });
    sheet = new Sheet(plainBar(text('withTag', { name: tag })), hits.element);
  });
}
