import { mayChooseInventory } from './caller.js';
import { showChanges } from './changes-sheet.js';
import { element, hasSidebar } from './dom.js';
import { editList } from './edit-sheet.js';
import { showKeys } from './keys-sheet.js';
import { showInventories } from './inventories-sheet.js';
import { printLabels } from './labels.js';
import { attempt, canRedo, canUndo, redo, undo } from './notices.js';
import { printList } from './paper.js';
import { showPeople } from './people-sheet.js';
import { place } from './place.js';
import { canScan, scan } from './scan-sheet.js';
import { showPlaces, showSettings } from './settings-sheet.js';
import { session } from './session.js';
import { mayShare, showShare } from './share-sheet.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { signOut } from './sign-out-sheet.js';
import { openInNewTab } from './tab-bar.js';
import { showTabs } from './tabs-sheet.js';
import { showTags } from './tags-sheet.js';
import { text } from './texts.js';
import { showTransfer } from './transfer-sheet.js';
import { showTrash } from './trash-sheet.js';
import { way } from './way.js';

/** The texts above the groups of the menu. */
const headings = [null, 'list', 'everything', 'thisDevice', null];
/** The entries that the sidebar has too. */
const besides = ['tags', 'changes', 'trash', 'inventories', 'settings'];

/** The entries of the menu in groups: the last change, a list unless its id is null, the inventory, this device, and the end. Some are null. */
export function menuEntries(listId) {
  const entry = (key, act) => ({ key, title: text(key), act });
  return [
    [canUndo() ? entry('undo', () => attempt(() => undo())) : null, canRedo() ? entry('redo', () => attempt(() => redo())) : null],
    listId ? [
      entry('details', () => editList(listId)), mayShare() ? entry('share', () => showShare(listId)) : null,
      entry('print', () => attempt(() => printList(listId))), entry('printListLabel', () => printLabels({ ids: listId })),
      entry('labels', () => printLabels({ list: listId })),
      entry('transfer', () => showTransfer(listId))] : [],
    [canScan ? entry('scan', () => attempt(scan)) : null, entry('tags', showTags), entry('changes', showChanges), entry('trash', showTrash),
      mayShare() ? entry('people', showPeople) : null, mayChooseInventory() ? entry('inventories', showInventories) : null],
    [place.hasRoom ? entry('newTab', () => attempt(openInNewTab)) : null, place.tabs.length ? entry('tabs', showTabs) : null,
      entry('places', showPlaces), entry('settings', showSettings), entry('keys', showKeys),
      entry('about', () => attempt(() => way.go({ about: true })))],
    [session.token ? { ...entry('signOut', signOut), isGrave: true } : null],
  ];
}

/** Opens the menu of a list and of the app. Beside the sidebar it leaves out what is there. */
export function openMenu(listId) {
  let sheet = null;
  const leftOut = hasSidebar() ? besides : [];
  const parts = menuEntries(listId).flatMap((entries, index) => {
    const cards = choices([entries.filter((entry) => !leftOut.includes(entry?.key))], () => sheet);
    return cards.length && headings[index] ? [element('h3', {}, text(headings[index])), ...cards] : cards;
  });
  sheet = new Sheet(plainBar(text('more')), parts, {}, 'is-menu');
}
