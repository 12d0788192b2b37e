import { isRightToLeft } from './dom.js';
import { text } from './texts.js';

/**
 * The bars of screens that the server has not described yet. The rules are the server's. The buttons, whose titles
 * depend on the language, are those of screens that the server has described.
 */

/** In characters. The server counts grapheme clusters, which differ in few titles. */
const longestBack = 16;
const longestTitle = 30;

/** The buttons that the server has described, by their actions. */
const seen = new Map();

/** Notes the buttons of bars that the server has described. */
export function learn(...bars) {
  for (const bar of bars) {
    for (const button of Object.values(bar ?? {})) if (button?.action && button.enabled) seen.set(button.action, button);
  }
}

const lengthOf = (title) => [...title].length;

function backTo(title) {
  const image = isRightToLeft() ? 'chevron-right' : 'chevron-left';
  return { action: 'back', title: lengthOf(title) <= longestBack ? title : text('back'), image, enabled: true };
}

/**
 * The likely bar of a list or an item. Null if a button that it needs has not been seen.
 *
 * @param mode `browse`, or `edit` for a list.
 * @param above the title of the screen above it. Undefined for the first list.
 * @param rights the permissions, named as in a screen of the API.
 */
export function likelyBar(mode, { title, above, rights, isItem = false }) {
  const isEditing = mode === 'edit';
  const isEditable = rights.canEdit || (!isItem && (rights.canMove || rights.canDelete));
  const needed = isEditing ? 'done' : isEditable ? 'edit' : rights.canAdd && !isItem ? 'add' : null;
  const trailing = needed && seen.get(needed);
  const leading = isEditing && rights.canAdd ? seen.get('add') : above === undefined ? null : backTo(above);
  if (trailing === undefined || leading === undefined) return null;
  return { leading, title, titleFits: lengthOf(title) <= longestTitle, prompt: null, trailing };
}

/** The shortcuts from a list with this path: to the first list and the eight nearest ones above, from the fourth level on. */
export function likelyShortcuts(path) {
  const above = path.slice(0, -1);
  return above.length < 3 ? [] : [above[0], ...above.slice(Math.max(1, above.length - 8))];
}

/** The likely toolbar of an item. Null until one has been seen. */
export function likelyToolbar(neighbours, hasPhotos) {
  const [previous, photos, next] = ['previous', 'photos', 'next'].map((action) => seen.get(action));
  if (!previous || !photos || !next) return null;
  const button = (like, enabled) => ({ ...like, enabled });
  return {
    previous: button(previous, neighbours.previous !== null), photos: button(photos, hasPhotos),
    next: button(next, neighbours.next !== null),
  };
}
