import { element, isRightToLeft } from './dom.js';
import { icon } from './icons.js';
import { link } from './link.js';
import { sumOf } from './sums.js';
import { dollars, number, text } from './texts.js';
import { rowTile } from './tile.js';

/**
 * The end of a row: how many there are of an item if that is not one, and its worth. Null for a list, and for one item without
 * a value.
 */
export function worthOf(row) {
  if (!row.item) return null;
  const { quantity, valueInDollars } = row.item;
  const parts = [quantity === 1 ? null : `${number(quantity)} ×`, valueInDollars === null ? null : dollars(valueInDollars)];
  return parts.filter((part) => part !== null).join(' ') || null;
}

function main(row, { isEditing, isSelecting, edit, leave, select }) {
  const worth = worthOf(row);
  const below = row.list ? sumOf(row.list) : [row.detail, ...(row.item?.tags ?? []).map((tag) => `#${tag}`)].filter((part) => part).join(' · ');
  const looks = { class: 'row-main', data: { control: 'main' } };
  const box = { ...looks, type: 'button', role: 'checkbox', 'aria-checked': 'false', onclick: (event) => select(row, event) };
  const made = (...parts) => (isSelecting ? element('button', box, element('span', { class: 'row-check' }, icon('check')), ...parts) : isEditing
    ? element('button', { ...looks, type: 'button', disabled: !row.canEdit, onclick: () => edit(row) }, ...parts)
    : link(row.list ? { listId: row.id } : { itemId: row.id }, { ...looks, leave }, ...parts));
  return made(
    rowTile(row),
    element('span', { class: 'row-texts' },
      isEditing ? element('span', { class: 'unseen' }, text('editRow', { name: '' })) : null,
      element('bdi', { class: row.list || below ? 'row-title' : 'row-title is-alone' }, row.title),
      // The sum of a list may come later.
      row.list || below ? element('bdi', { class: row.list ? 'row-detail is-sum' : 'row-detail' }, below) : null),
    row.item?.contentsListId
      ? element('span', { class: 'row-mark' }, icon('box'), element('span', { class: 'unseen' }, text('contents')))
      : null,
    worth === null ? null : element('span', { class: 'row-value' }, worth),
    isEditing || isSelecting ? null : element('span', { class: 'row-chevron' }, icon(isRightToLeft() ? 'chevron-left' : 'chevron-right')));
}

/** A button of a row in edit mode. */
function control(kind, image, label, action) {
  return element('button', {
    class: `row-control row-${kind}`, type: 'button', 'aria-label': label, data: { control: kind }, onclick: action,
  }, icon(image));
}

/**
 * The content of a row. Its `canMove`, `canEdit` and `canDelete` determine its controls.
 *
 * @param row a row of the API; undefined if it is not loaded.
 * @param on `{isEditing, isSelecting, deleteLabel, canRelocate, edit, leave, remove, relocate, select}`. `leave` is called before the page
 *   goes to a row's screen. `canRelocate` is whether rows can move to
 *   other lists. A sorted view has no order to drag rows in, so its rows have no `canMove`.
 */
export function rowContent(row, on) {
  if (!row) return [element('span', { class: 'row-unknown' })];
  if (row.type === 'section') {
    return [element('h2', { class: 'row-section' }, element('bdi', {}, row.title),
      element('span', { class: 'row-value' }, number(row.count)))];
  }
  if (row.id === null) return [element('span', { class: 'row-tail' }, element('bdi', {}, row.title))];
  if (!on.isEditing) return [main(row, on)];
  const name = row.title;
  return [
    row.canDelete
      ? control('remove', 'minus', `${on.deleteLabel} ${name}`, () => on.remove(row))
      : null,
    main(row, on),
    on.canRelocate ? control('relocate', 'folder', text('moveRow', { name }), () => on.relocate(row)) : null,
    row.canMove ? control('grip', 'grip', text('dragRow', { name })) : null,
  ].filter((part) => part);
}
