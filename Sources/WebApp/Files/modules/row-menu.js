import { addressOf } from './address.js';
import { base } from './api.js';
import { printLabels } from './labels.js';
import { notify } from './notices.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { isWide } from './stage.js';
import { text } from './texts.js';

/** The distance in pixels of a menu from the edges of the window. */
const gap = 8;

/** Copies the address of a row's screen. Pages without TLS may not use the clipboard, so they show the address. */
async function copyLink(row) {
  const link = location.origin + base + addressOf(row.list ? { listId: row.id } : { itemId: row.id });
  try {
    await navigator.clipboard.writeText(link);
    notify(text('linkCopied'));
  } catch {
    notify(text('copyByHand'), { detail: link });
  }
}

/**
 * Opens the menu of a row, in a wide window at a point. Returns its sheet.
 *
 * @param acts the functions of the entries by name: `open`, `edit`, `select`, `relocate`, `toTop`, `toBottom`,
 *   `remove`. Entries without a function are left out.
 * @param at `{x, y}` in the window.
 */
export function openRowMenu(row, acts, deleteLabel, at) {
  const entry = (title, act) => act && { title, act: () => act(row) };
  let sheet = null;
  sheet = new Sheet(plainBar(row.title), choices([
    [entry(text('openRow'), acts.open), entry(text('edit'), acts.edit), entry(text('select'), acts.select)],
    [entry(text('moveThis'), acts.relocate), entry(text('toTop'), acts.toTop), entry(text('toBottom'), acts.toBottom)],
    [entry(text('copyLink'), copyLink), entry(text('printLabel'), ({ id }) => printLabels({ ids: id }))],
    [acts.remove && { ...entry(deleteLabel, acts.remove), isGrave: true }],
  ], () => sheet), {}, 'is-menu is-context');
  if (isWide() && at) place(sheet.element, at);
  return sheet;
}

function place(menu, { x, y }) {
  menu.classList.add('is-popover');
  const most = (size, own) => Math.max(gap, size - own - gap);
  menu.style.setProperty('max-height', `${innerHeight - 2 * gap}px`);
  menu.style.setProperty('left', `${Math.max(gap, Math.min(x, most(innerWidth, menu.offsetWidth)))}px`);
  menu.style.setProperty('top', `${Math.max(gap, Math.min(y, most(innerHeight, menu.offsetHeight)))}px`);
}
