import { newID } from './dom.js';

/**
 * What this browser keeps: the token, the language and the inventory that were chosen, and which navigator is its
 * place in it. A token that is not to be kept goes with the window; none ever stands in an address.
 *
 * All that requests name is read once, when a page begins: whatever another window chooses meanwhile, a page sends its
 * requests to the inventory that it shows.
 */
const names = {
  token: 'rowhouse.token', language: 'rowhouse.language', inventory: 'rowhouse.inventory',
  docsToken: 'rowhouse.docs-token',
  /** In `localStorage`: which sign-out was the last. In `sessionStorage`: the last one that this window knows of. */
  signOut: 'rowhouse.sign-out',
  get navigator() {
    return session.inventory ? `rowhouse.navigator.${session.inventory}` : 'rowhouse.navigator';
  },
};

/** The window's own value, else the one that a new window begins with. */
const kept = (name) => sessionStorage.getItem(name) ?? localStorage.getItem(name);

function keep(storage, name, value) {
  if (value) storage.setItem(name, value);
  else storage.removeItem(name);
}

/** Removes the tokens, the inventory and all places; the language stays. */
function clear(storage) {
  for (const name of Object.keys(storage)) {
    if (name.startsWith('rowhouse.') && name !== names.language && name !== names.signOut) storage.removeItem(name);
  }
}

let token = null;
let inventory = null;
let language = null;

export const session = {
  get token() {
    return token;
  },

  keepToken(given, isLasting) {
    const [home, other] = isLasting ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
    home.setItem(names.token, given);
    other.removeItem(names.token);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
    token = given;
  },

  /** The token that a page would begin with now. */
  get keptToken() {
    return kept(names.token);
  },

  /** The token that was typed into the page at `/docs`; it goes with the window. */
  get docsToken() {
    return sessionStorage.getItem(names.docsToken);
  },

  set docsToken(given) {
    keep(sessionStorage, names.docsToken, given);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
  },

  /** Signs all windows of this browser out; those that are elsewhere find out when they come back. */
  signOut() {
    clear(localStorage);
    localStorage.setItem(names.signOut, newID());
    this.forgetOwn();
  },

  /** Whether there was a sign-out that this window does not know of. */
  get isSignedOut() {
    return sessionStorage.getItem(names.signOut) !== localStorage.getItem(names.signOut);
  },

  /** Forgets what the window keeps for itself, after a sign-out. */
  forgetOwn() {
    clear(sessionStorage);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
    token = null;
  },

  /** A tag such as `ar`; null: as the browser says. */
  get language() {
    return language;
  },

  set language(tag) {
    language = tag;
    keep(localStorage, names.language, tag);
  },

  /** The id of the inventory that this page shows; null while it is not known which one the server takes. */
  get inventory() {
    return inventory;
  },

  set inventory(id) {
    inventory = id;
    keep(sessionStorage, names.inventory, id);
  },

  /** Has the next page of this window show an inventory, and the first page of new windows. */
  chooseInventory(id) {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(names.inventory, id);
  },

  /** Goes back to the inventory that the server takes, where the chosen one is not there any more. */
  forgetInventory() {
    if (localStorage.getItem(names.inventory) === inventory) localStorage.removeItem(names.inventory);
    this.inventory = null;
  },

  /** The window's own place, else the one that a window of this browser had last. */
  get navigator() {
    return kept(names.navigator);
  },

  set navigator(id) {
    for (const storage of [sessionStorage, localStorage]) keep(storage, names.navigator, id);
  },
};

if (session.isSignedOut) session.forgetOwn();
token = kept(names.token);
inventory = kept(names.inventory);
language = localStorage.getItem(names.language);
