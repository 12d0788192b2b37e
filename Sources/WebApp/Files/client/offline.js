/**
 * Lists that work without a network, for browsers and Node.js 20 or newer. It needs `rowhouse.js`,
 * `renditions.js`, `storage.js` and `view.js` beside it.
 *
 *     const store = await OfflineStore.open(new Rowhouse());
 *     store.subscribe(({ lists, status }) => show(lists, status));
 *     store.start();
 *     await store.keep('root');
 *     await store.createItem('root', { name: 'Saw' });
 *
 * The store keeps two things: the base and the queue. The base is the server's rows at one revision. The queue has
 * the commands that people gave since. An app sees the view: the queue applied to the base.
 */
import {
  backoff, delay, ExactNumber, newID, readList, RowhouseError, usualRetries, writeJSON,
} from './rowhouse.js';
import { makeRenditions } from './renditions.js';
import { DatabaseStorage, MemoryStorage } from './storage.js';
import {
  addSums, batchBetween, counted, isObject, isSame, positionAt, recordAfter, shownRows, titleOf, View, writable,
} from './view.js';

export { DatabaseStorage, MemoryStorage };

/** The most commands and bytes of a batch. The server accepts 1 MiB. */
const batchLimit = { commands: 200, bytes: 1_000_000 };
const rowsMovedAtOnce = 100;
/** Milliseconds for which changes of the base are collected before they are stored. */
const flushDelay = 300;
/** The most done commands that are kept so that they can be undone. */
const pastLimit = 50;
const readersAtOnce = 4;

/** The rows and the list that a command names, except for the anchors of its position. */
const namedBy = ({ id, ids, listId, itemId, item, list }) =>
  [...(ids ?? [id, item?.id, list?.id]), itemId, listId].filter((name) => name !== undefined && name !== null);

/** The id of the row that a command creates. */
const createdBy = ({ item, list }) => item?.id ?? list?.id;

/** The list that a row opens: itself, or the contents of an item. */
const listIn = (row) => row?.list?.id ?? row?.item?.contentsListId;

const states = ['waiting', 'sent', 'done'];
const isPhoto = (entry) => entry.command.type === 'addPhoto';
/** Whether an item may take no photo after a command. A photo that was added before it is sent first. */
const mayRefusePhotos = ({ type, patch }) => type === 'delete' || type === 'moveRows' || patch?.permissions !== undefined;
const isID = (id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
const sizeOf = (command) => new TextEncoder().encode(writeJSON(command)).length;
const storageOf = async ({ name = 'rowhouse', storage }) =>
  storage ?? (globalThis.indexedDB ? await DatabaseStorage.open(`rowhouse-${name}`) : new MemoryStorage());
const now = () => new Date().toISOString().replace(/\.\d+/, '');

/** Whether a call that failed so may succeed later. An answer of 200 that is not JSON is the login page of a network. */
const isPassing = (error) => error instanceof RowhouseError
  && (error.isTemporary || (error.code === 'unreadable' && error.status >= 200 && error.status < 300));

/** Whether the server has refused a whole batch because it could not read it. It has then done none of the commands. */
const isUnreadBatch = ({ status, code }) => status === 413 || ['malformed_json', 'invalid'].includes(code);

const erasedError = () => new RowhouseError('The store was erased.', { code: 'erased' });

const problemError = (problem) =>
  new RowhouseError(problem.detail ?? problem.title, { code: problem.code, status: problem.status, problem });

/** Wakes up all that wait for `next`. */
class Bell {
  constructor() {
    this.#reset();
  }

  #reset() {
    this.next = new Promise((ring) => (this.#wake = ring));
  }

  #wake;

  ring() {
    this.#wake();
    this.#reset();
  }
}

/**
 * Lists that are kept on disk, can be changed without a network, and follow the server.
 *
 * The changes are commands. A call like `createItem` shows its change at once, and resolves to the command's entry when
 * it is stored: `{id, state, command, title, time}`. `state` is `waiting`, `sent` or `done`.
 */
export class OfflineStore {
  #rowhouse;
  #storage;
  #retries;
  /** The key of the record that says whose data these are. No write succeeds without it. */
  #key = null;
  #owner = {};
  #client = { id: newID(), next: 1, rank: 1 };
  #entries = new Map();
  #notices = new Map();
  #past = [];
  /** The lists and the items that the app keeps. */
  #kept = new Map();
  #keepsAll = null;
  #base = { revision: null, lists: new Map(), items: new Map() };
  /** The next base: lists in it may be ahead of its revision. */
  #incoming = null;
  /** The kept lists and items that must be read, and those that are being read, with the deltas that arrived since. */
  #dirty = new Set();
  #reading = new Map();
  #missing = new Map();
  #view = new View(this.#base);
  /** The sums of lists of the view with everything below. */
  #sums = new Map();
  #opened = new Map();
  #listeners = new Set();
  #waiters = new Set();
  #connection = { state: 'stopped', error: null };
  #abort = null;
  #stream = null;
  #lead = null;
  #leads = false;
  /** Whether the server was seen to have the store's inventory since the start. */
  #isIdentified = false;
  #isErased = false;
  #lastNumber = 0;
  /** Entries whose write is not complete. */
  #unstored = new Set();
  /** The entries that were numbered by this store and not sent yet. */
  #fresh = new Set();
  /** The most commands of a batch. Fewer than usual while the store looks for one that the server cannot take. */
  #mostAtOnce = batchLimit.commands;
  #writes = Promise.resolve(true);
  #group = null;
  #unflushed = new Set();
  #timer = null;
  #work = new Bell();
  #reads = new Bell();
  #network = new Bell();

  constructor(rowhouse, storage, retries) {
    this.#rowhouse = rowhouse;
    this.#storage = storage;
    this.#retries = { ...usualRetries, ...retries };
  }

  /**
   * Opens the store `name`, or one in a `storage`. Throws `other_server` if it has the data of another server.
   *
   * @param options `name`: one for each inventory and token; `storage`; `retries`: `{firstDelay, longestDelay}`.
   */
  static async open(rowhouse, { name = 'rowhouse', storage, retries } = {}) {
    const used = await storageOf({ name, storage });
    const store = new OfflineStore(rowhouse, used, retries);
    await store.#load();
    if (!store.#key) {
      store.#key = `store/${newID()}`;
      store.#owner = { url: rowhouse.url };
      await used.write(new Map([[store.#key, store.#owner]]));
    } else if (store.#owner.url !== rowhouse.url) {
      used.close();
      throw new RowhouseError(`The store ${name} has the data of ${store.#owner.url}.`, { code: 'other_server' });
    }
    used.watch?.((keys) => store.#reload(keys));
    return store;
  }

  // Reads

  /** The revision of the server's rows that the view begins with; null before the first connection. */
  get revision() {
    return this.#base.revision;
  }

  /** A list's fields; undefined if it is not kept. */
  list(list = 'root') {
    return this.#view.lists.get(this.#id(list))?.list;
  }

  /** A list's rows with the sentinel; undefined if the list is not kept. Updates tell its changes from then on. */
  rows(list = 'root') {
    const id = this.#id(list);
    const record = this.#view.lists.get(id);
    if (record && !this.#opened.has(id)) this.#opened.set(id, { record, rows: shownRows(record) });
    return this.#opened.get(id)?.rows;
  }

  /**
   * The sums of everything below a list, including the contents of items, as `GET /v1/lists/{listId}?subtree=true` has
   * them: `{listCount, itemCount, totalValueInDollars}`. Undefined unless all lists below are kept.
   */
  subtree(list = 'root') {
    const id = this.#id(list);
    if (!this.#sums.has(id)) addSums(this.#view.lists, id, this.#sums);
    return this.#sums.get(id);
  }

  /** An item's details; undefined if it is not kept. */
  item(item) {
    return this.#view.items.get(item);
  }

  /** A row of a kept list; undefined if no kept list has it. */
  row(id) {
    return this.#view.row(id);
  }

  /** The id of the kept list that contains a row; null if there is none. */
  home(row) {
    return this.#view.home(row);
  }

  /** The file of a photo that was not sent yet, or of a notice about one. */
  async photo(id) {
    const key = `photo/${id}`;
    return (await this.#storage.read([key])).get(key);
  }

  /**
   * `connection`: `connecting`, `online`, `offline` or `stopped`, with the `error` that stopped it; `waiting`: the
   * entries of commands without an answer; `photos`: how many of them are photos.
   */
  get status() {
    const waiting = this.#queue().filter((entry) => entry.state !== 'done');
    const { state, error } = this.#connection;
    return { connection: state, error, waiting, photos: waiting.filter(isPhoto).length };
  }

  /** The commands that the server refused, with the `problem`, until the app dismisses them. */
  get refused() {
    return [...this.#notices.values()].filter((notice) => notice.outcome === 'refused');
  }

  /**
   * The commands that met changes of others, and those without a stored outcome, until the app dismisses them. `outcome`
   * is `merged` (`kept`, `position`), `overwrote` (`overwritten`), or `repeated`: done or refused, which the server no
   * longer knows.
   */
  get notices() {
    return [...this.#notices.values()].filter((notice) => notice.outcome !== 'refused');
  }

  dismiss({ id }) {
    const photo = this.#notices.get(id)?.command.id;
    this.#notices.delete(id);
    this.#notify(new Map());
    return this.#write([[`notice/${id}`, undefined], [`photo/${photo}`, undefined]]);
  }

  /**
   * Calls a function with each change: `{lists, status}`. `lists` maps the ids of lists, which were read by `rows`, to
   * updates like those of `ListMirror`. Returns a function that ends this.
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  // What is kept

  /** Keeps a list with all its rows. Resolves to its fields when it was read, or at once if it is kept. */
  async keep(list = 'root') {
    return (await this.#keep(this.#id(list), 'list')).list;
  }

  /** Keeps the details of an item. */
  keepItem(item) {
    return this.#keep(item, 'item');
  }

  /**
   * Keeps all lists, those that are created later too. Lists that would exceed `limit` rows in all are left out. Resolves
   * when all are read.
   */
  async keepAll({ limit = 10_000 } = {}) {
    this.#keepsAll = { limit };
    await this.#write([['all', this.#keepsAll]]);
    await this.keep('root');
    this.#keepAllBelow();
    const isRead = ([id, kind]) => kind !== 'list' || this.#view.lists.has(id);
    await this.#when(() => [...this.#kept].every(isRead) && this.#reading.size === 0);
  }

  /** Resolves when the store has the server's rows at a revision, such as that of a receipt, or at a later one. */
  async reached(revision) {
    await this.#when(() => this.#base.revision >= revision);
  }

  /** Resolves when the server has answered all commands. */
  async sent() {
    await this.#when(() => this.status.waiting.length === 0);
  }

  async #keep(given, kind) {
    const found = () => (kind === 'list' ? this.#view.lists : this.#view.items).get(this.#id(given));
    this.#missing.delete(given);
    if (!this.#kept.has(given)) {
      this.#addKept(given, kind);
      await this.#write([[`kept/${given}`, kind]]);
    }
    return found() ?? this.#when(() => {
      if (this.#missing.has(this.#id(given))) throw this.#missing.get(this.#id(given));
      return found();
    });
  }

  #addKept(id, kind) {
    this.#kept.set(id, kind);
    // A list that was forgotten a moment ago may still be shown.
    const known = this.#leads ? this.#incoming : this.#view;
    if (!known.lists.has(id) && !this.#isPending(id)) this.#dirty.add(id);
    this.#reads.ring();
  }

  #keepAllBelow() {
    for (const { rows } of this.#base.lists.values()) this.#keepBelow(rows);
  }

  /** Keeps the lists in these rows. */
  #keepBelow(rows) {
    // One that is being read, and may be answered to be gone, has come back: a delta without effect tells that.
    for (const row of rows) this.#reading.get(listIn(row))?.push({ toRevision: 0 });
    if (!this.#keepsAll) return;
    let count = 0;
    for (const record of (this.#leads ? this.#incoming : this.#base).lists.values()) count += record.rows.length;
    const changes = [];
    for (const row of rows) {
      const id = listIn(row);
      const size = row.list?.rowCount ?? 1;
      if (!id || this.#kept.has(id) || count + size > this.#keepsAll.limit) continue;
      count += size;
      this.#addKept(id, 'list');
      changes.push([`kept/${id}`, 'list']);
    }
    if (changes.length) this.#reliably(this.#write(changes));
  }

  // Changes

  /** Creates an item at an index of the rows of a list, or at its end. */
  createItem(list, draft, { at } = {}) {
    const position = at === undefined ? 'last' : this.#position(list, at);
    return this.#enqueue({ type: 'createItem', listId: this.#id(list), position, item: { id: newID(), ...draft } });
  }

  /** Creates a list in a list. It can be opened at once. */
  createList(list, draft, { at } = {}) {
    const position = at === undefined ? 'last' : this.#position(list, at);
    return this.#enqueue({ type: 'createList', listId: this.#id(list), position, list: { id: newID(), ...draft } });
  }

  /**
   * Changes the given members of an item (RFC 7396).
   *
   * @param options `seen`: the item as the person saw it when they began to edit, if the store may have got newer values
   *   since. The server compares with them, to tell what others have changed.
   */
  editItem(id, patch, { seen = this.#view.items.get(id) ?? this.#view.row(id)?.item ?? {} } = {}) {
    const from = Object.fromEntries(writable.filter((name) => name in seen).map((name) => [name, seen[name]]));
    return this.#enqueue({ type: 'editItem', id, patch, from });
  }

  /** Changes the given members of a list. `seen` as in `editItem`. */
  editList(list, patch, { seen = this.#view.lists.get(this.#id(list))?.list ?? this.#view.row(this.#id(list))?.list ?? {} } = {}) {
    const id = this.#id(list);
    const { title, itemKind, permissions, sentinel, deleteLabel, glyph, colour } = seen;
    const from = { title, itemKind, permissions, sentinel, deleteLabel, glyph, colour };
    return this.#enqueue({ type: 'editList', id, patch, from: JSON.parse(JSON.stringify(from)) });
  }

  /** Moves up to 100 rows to an index of a list, counted without the moved rows, as in `Rowhouse.moveRow`. */
  move(rows, list, at) {
    const ids = [rows].flat();
    if (ids.length < 1 || ids.length > rowsMovedAtOnce || new Set(ids).size < ids.length) {
      throw new RangeError(`Move 1 to ${rowsMovedAtOnce} different rows at once.`);
    }
    return this.#enqueue({ type: 'moveRows', ids, listId: this.#id(list), position: this.#position(list, at, ids) });
  }

  /** Deletes a row. A list with rows needs `recursive: true`, and so does an item whose contents have rows. */
  delete(id, { recursive = false } = {}) {
    return this.#enqueue({ type: 'delete', id, recursive });
  }

  /**
   * Restores a row to its old place, or to an index of a list. A row that this store did not delete is shown once the
   * server has restored it, or at once if you pass the `row`.
   */
  restore(id, { list, at, row } = {}) {
    const listId = list === undefined ? null : this.#id(list);
    const position = list === undefined || at === undefined ? null : this.#position(list, at);
    return this.#enqueue({ type: 'restore', id, listId, position }, row && { row });
  }

  /** Adds a photo (a `Blob` or a `File`) to an item. It is sent after the commands before it. */
  addPhoto(itemId, photo) {
    const id = newID();
    return this.#enqueue({ type: 'addPhoto', id, itemId }, {}, [[`photo/${id}`, photo]]);
  }

  /**
   * Undoes a command. One that was not sent leaves the queue, with the later ones about a row that it created: resolves
   * to all their entries. Others are undone by the server, which needs the network: resolves to the receipt.
   */
  async undo({ id }) {
    const first = this.#entries.get(id);
    if (first?.state === 'waiting') {
      const gone = this.#withDependents(first);
      this.#remove(gone);
      this.#refresh();
      const keys = gone.map((entry) => `waiting/${entry.id}`);
      if (await this.#write(this.#removal(gone), keys)) return gone;
      // Another page has sent one of them. Once the base has its effect, only the stored past shows that.
      await this.#reload(['past', ...gone.flatMap((each) => states.map((state) => `${state}/${each.id}`))]);
    }
    const entry = this.#entries.get(id) ?? this.#past.find((each) => each.id === id);
    if (entry?.state === 'sent') {
      throw new RowhouseError('The server has not answered the command yet.', { code: 'unreachable' });
    }
    if (!entry?.changed) throw new RowhouseError('There is nothing to undo.', { code: 'nothing_to_undo' });
    return this.#rowhouse.undo(entry.changed);
  }

  /**
   * Takes over the waiting commands and the notices of another store, and erases that store: for example that of a token
   * which was revoked. The server does the commands with the rights of this store's token. Waits while a page sends from
   * the other store. Resolves to the number of commands and notices. Throws `other_inventory` if the other store has the
   * data of another inventory.
   *
   * The server counts the commands of each token apart. So it does a sent command again that it had done, if its answer was
   * lost. That doubles nothing: a command creates a row or a photo with an id that the client chose, or says how a row is to
   * be afterwards. Done again, it changes nothing, or has the effect of one that arrives late.
   */
  async adopt(other) {
    this.#checkOpen();
    const storage = await storageOf(other);
    const lead = new AbortController();
    try {
      await storage.lead?.(lead.signal);
      const records = await storage.read();
      const [key, owner] = [...records].find(([each]) => each.startsWith('store/')) ?? [];
      if (key) this.#checkOwner(owner);
      // Those that were taken over before the page or the program ended, so that the other store was not erased.
      const mark = `adopted/${key}`;
      const known = (await this.#storage.read([mark])).get(mark) ?? [];
      const { ids, changes } = adopted(records, new Set(known));
      if (ids.length) {
        await this.#write([[mark, [...known, ...ids]], ...changes]);
        this.#take(changes);
        this.#refresh();
        this.#work.ring();
      }
      await storage.erase();
      await this.#write([[mark, undefined]]);
      return ids.length;
    } catch (error) {
      // Another page has taken everything over meanwhile, and erased the database.
      if (error.name === 'InvalidStateError') return 0;
      throw error;
    } finally {
      lead.abort();
      storage.close();
    }
  }

  /** Throws if another store has the data of another inventory. */
  #checkOwner({ url, inventoryId }) {
    const own = this.#owner;
    const isSameInventory = !inventoryId || !own.inventoryId || inventoryId === own.inventoryId;
    if (url === own.url && isSameInventory) return;
    throw new RowhouseError('The other store has the data of another inventory.', { code: 'other_inventory' });
  }

  #id(list) {
    return list === 'root' ? this.#owner.rootListId ?? 'root' : list;
  }

  #position(list, at, moved = []) {
    const rows = this.#view.lists.get(this.#id(list))?.rows;
    if (!rows) return 'last';
    const others = rows.filter((row) => !moved.includes(row.id));
    return positionAt(Math.min(Math.max(0, at), others.length), others);
  }

  /** Adds a command to the queue. */
  async #enqueue(command, extra = {}, files = []) {
    this.#check(command);
    this.#lastNumber = Math.max(Date.now(), this.#lastNumber + 1);
    const id = `${String(this.#lastNumber).padStart(15, '0')}-${newID().slice(0, 8)}`;
    const about = command.itemId ?? namedBy(command)[0];
    const made = command.item ? titleOf(command.item) : command.list?.title;
    const title = this.#view.row(about)?.title ?? made ?? this.list(about)?.title;
    const entry = { id, state: 'waiting', command, title: title ?? null, time: now(), ...extra };
    const created = createdBy(command);
    const kind = command.list ? 'list' : 'item';
    this.#entries.set(id, entry);
    this.#unstored.add(id);
    if (created) this.#kept.set(created, kind);
    this.#view.apply(command, entry);
    this.#show();
    try {
      await this.#write([[`waiting/${id}`, entry], ...(created ? [[`kept/${created}`, kind]] : []), ...files]);
    } catch (error) {
      this.#remove([entry]);
      this.#refresh();
      throw error;
    } finally {
      this.#unstored.delete(id);
      this.#work.ring();
    }
    return entry;
  }

  /** Throws for some commands that the server could not read. It refuses others; see `#narrow`. */
  #check(command) {
    this.#checkOpen();
    const mayBeRoot = (id) => id === 'root' && (id === command.listId || command.type === 'editList');
    const wrong = namedBy(command).find((id) => !isID(id) && !mayBeRoot(id));
    if (wrong !== undefined) throw new TypeError(`Not an id: ${wrong}`);
    if (command.patch !== undefined && !isObject(command.patch)) throw new TypeError('Pass an object of changes.');
    if (sizeOf(command) > batchLimit.bytes) throw new RangeError('The command is larger than a batch may be.');
  }

  #checkOpen() {
    if (this.#isErased) throw erasedError();
  }

  /** All entries in the order in which the server does them. */
  #queue() {
    const rank = (entry) => entry.rank ?? Number.MAX_SAFE_INTEGER;
    return [...this.#entries.values()].sort((left, right) => rank(left) - rank(right) || (left.id < right.id ? -1 : 1));
  }

  #withDependents(first) {
    const gone = [first];
    const created = new Set([createdBy(first.command)]);
    for (const entry of this.#queue()) {
      if (entry.state !== 'waiting' || entry.id <= first.id) continue;
      if (!namedBy(entry.command).some((id) => created.has(id))) continue;
      gone.push(entry);
      created.add(createdBy(entry.command));
    }
    return gone;
  }

  /** Removes from memory entries that the server has not done. */
  #remove(entries) {
    for (const { id, command } of entries) {
      this.#entries.delete(id);
      this.#kept.delete(createdBy(command));
      this.#dirty.delete(createdBy(command));
    }
  }

  #removal(entries) {
    return entries.flatMap(({ id, state, command }) => [
      [`${state}/${id}`, undefined], [`kept/${createdBy(command)}`, undefined],
      ...(command.type === 'addPhoto' ? [[`photo/${command.id}`, undefined]] : []),
    ]);
  }

  // Life

  /** Connects to the server, until `stop`. Of several pages with the same store, one connects for all. */
  start() {
    this.#checkOpen();
    if (this.#abort) return;
    this.#abort = new AbortController();
    globalThis.addEventListener?.('online', this.retryNow);
    globalThis.addEventListener?.('offline', this.#loseNetwork);
    this.#connection = { state: 'connecting', error: null };
    this.#show();
    // What the page says that sends now.
    if (this.#storage.watch) this.#reload(['connection']);
    this.#run(this.#abort.signal);
  }

  /** Disconnects. Changes are still possible. Resolves when everything is stored. */
  async stop() {
    await this.#disconnect({ state: 'stopped', error: null });
  }

  /** Stops, and gives the storage back. */
  async close() {
    await this.stop();
    await this.#written();
    this.#storage.close();
  }

  /** Tries to reach the server at once. Browsers call this when the network is back. */
  retryNow = () => {
    if (this.#connection.state !== 'online') this.#stream?.abort();
    this.#network.ring();
  };

  /** Browsers call this when the network is gone. A stream would notice that later. */
  #loseNetwork = () => {
    this.#stream?.abort();
    if (this.#leads) this.#setConnection({ state: 'offline' });
  };

  /** Erases everything that is stored, also what was not sent. Look at `status.waiting` before. */
  async signOut() {
    this.#erased();
    await this.#written();
    await this.#storage.erase();
  }

  #erased() {
    this.#isErased = true;
    this.#disconnect({ state: 'stopped', error: erasedError() }).catch(() => {});
    clearTimeout(this.#timer);
    for (const map of [this.#entries, this.#notices, this.#kept]) map.clear();
    this.#unflushed.clear();
    this.#past = [];
    this.#base = { revision: null, lists: new Map(), items: new Map() };
    this.#refresh();
  }

  async #run(signal) {
    try {
      this.#lead = new AbortController();
      await this.#storage.lead?.(this.#lead.signal);
      signal.throwIfAborted();
      // Another page may have been the one that sends.
      if (this.#storage.lead) await this.#load();
      signal.throwIfAborted();
      this.#leads = true;
      this.#isIdentified = false;
      this.#setConnection({ state: 'connecting' });
      this.#refresh();
      await Promise.all([this.#follow(signal), this.#send(signal), this.#read(signal)]);
    } catch (error) {
      if (signal.aborted) return;
      await this.#disconnect({ state: 'stopped', error }).catch(() => {});
      if (error.code === 'other_page') this.start();
    }
  }

  async #disconnect(connection) {
    const lead = this.#lead;
    globalThis.removeEventListener?.('online', this.retryNow);
    globalThis.removeEventListener?.('offline', this.#loseNetwork);
    this.#abort?.abort();
    this.#stream?.abort();
    this.#abort = null;
    this.#leads = false;
    for (const bell of [this.#work, this.#reads, this.#network]) bell.ring();
    if (connection.error) {
      for (const waiter of this.#waiters) waiter.fail(connection.error);
      this.#waiters.clear();
    }
    this.#setConnection(connection);
    // The next page begins with what this one knows, and must not see its numbers late.
    await this.#flush().finally(() => this.#written()).finally(() => lead?.abort());
  }

  #setConnection({ state, error = null }) {
    if (this.#connection.state === state && this.#connection.error === error) return;
    this.#connection = { state, error };
    this.#work.ring();
    if (this.#leads && this.#storage.watch) this.#reliably(this.#write([['connection', state]]));
    this.#notify(new Map());
  }

  /** Waits after a failure. Throws errors that do not pass. */
  async #pause(error, failures, signal) {
    signal.throwIfAborted();
    if (!isPassing(error)) throw error;
    if (error.code === 'unreachable') this.#setConnection({ state: 'offline' });
    const asked = 1000 * Math.min(error.retryAfter ?? 0, 300);
    await Promise.race([this.#network.next, delay(Math.max(backoff(failures, this.#retries), asked), signal)]);
    signal.throwIfAborted();
  }

  // Events

  async #follow(signal) {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const stream = new AbortController();
      this.#stream = stream;
      try {
        if (!this.#isIdentified) await this.#identify(stream.signal);
        const since = this.#incoming.revision ?? undefined;
        const lost = () => this.#setConnection({ state: 'offline' });
        for await (const event of this.#rowhouse.events({ since, signal: stream.signal, lost })) {
          signal.throwIfAborted();
          failures = 0;
          if (event.type === 'gone') throw new RowhouseError('The inventory is gone.', { code: 'gone' });
          // An import may have replaced everything.
          if (event.type === 'resync') await this.#identify(stream.signal);
          this.#takeEvent(event);
        }
      } catch (error) {
        signal.throwIfAborted();
        if (stream.signal.aborted) continue;
        failures += 1;
        await this.#pause(error, failures, signal);
      }
    }
  }

  /** Compares the server's inventory with the one in the store. */
  async #identify(signal) {
    const { inventoryId, rootListId, tokenId } = await this.#rowhouse.with({ retries: { attempts: 1 } }).me({ signal });
    const known = this.#owner;
    const isOtherRoot = known.rootListId !== undefined && known.rootListId !== rootListId;
    // The same token has another root list after an import that replaced everything.
    if ((known.inventoryId ?? inventoryId) !== inventoryId || (isOtherRoot && known.tokenId !== tokenId)) {
      throw new RowhouseError('The store has the data of another inventory or list.', { code: 'other_inventory' });
    }
    this.#owner = { ...known, inventoryId, rootListId, tokenId };
    const changes = [[this.#key, this.#owner]];
    if (this.#kept.delete('root') || (isOtherRoot && this.#kept.has(known.rootListId))) {
      this.#dirty.delete('root');
      this.#addKept(rootListId, 'list');
      changes.push(['kept/root', undefined], [`kept/${rootListId}`, 'list']);
    }
    // Commands that were given before the first connection.
    for (const entry of this.#queue()) {
      const names = ['listId', 'id'].filter((name) => entry.command[name] === 'root');
      if (entry.state !== 'waiting' || !names.length) continue;
      const named = { ...entry, command: { ...entry.command, ...Object.fromEntries(names.map((name) => [name, rootListId])) } };
      this.#entries.set(entry.id, named);
      changes.push([`waiting/${entry.id}`, named]);
    }
    await this.#write(changes);
    this.#isIdentified = true;
    this.#work.ring();
  }

  #takeEvent(event) {
    this.#setConnection({ state: 'online' });
    this.#network.ring();
    const mayHide = event.type === 'change' && this.#mayHide(event);
    if (event.type === 'change') {
      for (const delta of event.deltas) this.#takeDelta(delta);
      for (const id of event.items) {
        this.#adopt(id, event.revision);
        this.#markDirty(id);
      }
    } else if (event.type === 'resync') {
      this.#markAllDirty();
      // A server with an older database counts from there.
      for (const entry of this.#entries.values()) entry.revision &&= Math.min(entry.revision, event.revision);
    }
    this.#incoming.revision = event.revision;
    if (mayHide) this.#markUnseen();
    this.#reads.ring();
    this.#settle();
  }

  /** Whether lists may have left sight in an event. Those below a deleted list or item are not named in it. */
  #mayHide({ lists, items, deltas }) {
    const told = new Set(deltas.map((delta) => delta.listId));
    if (lists.some((id) => !told.has(id))) return true;
    const ready = [...this.#incoming.lists.values()].filter(({ list }) => this.#isReady(list.id));
    const isRow = (id) => ready.some(({ rows }) => rows.some((row) => row.id === id));
    // A list that was also purged is not named, and of an item only its own id.
    return deltas.some(({ listId, deletes = [] }) => {
      const known = ready.find(({ list }) => list.id === listId);
      return known && deletes.some((index) => listIn(known.rows[index]));
    }) || ready.some(({ list }) => items.includes(list.itemId) && !isRow(list.itemId));
  }

  /**
   * Marks lists and items as unread if no path of kept rows leads to them from the root list. The server does not say
   * what else had changed in a list that left sight, so the store would show old rows once it is back.
   */
  #markUnseen() {
    const seen = new Set();
    const next = [this.#owner.rootListId];
    while (next.length) {
      const id = next.pop();
      if (seen.has(id) || !this.#isReady(id)) continue;
      seen.add(id);
      next.push(...this.#incoming.lists.get(id).rows.map(listIn).filter(Boolean));
    }
    const { lists, items } = this.#incoming;
    for (const id of [...lists.keys(), ...this.#reading.keys()]) if (!seen.has(id)) this.#markDirty(id);
    for (const [id, { listId }] of items) if (!seen.has(listId)) this.#markDirty(id);
  }

  #takeDelta(delta) {
    const id = delta.listId;
    if (this.#kept.get(id) !== 'list') return;
    if (this.#reading.has(id)) return void this.#reading.get(id).push(delta);
    const record = this.#incoming.lists.get(id);
    const after = record && !this.#dirty.has(id) ? recordAfter(record, delta, this.#incoming.revision) : null;
    if (!after) return this.#markDirty(id);
    this.#incoming.lists.set(id, after);
    this.#keepBelow([...delta.inserts, ...delta.reloadsAfter].map(({ row }) => row));
  }

  /** Takes an item that the queue has created into the base, until it is read. */
  #adopt(id, revision) {
    const item = this.#view.items.get(id);
    if (item && this.#kept.has(id) && !this.#incoming.items.has(id)) this.#incoming.items.set(id, { ...item, revision });
  }

  /** Notes that a kept list or item must be read. */
  #markDirty(id) {
    if (!this.#kept.has(id)) return;
    if (this.#reading.has(id)) this.#reading.get(id).push({ resync: true });
    else this.#dirty.add(id);
    this.#reads.ring();
  }

  #markAllDirty() {
    for (const id of this.#kept.keys()) this.#markDirty(id);
  }

  /** Whether the server may not have done the command that creates this row. */
  #isPending(id) {
    return [...this.#entries.values()].some((entry) => entry.state !== 'done' && createdBy(entry.command) === id);
  }

  async #read(signal) {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const bell = this.#reads.next;
      // Details of items must not delay commands.
      const isBusy = [...this.#entries.values()].some((entry) => entry.state !== 'done' && !isPhoto(entry));
      const ids = [...this.#dirty].filter((id) => !isBusy || this.#kept.get(id) === 'list').slice(0, readersAtOnce);
      if (this.#incoming.revision === null || !ids.length) {
        await bell;
        continue;
      }
      try {
        await Promise.all(ids.map((id) => this.#readOne(id, signal)));
        signal.throwIfAborted();
        failures = 0;
        this.#setConnection({ state: 'online' });
      } catch (error) {
        failures += 1;
        await this.#pause(error, failures, signal);
      }
    }
  }

  async #readOne(id, signal) {
    const deltas = [];
    this.#dirty.delete(id);
    this.#reading.set(id, deltas);
    try {
      if (this.#kept.get(id) === 'list') {
        const { list, rows } = await readList(this.#rowhouse, id, signal);
        signal.throwIfAborted();
        const ordered = [...rows.keys()].sort((left, right) => left - right).map((index) => rows.get(index));
        let record = { list: counted(list, ordered), rows: ordered, seenAt: await this.#seenAt(list, signal) };
        signal.throwIfAborted();
        for (const delta of deltas) record &&= recordAfter(record, delta);
        if (record) this.#incoming.lists.set(id, record);
        else this.#dirty.add(id);
        this.#keepBelow(ordered);
      } else {
        const item = await this.#rowhouse.item(id, { signal });
        signal.throwIfAborted();
        this.#incoming.items.set(id, item);
        if (deltas.length) this.#dirty.add(id);
      }
    } catch (error) {
      if (signal.aborted || !error.isMissing) {
        this.#dirty.add(id);
        throw error;
      }
      if (deltas.length) this.#dirty.add(id);
      else if (!this.#isPending(id)) this.#forget(id, error);
    } finally {
      if (this.#reading.get(id) === deltas) this.#reading.delete(id);
    }
    this.#settle();
  }

  /**
   * The revision at which a list that was just read was in sight, if no kept row leads to it. Its own revision does not
   * tell: a restored list may have an old one.
   */
  async #seenAt({ parentId, itemId }, signal) {
    if (!parentId && !itemId) return undefined;
    const above = parentId ?? this.#view.home(itemId);
    if (this.#kept.has(above) && this.#view.lists.has(above)) return undefined;
    const { changes } = await this.#rowhouse.log({ limit: 1, signal });
    return changes[0]?.revision;
  }

  /** Takes a list or an item that the server no longer shows out of the base. */
  #forget(id, error) {
    const inside = new Set(this.#incoming.lists.get(id)?.rows.map((row) => row.id));
    this.#kept.delete(id);
    this.#missing.set(id, error);
    this.#incoming.lists.delete(id);
    this.#incoming.items.delete(id);
    this.#reliably(this.#write([[`kept/${id}`, undefined]]));
    for (const [below, { list }] of this.#incoming.lists) {
      if (list.parentId === id || inside.has(list.itemId)) this.#markDirty(below);
    }
    for (const [item, { listId }] of this.#incoming.items) if (listId === id) this.#markDirty(item);
  }

  #isReady(id) {
    const record = this.#incoming.lists.get(id);
    return record && !this.#dirty.has(id) && !this.#reading.has(id)
      && Math.max(record.list.revision, record.seenAt ?? 0) <= this.#incoming.revision;
  }

  /** Whether a list that the view shows must be read before the base can move. */
  #isBlocking(id) {
    const isAhead = this.#dirty.has(id) || this.#reading.has(id) || this.#incoming.lists.has(id);
    return this.#view.lists.has(id) && isAhead && !this.#isReady(id);
  }

  /** The lists of the next base. One that was read later may have been in the trash at its revision. */
  #readyLists() {
    const ready = new Map([...this.#incoming.lists].filter(([id]) => this.#isReady(id)));
    const placed = new Set();
    for (const [id, { rows }] of ready) for (const row of rows) if (row.list) placed.add(`${id}/${row.id}`);
    const isHidden = ({ id, parentId }) =>
      ready.has(parentId) && (!placed.has(`${parentId}/${id}`) || isHidden(ready.get(parentId).list));
    return new Map([...ready].filter(([, { list }]) => !isHidden(list)));
  }

  /** Makes the incoming base the base, once all lists in it are at one revision. */
  #settle() {
    const { revision, items } = this.#incoming;
    // Another page may lead by now.
    if (!this.#leads || revision === null || [...this.#kept.keys()].some((id) => this.#isBlocking(id))) return;
    const old = this.#base;
    const ready = this.#readyLists();
    const details = new Map([...items].map(([id, item]) => [id, item.revision <= revision ? item : old.items.get(id)])
      .filter(([, item]) => item));
    const keys = [...changedKeys('list', old.lists, ready), ...changedKeys('item', old.items, details)];
    if (revision === old.revision && !keys.length) return this.#answerWaiters();
    this.#base = { revision, lists: ready, items: details };
    this.#mark(keys);
    this.#refresh();
  }

  // Sending

  async #send(signal) {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const bell = this.#work.next;
      try {
        if (!this.#isIdentified) {
          await bell;
          continue;
        }
        const batch = await this.#nextBatch();
        const photo = batch.length ? null : await this.#nextPhoto();
        const isHeldBack = this.#connection.state === 'offline' && this.status.waiting.length > 0;
        if (batch.length) await this.#sendBatch(batch, signal);
        else if (photo) await this.#sendPhoto(photo, signal);
        // Some networks let calls through, but no event streams.
        else if (isHeldBack) await this.#rowhouse.with({ retries: { attempts: 1 } }).me({ signal });
        else {
          await bell;
          continue;
        }
        signal.throwIfAborted();
        failures = 0;
        this.#setConnection({ state: 'online' });
      } catch (error) {
        failures += 1;
        await this.#pause(error, failures, signal);
      }
    }
  }

  /** The commands to send: those without an answer, or the next ones, with their numbers stored. */
  async #nextBatch() {
    const queue = this.#queue();
    const unanswered = queue.filter((entry) => entry.state === 'sent' && !isPhoto(entry));
    // What is numbered can no longer be taken out of the queue.
    if (unanswered.length || this.#connection.state === 'offline') return unanswered.slice(0, this.#mostAtOnce);
    this.#mostAtOnce = batchLimit.commands;
    const batch = [];
    let isBehindPhoto = false;
    let bytes = 0;
    for (const entry of queue.filter((each) => each.state === 'waiting')) {
      if (this.#unstored.has(entry.id)) break;
      if (isPhoto(entry)) {
        isBehindPhoto = true;
        continue;
      }
      bytes += sizeOf(entry.command) + 100;
      const isFull = batch.length === batchLimit.commands || (batch.length && bytes > batchLimit.bytes);
      if (isFull || (isBehindPhoto && mayRefusePhotos(entry.command))) break;
      batch.push(entry);
    }
    return this.#markSent(batch);
  }

  /** The first photo that the server does not have, once no command can be sent before it. */
  async #nextPhoto() {
    const photo = this.#queue().find((entry) => entry.state !== 'done' && isPhoto(entry));
    if (!photo || this.#unstored.has(photo.id)) return null;
    if (photo.state === 'sent') return photo;
    return this.#connection.state === 'offline' ? null : (await this.#markSent([photo]))[0];
  }

  async #markSent(waiting) {
    if (!waiting.length) return [];
    const before = this.#client;
    const client = { ...before };
    const changes = [['client', client]];
    const sent = waiting.map((entry) => {
      const numbered = { ...entry, state: 'sent', rank: entry.rank ?? client.rank };
      client.rank += 1;
      if (!isPhoto(entry)) {
        numbered.sequence = client.next;
        client.next += 1;
      }
      this.#entries.set(entry.id, numbered);
      changes.push([`waiting/${entry.id}`, undefined], [`sent/${entry.id}`, numbered]);
      return numbered;
    });
    this.#client = client;
    this.#fresh = new Set(sent.map((entry) => entry.id));
    if (await this.#write(changes, waiting.map((entry) => `waiting/${entry.id}`))) return sent;
    // Another page has undone one of them.
    this.#client = before;
    for (const entry of waiting) this.#entries.set(entry.id, entry);
    await this.#reload(waiting.map((entry) => `waiting/${entry.id}`));
    return [];
  }

  async #sendBatch(batch, signal) {
    const fresh = this.#fresh;
    this.#fresh = new Set();
    const commands = batch.map(({ sequence, command }) => ({ sequence, ...command }));
    let answer;
    try {
      const once = this.#rowhouse.with({ retries: { attempts: 1 } });
      answer = await once.sync({ clientId: this.#client.id, commands }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error.code === 'sequence_gap') return this.#beginAnew(batch);
      if (!isUnreadBatch(error) || (batch.length === 1 && !error.problem)) throw error;
      return this.#narrow(batch, error.problem);
    }
    signal.throwIfAborted();
    await this.#takeAnswer(batch, answer, fresh);
    if (answer.problem?.code === 'sequence_gap') return this.#beginAnew(this.#sent(batch));
    if (answer.problem) throw problemError(answer.problem);
  }

  /**
   * Finds the command for which the server refuses a whole batch, by sending half of it. If it is the only one, notes that
   * it is refused. The server has used neither its number nor those of the commands behind it.
   */
  async #narrow(batch, problem) {
    if (batch.length > 1) {
      this.#mostAtOnce = Math.ceil(batch.length / 2);
      return;
    }
    const [entry] = batch;
    const errors = problem.errors?.map((error) => ({ ...error, pointer: error.pointer?.replace('/commands/0', '') }));
    const changes = this.#finish(entry, { outcome: 'refused', problem: { ...problem, ...(errors && { errors }) } });
    const behind = this.#queue().filter((each) => each.state === 'sent' && !isPhoto(each));
    const stored = this.#renumber(behind, { next: entry.sequence }, changes);
    this.#refresh();
    await stored;
    this.#settle();
  }

  /**
   * Sends commands again as a new client. Either the server has lost commands, and so maybe others' changes too, or a
   * copy of this store has used the numbers.
   */
  #beginAnew(batch) {
    this.#markAllDirty();
    return this.#renumber(batch);
  }

  /** The commands of a batch that have no outcome yet. */
  #sent(batch) {
    return batch.filter((entry) => this.#entries.get(entry.id)?.state === 'sent');
  }

  async #takeAnswer(batch, answer, fresh) {
    const outcomes = new Map(answer.outcomes.map((outcome) => [outcome.sequence, outcome]));
    const changes = [];
    const repeated = [];
    for (const entry of batch) {
      const outcome = outcomes.get(entry.sequence);
      if (!outcome) continue;
      if (outcome.outcome === 'repeated' && fresh.has(entry.id)) repeated.push(entry);
      else changes.push(...this.#finish(entry, outcome, outcome.revision ?? answer.revision));
    }
    changes.push(['past', this.#past]);
    const stored = this.#write(changes);
    this.#refresh();
    await stored;
    this.#reads.ring();
    // Another store with the same client id has used these numbers: one of the two is a copy.
    if (repeated.length) await this.#renumber(this.#sent(batch));
    else this.#settle();
  }

  /** Notes the outcome of a command. Returns what to store. */
  #finish(entry, { outcome: answered, problem = null, revision: changed = null, ...details }, revision) {
    const { id, command, title, time } = entry;
    const changes = [[`sent/${id}`, undefined]];
    const created = createdBy(command);
    // An earlier attempt has created the row, which was moved or removed since.
    const isThere = entry.isRepeated && created && problem?.status === 409 && ['id_taken', 'in_trash'].includes(problem.code);
    const outcome = isThere ? 'done' : answered;
    if (outcome !== 'done') {
      const notice = { ...details, id, command, title, time, outcome, problem, changed };
      this.#notices.set(id, notice);
      changes.push([`notice/${id}`, notice]);
    }
    if (outcome === 'refused') {
      this.#remove([entry]);
      if (created) changes.push([`kept/${created}`, undefined]);
      return changes;
    }
    const done = { ...entry, state: 'done', revision, changed };
    this.#entries.set(id, done);
    changes.push([`done/${id}`, done]);
    if (changed) this.#past = [...this.#past, { id, command, title, time, state: 'done', changed }].slice(-pastLimit);
    if (isPhoto(entry)) changes.push([`photo/${command.id}`, undefined]);
    if (command.item && changed) this.#adopt(created, revision);
    else if (created && !this.#incoming.lists.has(created)) this.#markDirty(created);
    return changes;
  }

  /** Lets these commands get new numbers: by default from 1, as those of a new client. Stores other changes, too. */
  async #renumber(batch, client = { id: newID(), next: 1 }, changes = []) {
    this.#client = { ...this.#client, ...client };
    changes.push(['client', this.#client]);
    for (const { sequence, ...entry } of batch) {
      const waiting = { ...entry, state: 'waiting' };
      this.#entries.set(entry.id, waiting);
      changes.push([`sent/${entry.id}`, undefined], [`waiting/${entry.id}`, waiting]);
    }
    await this.#write(changes);
  }

  async #sendPhoto(entry, signal) {
    const { id, itemId } = entry.command;
    const once = this.#rowhouse.with({ retries: { attempts: 1 } });
    const photo = await this.photo(id);
    let outcome;
    try {
      const { receipt } = await once.addPhoto(itemId, photo, { id, idempotencyKey: id, signal });
      outcome = { outcome: 'done', revision: receipt.revision };
    } catch (error) {
      signal.throwIfAborted();
      if (isPassing(error) || error.status === 401 || !error.problem) throw error;
      outcome = { outcome: 'refused', problem: error.problem };
    }
    signal.throwIfAborted();
    const changes = this.#finish(entry, outcome, outcome.revision);
    changes.push(['past', this.#past]);
    const stored = this.#write(changes);
    this.#refresh();
    await stored;
    this.#settle();
    if (outcome.outcome === 'done') this.#sendRenditions(entry.command, photo);
  }

  /** Sends what spares others a large photo. Nothing depends on it, so it is tried once. */
  async #sendRenditions({ id, itemId }, photo) {
    try {
      for (const [size, rendition] of await makeRenditions(photo)) await this.#rowhouse.addRendition(itemId, id, size, rendition);
    } catch (error) {
      if (!(error instanceof RowhouseError)) throw error;
    }
  }

  // Storage

  /** Writes records when all writes before are done. Those that wait for the same write share a transaction. */
  #write(changes, needed = null) {
    if (this.#isErased) return Promise.reject(erasedError());
    const group = !needed && this.#group ? this.#group : { changes: new Map(), done: null };
    for (const [key, value] of changes) group.changes.set(key, packed(key, value));
    this.#group = needed ? null : group;
    if (!group.done) {
      group.done = this.#writes.catch(() => {}).then(async () => {
        if (this.#group === group) this.#group = null;
        const isWritten = await this.#storage.write(group.changes, [this.#key, ...(needed ?? [])]);
        if (!isWritten && !needed) {
          this.#erased();
          this.#checkOpen();
        }
        return isWritten;
      });
      this.#writes = group.done;
    }
    return group.done;
  }

  /** Resolves when all that was to be written is, or has failed. */
  async #written() {
    for (let writes; writes !== this.#writes;) await (writes = this.#writes).catch(() => {});
  }

  /** A write that fails ends the connection, because the store can no longer keep what the server says. */
  #reliably(write) {
    write.catch((error) => this.#disconnect({ state: 'stopped', error })).catch(() => {});
  }

  /** Notes records of the base that have changed. They are stored soon. */
  #mark(keys) {
    for (const key of keys) this.#unflushed.add(key);
    this.#timer ??= setTimeout(() => this.#reliably(this.#flush()), flushDelay);
  }

  async #flush() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#unflushed.size || this.#isErased) return;
    const { revision, lists, items } = this.#base;
    // Details of items may be older than the base.
    const unread = [...this.#dirty, ...this.#reading.keys()].filter((id) => items.has(id));
    const changes = [['base', { revision, unread }]];
    for (const key of this.#unflushed) {
      const [kind, id] = key.split('/');
      changes.push([key, kind === 'list' ? lists.get(id) : kind === 'item' ? items.get(id) : undefined]);
    }
    this.#unflushed.clear();
    await this.#write(changes);
  }

  /** Reads everything that is stored. */
  async #load() {
    const stored = [...this.#entries.keys()].filter((id) => !this.#unstored.has(id));
    const records = await this.#storage.read();
    for (const id of stored) this.#entries.delete(id);
    this.#notices.clear();
    this.#base = { revision: null, lists: new Map(), items: new Map() };
    this.#take(records);
    const { revision, lists, items } = this.#base;
    // What was forgotten after this base was stored is in it: only what is kept follows the events from here.
    for (const [kind, known] of [['list', lists], ['item', items]]) {
      for (const id of known.keys()) if (!this.#kept.has(id)) this.#kept.set(id, kind);
    }
    this.#incoming = { revision, lists: new Map(lists), items: new Map(items) };
    this.#refresh();
    this.#markUnread();
  }

  /** Notes what is kept and was never read. */
  #markUnread() {
    for (const [id, kind] of this.#kept) {
      const known = kind === 'list' ? this.#incoming.lists : this.#incoming.items;
      if (!known.has(id) && !this.#isPending(id)) this.#markDirty(id);
    }
  }

  /** Takes over what another page has stored. */
  async #reload(keys) {
    if (this.#isErased) return;
    if (!keys) return this.#erased();
    const records = await this.#storage.read(keys);
    if (this.#isErased) return;
    this.#take(keys.map((key) => [key, records.get(key)]));
    this.#markUnread();
    if (keys.includes('all')) this.#keepAllBelow();
    this.#work.ring();
    this.#refresh();
  }

  /** Takes records over. An entry with a new state has another key, so removals come first. */
  #take(records) {
    const base = { revision: this.#base.revision, lists: new Map(this.#base.lists), items: new Map(this.#base.items) };
    const put = (map, id, value) => (value === undefined ? map.delete(id) : map.set(id, value));
    const isKept = ([, value]) => Number(value !== undefined);
    for (const [key, record] of [...records].sort((left, right) => isKept(left) - isKept(right))) {
      const [kind, id] = key.split('/');
      const value = unpacked(record);
      // The page that sends knows these best.
      if (this.#leads && ['base', 'list', 'item', 'client', 'past', 'connection'].includes(kind)) continue;
      switch (kind) {
        case 'store': [this.#key, this.#owner] = [key, value]; break;
        case 'connection': if (this.#abort) this.#connection = { state: value, error: null }; break;
        case 'client': this.#client = value; break;
        case 'past': this.#past = value; break;
        case 'all': this.#keepsAll = value; break;
        case 'base':
          base.revision = value.revision;
          for (const id of value.unread ?? []) this.#dirty.add(id);
          break;
        case 'list': put(base.lists, id, value); break;
        case 'item': put(base.items, id, value); break;
        case 'kept': put(this.#kept, id, value); break;
        case 'notice': put(this.#notices, id, value); break;
        case 'waiting': case 'sent': case 'done':
          if (value !== undefined || this.#entries.get(id)?.state === kind) put(this.#entries, id, value);
          this.#lastNumber = Math.max(this.#lastNumber, parseInt(id, 10));
      }
    }
    this.#base = base;
  }

  // Updates

  /** Makes the view again, without the commands whose effect the base has. */
  #refresh() {
    const isInBase = (entry) => entry.state === 'done' && entry.revision <= this.#base.revision;
    for (const { id } of this.#leads ? this.#queue().filter(isInBase) : []) {
      this.#entries.delete(id);
      this.#mark([`done/${id}`]);
    }
    this.#view = new View(this.#base, this.#queue().filter((entry) => !isInBase(entry)));
    this.#show();
  }

  /** Tells subscribers what has changed in the view. */
  #show() {
    this.#sums.clear();
    const updates = new Map();
    for (const [id, { record: before, rows }] of this.#opened) {
      const record = this.#view.lists.get(id);
      if (record === before) continue;
      if (!record) {
        this.#opened.delete(id);
        updates.set(id, { type: 'gone', rows, list: before.list, revision: before.list.revision });
        continue;
      }
      const batch = batchBetween(before.rows, record.rows);
      const isSameList = isSame(before.list, record.list, ['revision', 'createdAt', 'updatedAt']);
      const isSameEnd = isSame(before.list.sentinel, record.list.sentinel);
      const opened = { record, rows: batch || !isSameEnd ? shownRows(record) : rows };
      this.#opened.set(id, opened);
      if (!batch && isSameList) continue;
      const update = { rows: opened.rows, list: record.list, revision: record.list.revision };
      const nothing = { deletes: [], inserts: [], moves: [], reloads: [], reconfigures: [] };
      updates.set(id, isSameEnd ? { type: 'batch', ...(batch ?? nothing), ...update } : { type: 'all', ...update });
    }
    this.#notify(updates);
    this.#answerWaiters();
  }

  #notify(lists) {
    if (!this.#listeners.size) return;
    const { status } = this;
    for (const listener of [...this.#listeners]) {
      try {
        listener({ lists, status });
      } catch (error) {
        // A subscriber's error must not leave the others behind. It is reported like that of an event listener.
        if (globalThis.reportError) reportError(error);
        else queueMicrotask(() => { throw error; });
      }
    }
  }

  /** Resolves to the first value of a condition that is not falsy. Fails when the store stops for an error. */
  #when(condition) {
    return new Promise((done, fail) => {
      this.#waiters.add({ condition, done, fail });
      this.#answerWaiters();
    });
  }

  #answerWaiters() {
    for (const waiter of [...this.#waiters]) {
      try {
        const value = waiter.condition();
        if (!value) continue;
        waiter.done(value);
      } catch (error) {
        waiter.fail(error);
      }
      this.#waiters.delete(waiter);
    }
  }
}

/** The kinds of records that can have custom fields. */
const withFields = new Set(['item', 'notice', 'waiting', 'sent', 'done']);

/** A record as it is stored, in plain JSON. Exact numbers are rounded, and `exact` has their texts: `[[path, text]]`. */
function packed(key, record) {
  if (!record || !withFields.has(key.split('/')[0])) return record;
  const exact = [];
  const plain = (value, path) => {
    if (value instanceof ExactNumber) exact.push([path, value.text]);
    if (value instanceof Number) return Number(value);
    if (Array.isArray(value)) return value.map((member, index) => plain(member, [...path, index]));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, [...path, name])]));
  };
  const copy = plain(record, []);
  return exact.length ? { ...copy, exact } : record;
}

/** The record that was stored. */
function unpacked(stored) {
  if (!stored?.exact) return stored;
  const { exact, ...record } = structuredClone(stored);
  for (const [path, text] of exact) {
    const home = path.slice(0, -1).reduce((value, name) => value[name], record);
    home[path.at(-1)] = new ExactNumber(text);
  }
  return record;
}

/** The commands and notices among another store's records, except the known ones: their ids, and what to store of them. */
function adopted(records, known) {
  const [ids, changes] = [[], []];
  for (const [key, record] of records) {
    const [kind, id] = key.split('/');
    if (!['waiting', 'sent', 'notice'].includes(kind) || known.has(id)) continue;
    // The numbers are those of the other store.
    const { sequence, rank, ...entry } = unpacked(record);
    const { command } = entry;
    const created = createdBy(command);
    ids.push(id);
    if (kind === 'notice') changes.push([key, entry]);
    else changes.push([`waiting/${id}`, { ...entry, state: 'waiting', ...(kind === 'sent' ? { isRepeated: true } : {}) }]);
    if (kind !== 'notice' && created) changes.push([`kept/${created}`, command.list ? 'list' : 'item']);
    if (isPhoto(entry)) changes.push([`photo/${command.id}`, records.get(`photo/${command.id}`)]);
  }
  return { ids, changes };
}

/** The keys of records that differ between two maps. */
function changedKeys(kind, before, after) {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).map((id) => `${kind}/${id}`);
}
