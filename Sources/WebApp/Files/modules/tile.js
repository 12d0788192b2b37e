import { element } from './dom.js';
import { icon } from './icons.js';
import { text } from './texts.js';
import { thumbnail } from './thumbnails.js';

/** A list's glyph on its colour, or a folder. It is decorative. */
export const listTile = ({ glyph, colour }) =>
  element('span', { class: 'tile', 'aria-hidden': 'true', data: { colour: colour ?? '' } }, glyph ?? icon('folder'));

/** The tile at the start of a row: a list's, an item's first photo, or an icon of the item's kind. All have one size. */
export function rowTile(row) {
  if (row.list) return [listTile(row.list)];
  const { photo, kind } = row.item;
  if (photo) return [thumbnail(row.id, photo, row.canEdit), element('span', { class: 'unseen' }, text('photoAttached'))];
  return [element('span', { class: 'tile is-item' }, icon(kind))];
}
