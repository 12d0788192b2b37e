import { isSameScreen } from './address.js';
import { api, Problem } from './api.js';
import { deviceName } from './device-name.js';
import { newID } from './dom.js';
import { hold } from './hold.js';
import { session } from './session.js';

/** Milliseconds after the last change until the place is saved. */
const pause = 600;

/** The most tabs that a navigator can have. */
const mostTabs = 8;

/** The screen of an entry in a navigator's stack. Null for a screen of another client. */
function screenOf({ listId, itemId, photos, about, state }) {
  if (listId) return { listId, view: state?.view };
  if (itemId) return photos ? { itemId, photo: state?.photo ?? 0 } : { itemId };
  return about ? { about: true } : null;
}

/** What the page shows of a tab of a navigator: its top screen that the page knows. */
function shownTab({ id, title, image, stack }) {
  const top = stack.findLast((entry) => screenOf(entry)) ?? { listId: 'root', navigationBar: { title: '' } };
  const { mode, kind } = top;
  const isForm = ['details', 'add'].includes(mode) || (mode === 'edit' && Boolean(top.itemId));
  const entry = {
    screen: screenOf(top), top: top.state?.top, ...(isForm ? { form: { mode, kind } } : { mode }), isFirst: stack.length === 1,
  };
  const screenTitle = top.navigationBar.title;
  return { id, ownTitle: title, screenTitle, title: title ?? screenTitle, image, entry };
}

/** What the server keeps with the top screen. */
function stateOf({ screen, top }) {
  const { view = {}, photo } = screen;
  const hasView = view.sort || view.type || view.above;
  return { ...(top ? { top } : {}), ...(hasView ? { view } : {}), ...(photo ? { photo } : {}) };
}

/**
 * The place of this window: a navigator on the server with tabs. Another device can continue from it. It is saved
 * in the background, a moment after each change. The page waits for it only if it knows no screen to begin with. A page
 * of this browser begins at the last entry.
 */
class Place {
  /** The navigator as last received. Null until there is one. */
  now = null;
  /** The navigator that was read with the page. Null if it must be read. */
  #offered = null;
  /** Whether this browser had no place before. */
  isNew = false;
  /**
   * The tabs: `{id, ownTitle, screenTitle, title, image, entry}`. The title is that of the current screen, if the tab has
   * none of its own.
   */
  tabs = [];
  #selected = null;
  /** The ids of tabs that were opened or closed here, and of those with another screen, since the last save. */
  #opened = new Set();
  #closed = new Set();
  #moved = new Set();
  /** The ids of tabs that got another title or image here since the last save. */
  #described = new Set();
  /** Whether the order of the tabs was changed here since the last save. */
  #isArranged = false;
  #timer = 0;
  #turns = Promise.resolve();
  /** Called when the tabs have changed. */
  drawn = () => {};

  /** Gives the place the navigator that was read with the page. */
  offer(navigator) {
    this.#offered = navigator;
  }

  /** Reads the place of the last visit. Resolves to the entry of its screen. */
  async find() {
    await this.#read();
    this.#take();
    return this.tab.entry;
  }

  /** Reads the place in the background, while the page already shows a screen. */
  join() {
    return this.#inTurn(async () => {
      await this.#read();
      this.#take();
    });
  }

  /** Goes on at the place of another device. Resolves to the entry of its screen. */
  async takeOver(id) {
    await this.#inTurn(async () => {
      this.now = await api.get(`/v1/navigators/${id}?restore=true`);
      session.navigator = id;
      await hold(id);
      this.#take();
    });
    return this.tab.entry;
  }

  async #read() {
    const known = session.navigator;
    const isElsewhere = known && !(await hold(known));
    try {
      const offered = this.#offered?.id === known ? this.#offered : null;
      this.#offered = null;
      if (known && !isElsewhere) this.now = offered ?? await api.get(`/v1/navigators/${known}?restore=true`);
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401) throw error;
    }
    this.isNew = !known;
    this.now ??= await this.#make(isElsewhere ? known : undefined);
    session.navigator = this.now.id;
    await hold(this.now.id);
    await this.#takeNewName();
  }

  /** Takes the name that was given to the device at the sign-in. A name that is refused must not keep the page from its place. */
  async #takeNewName() {
    const name = session.newDeviceName;
    session.newDeviceName = null;
    if (!name || name === this.now.name) return;
    this.now = await api.patch(`/v1/navigators/${this.now.id}`, { name }, { isMinor: true }).catch(() => this.now);
  }

  async #make(original) {
    const name = deviceName() ?? undefined;
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

  #take() {
    this.tabs = this.now.tabs.map(shownTab);
    this.#selected = this.now.selectedTab;
    this.drawn();
  }

  /** The selected tab. Undefined until the place is known. */
  get tab() {
    return this.tabs.find((tab) => tab.id === this.#selected);
  }

  /** Keeps what the selected tab shows. */
  show(entry, title) {
    const { tab } = this;
    if (entry.problem) return;
    session.entry = entry;
    if (!tab) return;
    tab.entry = entry;
    tab.screenTitle = title ?? tab.screenTitle;
    tab.title = tab.ownTitle ?? tab.screenTitle;
    this.#moved.add(tab.id);
    this.drawn();
    this.#saveSoon();
  }

  /** Whether there is room for another tab. */
  get hasRoom() {
    return this.tab !== undefined && this.tabs.length < mostTabs;
  }

  /** Adds a tab, usually with what the current one shows. Returns its id. */
  open({ entry, screenTitle, image } = { entry: this.tab.entry, screenTitle: this.tab.screenTitle }) {
    const id = newID();
    this.tabs = [...this.tabs, { id, screenTitle, title: screenTitle, image, entry }];
    this.#opened.add(id);
    return id;
  }

  /** Gives a tab a title of its own and an image. Null for none. */
  describe(id, ownTitle, image) {
    const tab = this.tabs.find((other) => other.id === id);
    Object.assign(tab, { ownTitle, image, title: ownTitle ?? tab.screenTitle });
    this.#described.add(id);
    this.drawn();
    this.#saveSoon();
  }

  /** Moves a tab to another place among the tabs. */
  arrange(id, index) {
    const tab = this.tabs.find((other) => other.id === id);
    this.tabs = this.tabs.filter((other) => other !== tab).toSpliced(index, 0, tab);
    this.#isArranged = true;
    this.drawn();
    this.#saveSoon();
  }

  /** Selects a tab, if it still exists. */
  select(id) {
    if (this.#selected === id || !this.tabs.some((tab) => tab.id === id)) return;
    this.#selected = id;
    this.drawn();
    this.#saveSoon();
  }

  /** Closes a tab. If it was selected, selects the first one. */
  close(id) {
    this.tabs = this.tabs.filter((tab) => tab.id !== id);
    this.#closed.add(id);
    if (this.#selected === id) this.#selected = this.tabs[0].id;
    this.drawn();
    this.#saveSoon();
  }

  async rename(name) {
    await this.#inTurn(async () => {
      this.now = await api.patch(`/v1/navigators/${this.now.id}`, { name }, { isMinor: true });
    });
  }

  // Saving

  #saveSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), pause);
  }

  /** Saves the place now. After an error, the next change saves it. */
  save() {
    clearTimeout(this.#timer);
    if (!this.tabs.length) return Promise.resolve();
    return this.#inTurn(() => this.#save().catch((error) => {
      // Another navigator is made for one that was deleted.
      if (error.status === 404) this.now = null;
    }));
  }

  /** Runs work one after the other, because each depends on the navigator that the last one left. */
  #inTurn(work) {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  async #save() {
    if (!this.now) {
      await this.#read();
      for (const { id } of this.now.tabs) if (!this.tabs.some((tab) => tab.id === id)) this.#closed.add(id);
    }
    // Another device may have closed a tab that is still used here.
    for (const { id } of this.tabs) {
      if (this.now.tabs.some((tab) => tab.id === id)) continue;
      this.#opened.add(id);
      this.#moved.add(id);
    }
    await this.#saveTabs();
    const selected = this.#selected;
    for (const id of [...this.#moved].filter((other) => other !== selected)) await this.#saveTab(id);
    if (selected) {
      await this.#select(selected);
      if (this.#moved.has(selected)) await this.#saveTab(selected);
    }
  }

  async #saveTabs() {
    if (!this.#isArranged && !this.#opened.size && !this.#closed.size && !this.#described.size) return;
    // Another device may have opened a tab at this place meanwhile.
    const { tabs } = await api.get(`/v1/navigators/${this.now.id}`);
    const [opened, closed, described] = [[...this.#opened], [...this.#closed], [...this.#described]];
    const isArranged = this.#isArranged;
    const own = (id) => {
      const { ownTitle: title, image } = this.tabs.find((tab) => tab.id === id);
      return { id, title, image };
    };
    const left = tabs.filter(({ id }) => !closed.includes(id))
      .map(({ id, title, image }) => (described.includes(id) ? own(id) : { id, title, image }));
    const added = opened.filter((id) => !closed.includes(id)).map(own);
    const order = new Map(this.tabs.map(({ id }, index) => [id, index]));
    const index = ({ id }) => order.get(id) ?? order.size;
    const all = [...left, ...added];
    const sent = isArranged ? all.toSorted((one, other) => index(one) - index(other)) : all;
    // What changes while they are sent is saved by the next call.
    this.#described.clear();
    this.#isArranged = false;
    try {
      if (sent.length) await this.#call('PUT', 'tabs', { tabs: sent });
    } catch (error) {
      for (const id of described) this.#described.add(id);
      this.#isArranged ||= isArranged;
      throw error;
    }
    for (const id of opened) this.#opened.delete(id);
    for (const id of closed) this.#closed.delete(id);
    const known = new Set(this.tabs.map(({ id }) => id));
    this.tabs.push(...this.now.tabs.filter(({ id }) => !known.has(id) && !this.#closed.has(id)).map(shownTab));
    this.drawn();
  }

  async #select(id) {
    if (this.now.selectedTab === id) return;
    await this.#call('PATCH', null, { selectedTab: id });
  }

  async #saveTab(id) {
    const tab = this.tabs.find((other) => other.id === id);
    this.#moved.delete(id);
    if (!tab) return;
    try {
      await this.#select(id);
      await this.#saveTop(tab.entry);
    } catch (error) {
      this.#moved.add(id);
      throw error;
    }
  }

  /** Saves the screen of the selected tab: the path down to it, then what is kept with it. */
  async #saveTop(entry) {
    const { screen, mode, form, isFirst } = entry;
    const present = this.now.tabs.find(({ id }) => id === this.now.selectedTab).stack.at(-1);
    const known = screenOf(present);
    if (!known || !isSameScreen(known, screen)) {
      const { listId, itemId, photo } = screen;
      const above = isFirst ? [] : [{ listId: 'root' }];
      if (screen.about) await this.#call('PUT', 'stack', { stack: [...above, { about: true }] });
      else await this.#call('POST', 'open', listId ? { listId } : { itemId });
      if (photo !== undefined) await this.#call('POST', 'push', { screen: { itemId, photos: true } });
    }
    const [state, wanted] = [stateOf(entry), form?.mode ?? mode ?? 'browse'];
    const top = this.now.tabs.find(({ id }) => id === this.now.selectedTab).stack.at(-1);
    const change = {
      ...(wanted !== (top.mode ?? 'browse') ? { mode: wanted } : {}),
      ...(JSON.stringify(state) === JSON.stringify(top.state ?? {}) ? {} : { state }),
    };
    if (Object.keys(change).length) await this.#call('PATCH', 'top', change);
  }

  async #call(method, step, body) {
    const path = `/v1/navigators/${this.now.id}${step ? `/${step}` : ''}`;
    const send = { POST: api.post, PUT: api.put, PATCH: api.patch }[method];
    this.now = await send(path, body, { isMinor: true, isQuiet: true, keepalive: true });
  }
}

export const place = new Place();
