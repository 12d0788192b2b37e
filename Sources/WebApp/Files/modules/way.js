import { addressOf, isSameScreen, pathOf, screenAt } from './address.js';
import { api, Problem } from './api.js';
import { caller } from './caller.js';
import { entryState, goBack, backLeavesScreen, pushEntry, replaceEntry } from './history.js';
import { kept } from './kept.js';

/** Whether an error says that a list or an item does not exist, or is in the trash. */
export const isGone = (error) => error instanceof Problem && [404, 410].includes(error.status);

/** The screen with the id of its list, if it is named `root`. */
function named(screen) {
  if (screen.listId !== 'root') return screen;
  return { ...screen, listId: kept?.list('root')?.id ?? caller().rootListId };
}

/**
 * The way through the screens: which one is shown, and how the page goes to others. The address bar always has the
 * address of the screen, so links, reloads, Back and Forward work as in other pages.
 *
 * An entry is what a screen is shown with: `{screen, mode, top, form, isFirst, problem}`. `screen` is described in
 * address.js. `mode` is `edit` while a list is edited, and `top` where it is scrolled to. `form` is the form that another
 * client left open over the screen, `{mode, kind}`. `isFirst`: whether it is the first screen of its tab. `problem` is the
 * server's for a screen that is gone, or the error of the connection for one that is not kept.
 */
class Way {
  /** The entry of the current screen. Null until the first one is shown. */
  now = null;
  /** The number of attempts to go somewhere. Only the last one counts. */
  #turn = 0;
  #goingTo = null;
  #isRising = false;
  /** Whether the screen of the current address could not be shown yet. */
  #isBehind = false;
  /** Makes the screen of an entry, and resolves to a function that shows it. Gets the entry. */
  prepare = async () => () => {};
  /** Called when the current entry or what is kept with it has changed. */
  noted = () => {};

  /** Shows the screen at an entry that the browser has come to, or was loaded with. */
  async arrive(cause) {
    const { mode, top, form, isFirst } = entryState();
    const screen = screenAt(location);
    this.#isBehind = true;
    const keep = (address) => {
      this.#isBehind = false;
      replaceEntry(address);
    };
    try {
      await this.#enter({ screen, mode, top, form, isFirst }, cause, keep);
    } catch (problem) {
      if (!isGone(problem)) throw problem;
      await this.#enter({ screen, problem }, cause, keep);
    }
  }

  /** Says that the screen of the current address cannot be shown without a connection. `retry` shows it later. */
  async waitHere(disconnected) {
    await this.#enter({ screen: screenAt(location), problem: disconnected }, 'enter', () => {});
  }

  /** Shows the screen of the current address if that failed before. */
  async retry() {
    if (this.#isBehind) await this.arrive('update');
  }

  /**
   * Goes to a screen as soon as it can be shown. Ignores the second tap of a double tap.
   *
   * @param options `cause` is the direction of the movement: `push`, `pop`, `next`, `previous` or none. `replaces`:
   *   whether the screen takes the place of the current one in the history. `state` is kept with the entry.
   */
  async go(screen, { cause = 'push', replaces = false, state = {} } = {}) {
    const address = addressOf(screen);
    if (this.#goingTo === address) return;
    this.#goingTo = address;
    try {
      await this.#enter({ screen, ...state }, cause, (found) => {
        const { tab } = entryState();
        const kept = { tab, ...state };
        const isHere = found === this.#address && kept.tab === tab;
        this.#isBehind = false;
        if (replaces || isHere) return replaceEntry(found, { mode: undefined, top: undefined, form: undefined, isFirst: undefined, ...kept });
        return pushEntry(found, kept);
      });
    } finally {
      if (this.#goingTo === address) this.#goingTo = null;
    }
  }

  async #enter(entry, cause, commit) {
    const turn = (this.#turn += 1);
    entry.screen = named(entry.screen);
    const show = await this.prepare(entry, cause);
    if (turn !== this.#turn) return;
    await commit(addressOf(entry.screen));
    this.now = entry;
    this.noted();
    show();
  }

  /** Goes to the screen above the current one: back if the person came from there. */
  async up(screen) {
    if (this.#isRising) return;
    this.#isRising = true;
    try {
      const above = named(screen);
      if (entryState().below !== pathOf(above)) await this.go(above, { cause: 'pop' });
      else await this.#back();
    } finally {
      this.#isRising = false;
    }
  }

  /** Leaves a screen that is below no other: back if the person came from a screen of the app, or else to another one. */
  async leave(screen) {
    await (backLeavesScreen() && entryState().below ? this.#back() : this.go(screen, { cause: 'pop' }));
  }

  /** Resolves when the browser has come back and the screen is shown. */
  #back() {
    goBack();
    return new Promise((done) => (this.#backIsDone = done));
  }

  #backIsDone = () => {};

  /** Handles Back and Forward of the browser. */
  async moved(to, from) {
    this.#goingTo = null;
    const cause = to.tab !== from.tab ? 'tab' : to.index < from.index ? 'pop' : 'push';
    try {
      await this.arrive(cause);
    } finally {
      this.#backIsDone();
    }
  }

  /**
   * Leaves a screen that is gone for the nearest screen of `above` that still exists, or else the first list.
   *
   * @param above the screens above it, the nearest first.
   */
  async giveWay(above) {
    for (const screen of above) {
      try {
        await api.get(`/v1/rows/${screen.listId ?? screen.itemId}`);
      } catch (error) {
        if (isGone(error)) continue;
        throw error;
      }
      if (backLeavesScreen() && entryState().below === pathOf(screen)) return this.#back();
      return this.go(screen, { cause: 'pop', replaces: true });
    }
    return this.go({ listId: 'root' }, { cause: 'pop', replaces: true });
  }

  get #address() {
    return this.now && addressOf(this.now.screen);
  }

  /** Whether a screen is the current one. */
  isAt(screen) {
    return this.now !== null && isSameScreen(screen, this.now.screen);
  }

  /** Changes the address or what is kept with the entry of a screen. Does nothing if it is no longer the current one. */
  note(screen, change) {
    if (this.#isBehind || !this.isAt(screen)) return;
    this.now = { ...this.now, ...change };
    const { screen: named, ...kept } = change;
    replaceEntry(addressOf(named ?? this.now.screen), kept);
    this.noted();
  }
}

export const way = new Way();
