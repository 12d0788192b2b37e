import { openKept } from './kept.js';
import { imported } from './texts.js';

let loads = 0;

/** Whether something that a person asked for is being loaded. */
export const isLoading = () => loads > 0;

/** Resolves to a module that is imported when it is needed, and that uses the store: for work in the background. */
export const loadedInBackground = async (module) => (await Promise.all([imported(module), openKept()]))[0];

/** The same for what a person has asked for. */
export async function loaded(module) {
  loads += 1;
  try {
    return await loadedInBackground(module);
  } finally {
    loads -= 1;
  }
}

/** Sheets and questions. What they need is loaded after the first screen is shown. */
export const sheets = {
  menu: async (listId) => (await loaded(import('./menu.js'))).openMenu(listId),
  palette: async (typed) => (await loaded(import('./palette.js'))).openPalette(typed()),
  keys: async () => (await loaded(import('./keys-sheet.js'))).showKeys(),
  print: async (listId) => (await loaded(import('./paper.js'))).printList(listId),
  transfer: async (listId) => (await loaded(import('./transfer-sheet.js'))).showTransfer(listId),
  demo: async (listId) => (await loaded(import('./demo.js'))).loadDemo(listId),
  order: async (choice, choose) => new (await loaded(import('./order-sheet.js'))).OrderSheet(choice, choose),
  look: async (row) => (await loaded(import('./quick-look.js'))).quickLook(row),
  add: async (listId, given) => (await loaded(import('./add-sheet.js'))).addRow(listId, given),
  editItem: async (...given) => (await loaded(import('./edit-sheet.js'))).editItem(...given),
  editList: async (...given) => (await loaded(import('./edit-sheet.js'))).editList(...given),
  move: async (rows, listId, moved) => new (await loaded(import('./move-sheet.js'))).MoveSheet(rows, listId, moved),
  row: async (...given) => (await loaded(import('./row-menu.js'))).openRowMenu(...given),
  remove: async (row, label, on) => (await loaded(import('./remove-row.js'))).removeRow(row, label, on),
  tags: async () => (await loaded(import('./tags-sheet.js'))).showTags(),
  tabs: async () => (await loaded(import('./tabs-sheet.js'))).showTabs(),
  changes: async () => (await loaded(import('./changes-sheet.js'))).showChanges(),
  trash: async () => (await loaded(import('./trash-sheet.js'))).showTrash(),
  inventories: async () => (await loaded(import('./inventories-sheet.js'))).showInventories(),
  settings: async () => (await loaded(import('./settings-sheet.js'))).showSettings(),
};
