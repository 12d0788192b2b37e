import { askForToken } from './api.js';
import { showChanges } from './changes-sheet.js';
import { editList } from './edit-sheet.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { showPlaces, showSettings } from './settings-sheet.js';
import { session } from './session.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { openInNewTab, showTabs } from './tab-bar.js';
import { text } from './texts.js';
import { showTransfer } from './transfer-sheet.js';
import { showTrash } from './trash-sheet.js';

/** Orders that rows can be looked at in, by what they are called. */
const orders = [['byTitle', 'title'], ['byValue', '-valueInDollars'], ['byAge', '-createdAt']];

/** All that is done to a list as a whole, or to the app, rather than to a row. */
export function openMenu({ listId, sort, setSort }) {
  let sheet = null;
  const entry = (key, act, more = {}) => ({ title: text(key), act, ...more });
  const groups = [
    [entry('details', () => editList(listId)), entry('newTab', () => attempt(() => openInNewTab({ listId })))],
    [entry('ownOrder', () => setSort(null), { isChosen: sort === null }),
      ...orders.map(([key, order]) => entry(key, () => setSort(order, text(key)), { isChosen: sort === order }))],
    [entry('trash', showTrash), entry('changes', showChanges), entry('transfer', () => showTransfer(listId))],
    [place.now.tabs.length > 1 ? entry('tabs', showTabs) : null, entry('places', showPlaces),
      entry('settings', showSettings), entry('about', () => attempt(() => place.push({ about: true })))],
    [session.token ? entry('signOut', () => { session.forgetToken(); askForToken().then(() => location.reload()); }) : null],
  ];
  sheet = new Sheet(plainBar(text('more')), choices(groups, () => sheet), {}, 'is-menu');
}
