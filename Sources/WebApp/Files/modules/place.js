import { api, Problem } from './api.js';
import { session } from './session.js';

let held = null;
/** The channel by which the windows of a browser ask each other. Browsers offer locks only to pages with TLS. */
const others = navigator.locks ? null : new BroadcastChannel('rowhouse.place');
/** Milliseconds in which other windows can claim a place. */
const answerTime = 200;

/** Whether two stack entries show the same screen, regardless of mode and state. */
export const isSame = (one, other) =>
  ['listId', 'itemId', 'photos', 'about', 'custom'].every((key) => one[key] === other[key]);

/** Claims a place for this window while it is open. Resolves to false if another window of this browser has it. */
async function hold(id) {
  if (held === id) return true;
  if (others) return holdByAsking(id);
  return new Promise((answer) => {
    navigator.locks.request(`rowhouse.place.${id}`, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      if (!lock) return undefined;
      held = id;
      return new Promise(() => {});
    });
  });
}

async function holdByAsking(id) {
  const isTaken = await new Promise((answer) => {
    others.onmessage = ({ data }) => data.taken === id && answer(true);
    others.postMessage({ wanted: id });
    setTimeout(() => answer(false), answerTime);
  });
  if (!isTaken) held = id;
  others.onmessage = ({ data }) => data.wanted === held && others.postMessage({ taken: held });
  return !isTaken;
}

/**
 * The place of this window: a navigator on the server with tabs and their stacks of screens. It survives a reload, and
 * another device can take it over.
 */
class Place {
  #turns = Promise.resolve();
  #isGoing = false;
  /** Shows the navigator's screen on the page, and resolves when it is shown. Gets the cause. */
  follow = async () => {};
  /** The navigator as last received. */
  now = null;

  /** Restores the last place, or creates one. */
  async enter() {
    const known = session.navigator;
    const isElsewhere = known && !(await hold(known));
    try {
      if (known && !isElsewhere) this.now = await api.get(`/v1/navigators/${known}?restore=true`);
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401) throw error;
    }
    this.now ??= await this.#make(isElsewhere ? known : undefined);
    session.navigator = this.now.id;
    await hold(this.now.id);
    await this.follow('enter');
  }

  async #make(original) {
    const name = navigator.userAgentData?.platform || navigator.platform || undefined;
    try {
      return await api.post('/v1/navigators', original ? { copyOf: original } : { name }, { isMinor: true });
    } catch (error) {
      if (original) return this.#make();
      if (error.code !== 'too_many_navigators') throw error;
      // Reuses the navigator that was unused for the longest time.
      const { navigators } = await api.get('/v1/navigators');
      const oldest = navigators.toSorted((left, right) => left.lastUsedAt.localeCompare(right.lastUsedAt))[0];
      return api.post(`/v1/navigators/${oldest.id}/pop-to-root`, {}, { isMinor: true });
    }
  }

  /** Continues at another device's place. */
  async takeOver(id) {
    this.now = await api.get(`/v1/navigators/${id}?restore=true`);
    session.navigator = id;
    await hold(id);
    await this.follow('enter');
  }

  get tab() {
    return this.now.tabs.find((tab) => tab.id === this.now.selectedTab);
  }

  get stack() {
    return this.tab.stack;
  }

  get top() {
    return this.stack.at(-1);
  }

  push(screen) {
    return this.#go(() => {
      // The navigator is already there, but the page failed to show it.
      if (isSame(screen, this.top)) return this.follow('push');
      return this.#call('push', 'POST', 'push', { screen });
    });
  }

  pop() {
    return this.#go(() => this.#call('pop', 'POST', 'pop', {}));
  }

  /** Goes back to a list or an item. Does nothing if it is no longer on the stack. */
  popTo(id) {
    return this.#go(() => this.#call('pop', 'POST', 'pop-to', () => {
      const index = this.stack.findLastIndex((screen) => screen.listId === id || screen.itemId === id);
      return index < 0 ? null : { index };
    }));
  }

  /** Opens a list or an item with all screens above it. */
  open(target) {
    return this.#go(() => this.#call('jump', 'POST', 'open', target));
  }

  /** Replaces the top screen. */
  replaceTop(screen, cause) {
    return this.#go(() =>
      this.#call(cause, 'PUT', 'stack', () => ({ stack: [...this.stack.slice(0, -1), screen] })));
  }

  /** Saves the mode or state of a screen. Does nothing if it is no longer on top. */
  setTop(screen, change) {
    return this.#call('update', 'PATCH', 'top', () => (isSame(screen, this.top) ? change : null));
  }

  selectTab(tab) {
    return this.#call('tab', 'POST', 'select-tab', { tab });
  }

  /** @param change makes the new tabs from the current ones. */
  setTabs(change) {
    return this.#call('tab', 'PUT', 'tabs', () => {
      const tabs = change(this.now.tabs.map(({ id, title, image }) => ({ id, title, image })));
      return tabs.length ? { tabs } : null;
    });
  }

  rename(name) {
    return this.#call('update', 'PATCH', null, { name });
  }

  /** Reads the navigator again, for example after a change to data on its screens. */
  refresh() {
    return this.#call('update', 'GET', null);
  }

  /** Ignores taps while another one is being handled, such as the second tap of a double tap. */
  async #go(way) {
    if (this.#isGoing) return;
    this.#isGoing = true;
    try {
      await way();
    } finally {
      this.#isGoing = false;
    }
  }

  /** Sends calls one after the other, because each depends on the navigator that the last one left. */
  #call(cause, method, step, body) {
    const done = this.#turns.then(async () => {
      const path = `/v1/navigators/${this.now.id}${step ? `/${step}` : ''}`;
      const given = typeof body === 'function' ? body() : body;
      if (given === null) return;
      const send = { GET: api.get, POST: api.post, PUT: api.put, PATCH: api.patch }[method];
      this.now = await (method === 'GET' ? send(path) : send(path, given, { isMinor: true }));
      await this.follow(cause);
    });
    this.#turns = done.catch(() => {});
    return done;
  }
}

export const place = new Place();
