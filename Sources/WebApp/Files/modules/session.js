/**
 * What this browser keeps: the token, the language and the inventory that were chosen, and which navigator is its
 * place in it. A token that is
 * not to be kept goes with the window; none ever stands in an address.
 */
const names = {
  token: 'rowhouse.token', language: 'rowhouse.language', inventory: 'rowhouse.inventory',
  get navigator() {
    return session.inventory ? `rowhouse.navigator.${session.inventory}` : 'rowhouse.navigator';
  },
};

export const session = {
  get token() {
    return sessionStorage.getItem(names.token) ?? localStorage.getItem(names.token);
  },

  keepToken(token, isLasting) {
    const [home, other] = isLasting ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
    home.setItem(names.token, token);
    other.removeItem(names.token);
  },

  /** Forgets the token, the inventory and all places; the language stays. */
  forget() {
    for (const storage of [sessionStorage, localStorage]) {
      for (const name of Object.keys(storage)) {
        if (name.startsWith('rowhouse.') && name !== names.language) storage.removeItem(name);
      }
    }
  },

  /** A tag such as `ar`; null: as the browser says. */
  get language() {
    return localStorage.getItem(names.language);
  },

  set language(tag) {
    if (tag) localStorage.setItem(names.language, tag);
    else localStorage.removeItem(names.language);
  },

  /** The id of the inventory that was chosen where there are several; null: the one that the server takes. */
  get inventory() {
    return localStorage.getItem(names.inventory);
  },

  set inventory(id) {
    if (id) localStorage.setItem(names.inventory, id);
    else localStorage.removeItem(names.inventory);
  },

  /** The window's own place, else the one that a window of this browser had last. */
  get navigator() {
    return sessionStorage.getItem(names.navigator) ?? localStorage.getItem(names.navigator);
  },

  set navigator(id) {
    for (const storage of [sessionStorage, localStorage]) {
      if (id) storage.setItem(names.navigator, id);
      else storage.removeItem(names.navigator);
    }
  },
};
