import { api, Problem } from './api.js';
import { session } from './session.js';

let held = null;
/** Pages that come without TLS have no locks; there, the windows of a browser ask each other. */
const others = navigator.locks ? null : new BroadcastChannel('rowhouse.place');
/** So long the other windows have for saying that a place is theirs. */
const answerTime = 200;

/** Whether two entries of a stack are of the same screen, whatever their mode and state. */
export const isSame = (one, other) =>
  ['listId', 'itemId', 'photos', 'about', 'custom'].every((key) => one[key] === other[key]);

/** Whether no other window of this browser is at a place; from then on it is this window's, while it is open. */
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
 * Where this window is: a navigator of the server, which keeps the tabs and their stacks of screens. It is found again
 * after a reload, and may be entered from another device.
 */
class Place {
  #turns = Promise.resolve();
  #isGoing = false;
  /** Brings the page to where the navigator is, and resolves when it is there; it is told the cause. */
  follow = async () => {};
  /** The navigator as the server has sent it last. */
  now = null;

  /** Finds the place that was left, or begins one. */
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
      return await api.post('/v1/navigators', original ? { copyOf: original } : { name });
    } catch (error) {
      if (original) return this.#make();
      if (error.code !== 'too_many_navigators') throw error;
      // The place that was left longest ago gives way.
      const { navigators } = await api.get('/v1/navigators');
      const oldest = navigators.toSorted((left, right) => left.lastUsedAt.localeCompare(right.lastUsedAt))[0];
      return api.post(`/v1/navigators/${oldest.id}/pop-to-root`, {});
    }
  }

  /** Goes on at the place of another device. */
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
      // There already, but the page could not follow then.
      if (isSame(screen, this.top)) return this.follow('push');
      return this.#call('push', 'POST', 'push', { screen });
    });
  }

  pop() {
    return this.#go(() => this.#call('pop', 'POST', 'pop', {}));
  }

  /** Goes back to a list or an item; nowhere, where by then it is not on the stack any more. */
  popTo(id) {
    return this.#go(() => this.#call('pop', 'POST', 'pop-to', () => {
      const index = this.stack.findLastIndex((screen) => screen.listId === id || screen.itemId === id);
      return index < 0 ? null : { index };
    }));
  }

  /** Goes to a list or an item through all that is above it. */
  open(target) {
    return this.#go(() => this.#call('jump', 'POST', 'open', target));
  }

  /** Puts another screen in the top one's place. */
  replaceTop(screen, cause) {
    return this.#go(() =>
      this.#call(cause, 'PUT', 'stack', () => ({ stack: [...this.stack.slice(0, -1), screen] })));
  }

  /** Keeps how a screen is shown; nothing, where by then it is not on top any more. */
  setTop(screen, change) {
    return this.#call('update', 'PATCH', 'top', () => (isSame(screen, this.top) ? change : null));
  }

  selectTab(tab) {
    return this.#call('tab', 'POST', 'select-tab', { tab });
  }

  /** @param change makes the tabs that there are to be of those that there are then. */
  setTabs(change) {
    return this.#call('tab', 'PUT', 'tabs', () => {
      const tabs = change(this.now.tabs.map(({ id, title, image }) => ({ id, title, image })));
      return tabs.length ? { tabs } : null;
    });
  }

  rename(name) {
    return this.#call('update', 'PATCH', null, { name });
  }

  /** Reads the place again, as when what its screens show was changed. */
  refresh() {
    return this.#call('update', 'GET', null);
  }

  /** A tap that comes while the page is on its way, as the second of two quick ones does, leads nowhere. */
  async #go(way) {
    if (this.#isGoing) return;
    this.#isGoing = true;
    try {
      await way();
    } finally {
      this.#isGoing = false;
    }
  }

  /** One call after the other, each on what the one before has come to. */
  #call(cause, method, step, body) {
    const done = this.#turns.then(async () => {
      const path = `/v1/navigators/${this.now.id}${step ? `/${step}` : ''}`;
      const given = typeof body === 'function' ? body() : body;
      if (given === null) return;
      const send = { GET: api.get, POST: api.post, PUT: api.put, PATCH: api.patch }[method];
      this.now = await (method === 'GET' ? send(path) : send(path, given));
      await this.follow(cause);
    });
    this.#turns = done.catch(() => {});
    return done;
  }
}

export const place = new Place();
