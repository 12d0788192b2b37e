import { base } from './base.js';
import { newID } from './dom.js';

/**
 * The data that this browser stores: the token, the chosen language and inventory, the navigator that is this window's
 * place, and what the window showed last. A token that should not be kept is removed with the window. No token is ever part of a URL.
 *
 * Values for requests are read once, when a page starts. A page therefore sends its requests to the inventory that it
 * shows, whatever another window chooses.
 */

/** The start of all names. Servers with other base paths may have the same origin. No base path contains a space. */
const prefix = base ? `rowhouse ${base} ` : 'rowhouse.';

const names = {
  token: `${prefix}token`, newDeviceName: `${prefix}device-name`, language: `${prefix}language`, inventory: `${prefix}inventory`, singleKeys: `${prefix}single-keys`,
  /** One for all servers of the origin. Read by theme.js, too. */
  theme: 'rowhouse.theme',
  protection: `${prefix}protection`,
  docsToken: `${prefix}docs-token`,
  /** In `localStorage`: the id of the token that an invitation has made for this browser. */
  invited: `${prefix}invited`,
  sharing: `${prefix}sharing`,
  invitation: `${prefix}invitation`,
  /** In `localStorage`: the id of the last sign-out. In `sessionStorage`: the last one that this window handled. */
  signOut: `${prefix}sign-out`,
  navigators: `${prefix}navigator`,
  get navigator() {
    return session.inventory ? `${this.navigators}.${session.inventory}` : this.navigators;
  },
  entries: `${prefix}entry.`,
  get entry() {
    return this.entries + session.inventory;
  },
  /** In `sessionStorage`. */
  get draft() {
    return `${prefix}draft.${session.inventory}`;
  },
  keptLanguage: `${prefix}kept-language`,
  /** In `localStorage`: the names of the databases with kept lists. They stay until those are erased. */
  stores: `${prefix}stores`,
  /** The id of the inventory that was shown last. */
  lastInventory: `${prefix}last-inventory`,
  start: (inventoryId) => `${prefix}start.${inventoryId}`,
  texts: `${prefix}texts`,
};

/** What a sign-out leaves: the language, the theme, the page's texts, what the keys do, and what the sign-out needs. */
const lasting = [names.language, names.theme, names.singleKeys, names.signOut, names.stores, names.texts];

/** Whether somebody has signed out since the page was loaded. */
let isEnding = false;

/** The window's own value, or the one for new windows. */
const kept = (name) => sessionStorage.getItem(name) ?? localStorage.getItem(name);

/** Whether a new window would have this page's token, or none as this page. */
const isShared = () => localStorage.getItem(names.token) === token;

/** A value that the holder of another token must not see: the window's own, or the one for new windows with its token. */
const own = (name) => sessionStorage.getItem(name) ?? (isShared() ? localStorage.getItem(name) : null);

/** Stores such a value for this window and, if they have its token, for new windows. */
function keepOwn(name, value) {
  keep(sessionStorage, name, value);
  if (isShared()) keep(localStorage, name, value);
}

/**
 * Stores a value, or removes it if it is null. An answer may come after a sign-out, before the page is loaded again: it is
 * not stored.
 */
function keep(storage, name, value) {
  if (isEnding && !lasting.includes(name)) return;
  if (value) storage.setItem(name, value);
  else storage.removeItem(name);
}

/** Removes the values whose names have this start, except those that a sign-out leaves. */
function clear(storage, start) {
  for (const name of Object.keys(storage)) {
    if (name.startsWith(start) && !lasting.includes(name)) storage.removeItem(name);
  }
}

/** Removes what the server has told when a page was loaded. */
function clearStarts() {
  for (const storage of [sessionStorage, localStorage]) clear(storage, names.start(''));
}

/** The id in a token, which is no secret. */
const idOf = (given) => given.split('_')[1];

let token = null;
let inventory = null;
let language = null;

export const session = {
  get token() {
    return token;
  },

  /** @param isInvited whether an invitation has made the token for this browser. */
  keepToken(given, isLasting, isInvited = false) {
    if (isInvited) keep(localStorage, names.invited, idOf(given));
    const [home, other] = isLasting ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
    keep(home, names.token, given);
    other.removeItem(names.token);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
    token = given;
    // Another token may see other data.
    clearStarts();
  },

  /** Whether an invitation has made the token for this browser, so that it is of no use elsewhere. */
  get isInvited() {
    return token !== null && localStorage.getItem(names.invited) === idOf(token);
  },

  /** Whether the token stays in this browser when the window is closed. */
  get isLasting() {
    return token !== null && localStorage.getItem(names.token) === token;
  },

  /**
   * Forgets a token that the server has refused, if there is one, and what was read when a page was loaded. New windows may
   * be another person's, so they no longer begin at the last place. This window keeps its place for the next sign-in.
   */
  dropToken() {
    for (const storage of [sessionStorage, localStorage]) {
      if (storage.getItem(names.token) === token) storage.removeItem(names.token);
    }
    token = null;
    clearStarts();
    for (const start of [names.entries, names.navigators]) clear(localStorage, start);
  },

  /** The token that a new page would use. */
  get keptToken() {
    return kept(names.token);
  },

  /** The token typed into the page at `/docs`. It is removed with the window. */
  get docsToken() {
    return sessionStorage.getItem(names.docsToken);
  },

  set docsToken(given) {
    keep(sessionStorage, names.docsToken, given);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
  },

  /**
   * Signs out all windows of this browser. Suspended windows notice it when they resume.
   *
   * @param next the token of another invitation, with which pages that are loaded from now on are signed in.
   * @param deviceName the name that they have given to this device.
   */
  signOut(next = null, deviceName = null) {
    clear(localStorage, prefix);
    localStorage.setItem(names.signOut, newID());
    this.forgetOwn();
    if (next === null) return;
    localStorage.setItem(names.token, next);
    localStorage.setItem(names.invited, idOf(next));
    if (deviceName) localStorage.setItem(names.newDeviceName, deviceName);
    token = next;
  },

  /** Whether there was a sign-out that this window has not handled. */
  get isSignedOut() {
    return sessionStorage.getItem(names.signOut) !== localStorage.getItem(names.signOut);
  },

  /** Removes the window's own data, after a sign-out. The page that calls it is loaded again. */
  forgetOwn() {
    isEnding = true;
    clear(sessionStorage, prefix);
    keep(sessionStorage, names.signOut, localStorage.getItem(names.signOut));
    token = null;
  },

  /** A language tag such as `ar`. Null: the browser's language. */
  get language() {
    return language;
  },

  set language(tag) {
    language = tag;
    keep(localStorage, names.language, tag);
  },

  /** Whether single letters and signs are keyboard shortcuts. https://www.w3.org/TR/WCAG22/#character-key-shortcuts */
  get singleKeys() {
    return localStorage.getItem(names.singleKeys) !== 'off';
  },

  set singleKeys(isOn) {
    keep(localStorage, names.singleKeys, isOn ? null : 'off');
  },

  /** `light` or `dark`. Null: as the system. */
  get theme() {
    return localStorage.getItem(names.theme);
  },

  set theme(theme) {
    keep(localStorage, names.theme, theme);
  },

  /** Whether this browser has offered to protect a server without tokens. */
  get wasOfferedProtection() {
    return localStorage.getItem(names.protection) !== null;
  },

  set wasOfferedProtection(was) {
    keep(localStorage, names.protection, was ? 'offered' : null);
  },

  /** The code of an invitation that this window has opened, until the person has accepted or declined it. Null for none. */
  get invitation() {
    return sessionStorage.getItem(names.invitation);
  },

  set invitation(code) {
    keep(sessionStorage, names.invitation, code);
  },

  /** The id of a list to share once the page is loaded again. Null for none. */
  get sharing() {
    return sessionStorage.getItem(names.sharing);
  },

  set sharing(listId) {
    keep(sessionStorage, names.sharing, listId);
  },

  /** The name that was given to this device at the sign-in, until its place has it. Null for none. */
  get newDeviceName() {
    return localStorage.getItem(names.newDeviceName);
  },

  set newDeviceName(name) {
    keep(localStorage, names.newDeviceName, name);
  },

  /** The id of this page's inventory. Null until it is known. */
  get inventory() {
    return inventory;
  },

  set inventory(id) {
    inventory = id;
    keep(sessionStorage, names.inventory, id);
  },

  /** Sets the inventory of this page without storing it: the server has not confirmed it yet. */
  visit(id) {
    inventory = id;
  },

  /** Sets the inventory of this window's next page and of new windows. */
  chooseInventory(id) {
    for (const storage of [sessionStorage, localStorage]) keep(storage, names.inventory, id);
  },

  /** Forgets a chosen inventory that no longer exists. The server then chooses one. */
  forgetInventory() {
    if (localStorage.getItem(names.inventory) === inventory) localStorage.removeItem(names.inventory);
    this.inventory = null;
  },

  /** The window's own place, or the last one of a window with its token. */
  get navigator() {
    return own(names.navigator);
  },

  set navigator(id) {
    keepOwn(names.navigator, id);
  },

  /** The language of the texts in the lists that this browser keeps. */
  get keptLanguage() {
    return localStorage.getItem(names.keptLanguage);
  },

  set keptLanguage(tag) {
    keep(localStorage, names.keptLanguage, tag);
  },

  /** The names of the databases with lists that this browser keeps. */
  get stores() {
    return JSON.parse(localStorage.getItem(names.stores)) ?? [];
  },

  noteStore(name) {
    if (this.stores.includes(name)) return;
    try {
      localStorage.setItem(names.stores, JSON.stringify([...this.stores, name]));
    } catch {
      // Without room, most browsers can list their databases.
    }
  },

  /** Forgets a database that is erased. */
  forgetStore(name) {
    const left = this.stores.filter((other) => other !== name);
    keep(localStorage, names.stores, left.length ? JSON.stringify(left) : null);
  },

  /**
   * What was typed when the page had to be loaded again: `form` as `Sheet` describes it, and `rows` as `closeNewRows` returns them.
   * Each is null if nothing was typed there. It is removed with the window.
   */
  get draft() {
    return JSON.parse(sessionStorage.getItem(names.draft));
  },

  set draft(draft) {
    try {
      keep(sessionStorage, names.draft, draft && JSON.stringify(draft));
    } catch {
      // There is no room.
    }
  },

  /** What `GET /v1/start` has last answered about the inventory of this page. Null if it is not kept. */
  get start() {
    return JSON.parse(own(names.start(inventory ?? own(names.lastInventory))));
  },

  set start(answer) {
    const { inventoryId } = answer.me;
    // It is removed with the window if the token is.
    const home = isShared() ? localStorage : sessionStorage;
    try {
      keep(home, names.start(inventoryId), JSON.stringify(answer));
      keep(home, names.lastInventory, inventoryId);
    } catch {
      // Without room, only a start without a server fails.
    }
  },

  /** Removes the last answer of `GET /v1/start`, because the person may no longer see what it shows. */
  forgetStart() {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(names.start(inventory ?? own(names.lastInventory)));
  },

  /** The last answer of `GET /v1/texts`. Null if it is not kept. */
  get texts() {
    return JSON.parse(localStorage.getItem(names.texts));
  },

  set texts(answer) {
    try {
      localStorage.setItem(names.texts, JSON.stringify(answer));
    } catch {
      // Without room, they are read again.
    }
  },

  /** The last entry of the window, or of a window with its token; see way.js. Null if there is none. */
  get entry() {
    return JSON.parse(own(names.entry));
  },

  set entry(entry) {
    keepOwn(names.entry, JSON.stringify(entry));
  },
};

if (session.isSignedOut) session.forgetOwn();
isEnding = false;
token = kept(names.token);
inventory = kept(names.inventory);
language = localStorage.getItem(names.language);
