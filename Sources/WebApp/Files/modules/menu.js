import { mayChooseInventory } from './caller.js';
import { showChanges } from './changes-sheet.js';
import { editList } from './edit-sheet.js';
import { showKeys } from './keys.js';
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
import { signOut } from './sign-out.js';
import { openInNewTab } from './tab-bar.js';
import { showTabs } from './tabs-sheet.js';
import { showTags } from './tags-sheet.js';
import { text } from './texts.js';
import { showTransfer } from './transfer-sheet.js';
import { showTrash } from './trash-sheet.js';
import { way } from './way.js';

/** The entries of the menu in groups: those of a list, unless its id is null, and those of the app. Some are null. */
export function menuEntries(listId) {
  const entry = (key, act) => ({ title: text(key), act });
  return [
    [listId ? entry('details', () => editList(listId)) : null,
      listId && mayShare() ? entry('share', () => showShare(listId)) : null, place.hasRoom ? entry('newTab', () => attempt(openInNewTab)) : null],
    [canUndo() ? entry('undo', () => attempt(() => undo())) : null,
      canRedo() ? entry('redo', () => attempt(() => redo())) : null,
      entry('changes', showChanges), entry('trash', showTrash)],
    [entry('tags', showTags), listId ? entry('transfer', () => showTransfer(listId)) : null,
      listId ? entry('print', () => attempt(() => printList(listId))) : null,
      listId ? entry('labels', () => printLabels({ list: listId })) : null, canScan ? entry('scan', () => attempt(scan)) : null],
    [place.tabs.length ? entry('tabs', showTabs) : null, entry('places', showPlaces),
      mayShare() ? entry('people', showPeople) : null,
      mayChooseInventory() ? entry('inventories', showInventories) : null,
      entry('settings', showSettings), entry('keys', showKeys),
      entry('about', () => attempt(() => way.go({ about: true })))],
    [session.token ? entry('signOut', signOut) : null],
  ];
}

/** Opens the menu of a list and of the app. */
export function openMenu(listId) {
  let sheet = null;
  sheet = new Sheet(plainBar(text('more')), choices(menuEntries(listId), () => sheet), {}, 'is-menu');
}
