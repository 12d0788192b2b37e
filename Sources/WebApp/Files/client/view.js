/**
 * What an app sees while commands wait: the server's rows with the commands applied. `offline.js` uses this module. It has
 * no network and no disk.
 */
import { deltaFits } from './rowhouse.js';

// Rows

const all = { add: true, edit: true, move: true, delete: true };
const sentinelText = 'No more items!';
const deleteText = 'Remove';
const noCar = { make: null, model: null, year: null, fuelAmount: null };
export const writable = ['name', 'serialNumber', 'valueInDollars', 'quantity', 'notes', 'tags', 'fields', 'car'];
const unset = { quantity: 1, tags: [], fields: {} };

/** Whether a value is an object of JSON. An `ExactNumber` is none. */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number);
const trimmed = (value) => (typeof value === 'string' ? value.trim() : value);

/** Whether two values of JSON are equal. The members `ignored` of the outer objects may differ. */
export function isSame(left, right, ignored = []) {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (left instanceof Number || right instanceof Number) return String(left) === String(right);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left).filter((name) => !ignored.includes(name));
  return names.length === Object.keys(right).filter((name) => !ignored.includes(name)).length
    && names.every((name) => name in right && isSame(left[name], right[name]));
}

/** A value after a merge patch (RFC 7396). As on the server, a null of the patch keeps a member that is null. */
function patched(value, patch) {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, wanted] of Object.entries(patch)) {
    if (wanted !== null) members.set(name, patched(members.get(name), wanted));
    else if (members.get(name) !== null) members.delete(name);
  }
  return Object.fromEntries(members);
}

/** The most tags of an item. */
const mostTags = 50;

/** The present tags with what an edit that began with `started` adds, and without what it removes. */
export function mergedTags(present, wanted, started) {
  const left = present.filter((tag) => !started.includes(tag) || wanted.includes(tag));
  return [...left, ...wanted.filter((tag) => !started.includes(tag) && !left.includes(tag))];
}

/** The tags after an edit. As on the server, what others have added or removed since it began stays so, unless there are too many. */
function editedTags(present, wanted, started) {
  const merged = mergedTags(present, wanted, started);
  return isSame(present, started) || merged.length > mostTags ? wanted : merged;
}

/** An item, or its summary in a row, after an edit. `from` has the values that the edit began with; of a new item there are none. */
function editedItem(item, patch, from) {
  const result = { ...item };
  for (const name of writable.filter((each) => each in item && each in patch)) {
    const wanted = patch[name];
    if (name === 'car') {
      const parts = Object.entries(wanted ?? noCar).map(([part, value]) => [part, trimmed(value)]);
      if (item.car) result.car = { ...item.car, ...Object.fromEntries(parts) };
    } else if (name === 'fields') {
      result.fields = wanted === null ? {} : patched(item.fields, wanted);
    } else if (name === 'tags') {
      const tags = (wanted ?? []).map(trimmed);
      result.tags = from ? editedTags(item.tags, tags, from.tags ?? []) : tags;
    } else {
      result[name] = (name === 'notes' ? wanted : trimmed(wanted)) ?? unset[name] ?? null;
    }
  }
  return result;
}

function newItem(draft, listId, time) {
  const kind = draft.kind ?? (draft.car ? 'car' : 'thing');
  const empty = {
    id: draft.id, listId, kind, name: null, serialNumber: null, valueInDollars: null, quantity: 1, notes: null, tags: [],
    fields: {}, car: kind === 'car' ? noCar : null, contentsListId: null, photos: [], revision: 0,
    createdAt: draft.createdAt ?? time, updatedAt: time,
  };
  return { ...editedItem(empty, draft), fields: draft.fields ?? {} };
}

/** A patch's glyph and colour, as the list has them then. */
const looksIn = (patch) => Object.fromEntries(
  ['glyph', 'colour'].filter((name) => name in patch).map((name) => [name, trimmed(patch[name]) ?? null]));

function editedList(list, patch) {
  const result = { ...list };
  if ('title' in patch) result.title = trimmed(patch.title);
  if ('itemKind' in patch) result.itemKind = patch.itemKind ?? 'any';
  if ('deleteLabel' in patch) result.deleteLabel = trimmed(patch.deleteLabel) ?? deleteText;
  Object.assign(result, looksIn(patch));
  if ('permissions' in patch) {
    const permissions = patch.permissions ?? all;
    result.permissions = { ...list.permissions, ...permissions };
    result.can = { ...list.can, ...permissions };
  }
  if ('sentinel' in patch) {
    const { text, visible } = { ...list.sentinel, ...(patch.sentinel ?? { text: null, visible: null }) };
    result.sentinel = { text: trimmed(text) ?? sentinelText, visible: visible ?? true };
  }
  return result;
}

function newList(draft, parentId, parent, time) {
  const empty = {
    id: draft.id, parentId, itemId: null, title: '', itemKind: 'any', rowCount: 0, totalValueInDollars: 0,
    permissions: all, can: all, sentinel: { text: sentinelText, visible: true }, deleteLabel: deleteText,
    glyph: null, colour: null, dir: parent.dir, revision: 0, createdAt: time, updatedAt: time,
  };
  return editedList(empty, draft);
}

/** A car's title is "year make model", or its name. */
export function titleOf({ name, car }) {
  const words = [car?.year, car?.make, car?.model].filter((word) => word !== null && word !== undefined);
  return words.join(' ') || (name ?? '');
}

const allowed = (row, can) => ({ ...row, canMove: can.move, canEdit: can.edit, canDelete: can.delete });

function itemRow(item, can) {
  const { id, kind, name, serialNumber, valueInDollars, quantity, tags, car, contentsListId, photos } = item;
  const summary = {
    id, kind, name, serialNumber, valueInDollars, quantity, tags, car, contentsListId, photo: photos[0] ?? null,
  };
  return allowed({ index: 0, type: 'item', id, title: titleOf(item), detail: serialNumber, item: summary }, can);
}

function editedItemRow(row, patch, from) {
  if (row.type !== 'item') return row;
  const item = editedItem(row.item, patch, from);
  return { ...row, title: titleOf(item), detail: item.serialNumber, item };
}

const listSummary = ({ id, title, rowCount, totalValueInDollars, glyph = null, colour = null }) => (
  { id, title, rowCount, totalValueInDollars, glyph, colour });

function listRow(list, can) {
  return allowed({ index: 0, type: 'list', id: list.id, title: list.title, detail: null, list: listSummary(list) }, can);
}

/** The value of items in cents. A list adds nothing to the total of the list that contains it. */
const centsOf = (rows) => rows.reduce((sum, { item }) => (
  item ? sum + Math.round((item.valueInDollars ?? 0) * 100) * item.quantity : sum), 0);

const plus = (dollars, cents) => Math.round(dollars * 100 + cents) / 100;
export const counted = (list, rows) => ({ ...list, rowCount: rows.length, totalValueInDollars: centsOf(rows) / 100 });

const inner = new WeakMap();

/** The lists that the rows of a record open. A record with other rows is another one. */
function innerLists(record) {
  if (!inner.has(record)) {
    inner.set(record, record.rows.map((row) => row.list?.id ?? row.item?.contentsListId).filter((id) => id));
  }
  return inner.get(record);
}

/**
 * Adds the sums of a list, and of each list below it, to `sums`: `{listCount, itemCount, totalValueInDollars}`, or undefined
 * if `lists`, which maps ids to `{list, rows}`, has not all lists below.
 */
export function addSums(lists, top, sums) {
  const open = [top];
  while (open.length) {
    const id = open.at(-1);
    const record = lists.get(id);
    const below = record ? innerLists(record) : [];
    const missing = below.filter((each) => !sums.has(each));
    // The lists below come first, without recursion, because they can be nested deeply.
    if (missing.length) {
      sums.set(id, undefined);
      open.push(...missing);
      continue;
    }
    open.pop();
    const parts = below.map((each) => sums.get(each));
    if (!record || parts.includes(undefined)) {
      sums.set(id, undefined);
      continue;
    }
    const itemCount = record.rows.filter((row) => row.type === 'item').length;
    const sum = { listCount: below.length, itemCount, totalValueInDollars: record.list.totalValueInDollars };
    for (const part of parts) {
      sum.listCount += part.listCount;
      sum.itemCount += part.itemCount;
      sum.totalValueInDollars = plus(sum.totalValueInDollars, Math.round(part.totalValueInDollars * 100));
    }
    sums.set(id, sum);
  }
}

/** The position at an index among rows. It names both neighbours, because others may remove one of them. */
export function positionAt(index, rows) {
  const [above, below] = [rows[index - 1], rows[index]];
  if (!above) return below ? { before: below.id, else: 'first' } : 'first';
  return { after: above.id, else: below ? { before: below.id, else: 'last' } : 'last' };
}

/** The rows as an app sees them: with their indices, and with the sentinel if the list shows it. */
export function shownRows({ list, rows }) {
  const shown = rows.map((row, index) => (row.index === index ? row : { ...row, index }));
  if (list.sentinel.visible) {
    const row = { index: rows.length, type: 'sentinel', id: null, title: list.sentinel.text, detail: null };
    shown.push({ ...row, canMove: false, canEdit: false, canDelete: false });
  }
  return shown;
}

// Base

/**
 * A list's record `{list, rows}` after a delta. The rows have no sentinel. Null if the list must be read again.
 *
 * @param revision up to which the list has not changed.
 */
export function recordAfter(record, delta, revision = record.list.revision) {
  const { list, rows } = record;
  if (delta.resync) return null;
  if (delta.toRevision <= list.revision) return record;
  const follows = delta.fromRevision >= list.revision && delta.fromRevision <= Math.max(list.revision, revision);
  if (!follows || !deltaFits(delta, rows.length)) return null;
  const leaving = new Set([...delta.deletes, ...delta.moves.map((move) => move.from)]);
  let after = new Array(delta.countAfter).fill(null);
  for (const { index, row } of delta.inserts) after[index] = row;
  for (const { from, to } of delta.moves) after[to] = rows[from];
  let next = 0;
  rows.forEach((row, index) => {
    if (leaving.has(index)) return;
    while (after[next]) next += 1;
    after[next] = row;
  });
  for (const { index, row } of delta.reloadsAfter) after[index] = row;
  if (delta.list?.can) after = after.map((row) => allowed(row, delta.list.can));
  return { list: counted({ ...list, ...delta.list, revision: delta.toRevision }, after), rows: after };
}

const places = new WeakMap();

/** The list of each row of a base, and the row: `{home, row}`. */
function placesOf(base) {
  if (!places.has(base)) {
    const found = new Map();
    for (const [home, { rows }] of base.lists) for (const row of rows) found.set(row.id, { home, row });
    places.set(base, found);
  }
  return places.get(base);
}

// View

/**
 * A base, `{lists: Map of {list, rows}, items: Map}`, with commands applied to it. A command does what the server would
 * do, or nothing.
 */
export class View {
  #base;
  /** Where commands have put rows, and what they are now. `home` is null if no list of the view has them. */
  #places = new Map();
  #trash = new Map();
  /** The lists whose array of rows is used by this view only. */
  #owned = new Set();

  constructor(base, entries = []) {
    this.#base = base;
    this.lists = new Map(base.lists);
    this.items = new Map(base.items);
    for (const entry of entries) this.#run(entry.command, entry);
  }

  /** The list that contains a row; null if the row is not in the view. */
  home(row) {
    const home = this.#place(row)?.home;
    return this.lists.has(home) ? home : null;
  }

  row(id) {
    return this.home(id) ? this.#place(id).row : undefined;
  }

  /**
   * Applies one more command. What was read from the view before stays as it was.
   *
   * @param entry `time`: when the command was given; `row`: a row that only the server's trash has.
   */
  apply(command, entry = {}) {
    this.#owned.clear();
    this.#run(command, entry);
  }

  #run(command, entry) {
    switch (command.type) {
      case 'createItem': return this.#create(command.item, command, entry);
      case 'createList': return this.#create(command.list, command, entry);
      case 'editItem': return this.#editItem(command);
      case 'editList': return this.#editList(command);
      case 'moveRows': return this.#move(command);
      case 'delete': return this.#delete(command);
      case 'restore': return this.#restore(command, entry.row);
      case 'addPhoto': return this.#addPhoto(command);
    }
  }

  #place(id) {
    return this.#places.get(id) ?? placesOf(this.#base).get(id);
  }

  #isTrashed(id) {
    const home = this.#place(id)?.home ?? null;
    return this.#trash.has(id) || (home !== null && !this.lists.has(home))
      || [...this.#trash.values()].some(({ lists }) => lists.some(([list]) => list === id));
  }

  /** Whether a list is one of these rows, or below one of them. */
  #isBelow(id, tops) {
    for (let next = id; next;) {
      if (tops.has(next)) return true;
      const list = this.lists.get(next)?.list;
      next = list ? list.itemId ?? list.parentId : this.home(next);
    }
    return false;
  }

  /** The step of a position that counts. Undefined if none of its anchors is in the list and it names no end. */
  #step(position, list, moved = new Set()) {
    for (let step = position ?? 'last'; step; step = step.else) {
      const anchor = step.after ?? step.before;
      if (!anchor || (this.home(anchor) === list && !moved.has(anchor))) return step;
    }
  }

  #index(step, list) {
    const { rows } = this.lists.get(list);
    if (step === 'first') return 0;
    if (step === 'last') return rows.length;
    const index = rows.indexOf(this.row(step.after ?? step.before));
    return step.after ? index + 1 : index;
  }

  /** The rows of a list, to be changed. */
  #own(id) {
    const { list, rows } = this.lists.get(id);
    if (!this.#owned.has(id)) this.lists.set(id, { list, rows: [...rows] });
    this.#owned.add(id);
    return this.lists.get(id).rows;
  }

  #insert(list, index, added) {
    this.#own(list).splice(index, 0, ...added);
    for (const row of added) this.#places.set(row.id, { home: list, row });
    this.#count(list, centsOf(added));
  }

  /** Takes a row out of its list. */
  #take(id) {
    const { home, row } = this.#place(id);
    const rows = this.#own(home);
    rows.splice(rows.indexOf(row), 1);
    this.#places.set(id, { home: null, row });
    this.#count(home, -centsOf([row]));
    return row;
  }

  #editRow(id, edit) {
    const home = this.home(id);
    if (!home) return;
    const before = this.row(id);
    const row = edit(before);
    const rows = this.#own(home);
    rows[rows.indexOf(before)] = row;
    this.#places.set(id, { home, row });
    const cents = centsOf([row]) - centsOf([before]);
    if (cents) this.#count(home, cents);
  }

  /** Counts the rows of a list again, and adds to its total. */
  #count(id, cents) {
    const { list, rows } = this.lists.get(id);
    const changed = { ...list, rowCount: rows.length, totalValueInDollars: plus(list.totalValueInDollars, cents) };
    this.lists.set(id, { list: changed, rows });
    this.#editRow(id, (row) => ({ ...row, list: listSummary(changed) }));
  }

  /** Counts rows in the row of a list that cannot be opened. */
  #countUnknown(id, rows) {
    this.#editRow(id, (row) => (row.type !== 'list' ? row : {
      ...row,
      list: {
        ...row.list, rowCount: row.list.rowCount + rows.length,
        totalValueInDollars: plus(row.list.totalValueInDollars, centsOf(rows)),
      },
    }));
  }

  #create(draft, { type, listId, position }, { time = null }) {
    const { id } = draft;
    if (this.home(id) || this.lists.has(id) || this.items.has(id) || this.#isTrashed(id)) return;
    const parent = this.lists.get(listId)?.list;
    const isItem = type === 'createItem';
    const made = isItem ? newItem(draft, listId, time) : newList(draft, listId, parent ?? {}, time);
    const row = (isItem ? itemRow : listRow)(made, parent?.can ?? all);
    if (!parent) return this.#countUnknown(listId, [row]);
    const step = this.#step(position, listId);
    if (!step) return;
    if (isItem) this.items.set(id, made);
    else this.lists.set(id, { list: made, rows: [] });
    this.#insert(listId, this.#index(step, listId), [row]);
  }

  #editItem({ id, patch, from = {} }) {
    const item = this.items.get(id);
    if (item) this.items.set(id, editedItem(item, patch, from));
    this.#editRow(id, (row) => editedItemRow(row, patch, from));
  }

  #editList({ id, patch }) {
    const record = this.lists.get(id);
    if (record) this.lists.set(id, { list: editedList(record.list, patch), rows: record.rows });
    if (record && 'permissions' in patch) {
      const { can } = this.lists.get(id).list;
      for (const row of record.rows) this.#editRow(row.id, (each) => allowed(each, can));
    }
    this.#editRow(id, (row) => {
      if (row.type !== 'list') return row;
      const title = 'title' in patch ? trimmed(patch.title) : row.title;
      return { ...row, title, list: { ...row.list, title, ...looksIn(patch) } };
    });
  }

  #move({ ids, listId, position }) {
    const moved = new Set(ids);
    const target = this.lists.get(listId);
    const step = target && this.#step(position, listId, moved);
    const isPossible = ids.every((id) => this.home(id)) && (target ? step : this.home(listId));
    if (!isPossible || this.#isBelow(listId, moved)) return;
    const rows = ids.map((id) => this.#take(id));
    for (const id of ids) this.#setParent(id, listId);
    if (!target) return this.#countUnknown(listId, rows);
    const { can } = target.list;
    this.#insert(listId, this.#index(step, listId), rows.map((row) => this.#asNow(allowed(row, can))));
  }

  /** A row with the present numbers of its list. */
  #asNow(row) {
    const list = this.lists.get(row.id)?.list;
    return list ? { ...row, title: list.title, list: listSummary(list) } : row;
  }

  #setParent(id, listId) {
    const [item, record] = [this.items.get(id), this.lists.get(id)];
    if (item) this.items.set(id, { ...item, listId });
    if (record) this.lists.set(id, { ...record, list: { ...record.list, parentId: listId } });
  }

  #delete({ id, recursive }) {
    const row = this.row(id);
    if (!row) return;
    const inner = row.type === 'list' ? id : row.item.contentsListId;
    const count = this.lists.get(inner)?.rows.length ?? row.list?.rowCount ?? 0;
    if (count && !recursive) return;
    const tops = new Set([id]);
    const lists = inner ? [...this.lists].filter(([list]) => this.#isBelow(list, tops)) : [];
    const items = inner
      ? [...this.items].filter(([item, { listId }]) => item === id || this.#isBelow(listId, tops))
      : [[id, this.items.get(id)]].filter(([, item]) => item);
    const home = this.home(id);
    const { rows } = this.lists.get(home);
    const index = rows.indexOf(row);
    this.#trash.set(id, { row, home, index, above: rows[index - 1]?.id, below: rows[index + 1]?.id, lists, items });
    this.#take(id);
    for (const [list] of lists) this.lists.delete(list);
    for (const [item] of items) this.items.delete(item);
  }

  #restore({ id, listId, position }, given) {
    const isNew = given && !this.home(id) && !this.#isTrashed(id);
    const deleted = this.#trash.get(id) ?? (isNew ? { row: given, lists: [], items: [] } : null);
    const list = listId ?? deleted?.home;
    if (!deleted || !this.lists.has(list)) return;
    const { above, below, home } = deleted;
    const { can, rowCount } = this.lists.get(list).list;
    const neighbours = [above && { after: above }, below && { before: below }].filter(Boolean);
    const isReturning = !position && list === home;
    const step = isReturning ? neighbours.find((each) => this.#step(each, list)) : this.#step(position, list);
    if (!step && !isReturning) return;
    const index = step ? this.#index(step, list) : Math.min(deleted.index, rowCount);
    this.#trash.delete(id);
    for (const [each, record] of deleted.lists) this.lists.set(each, record);
    for (const [each, item] of deleted.items) this.items.set(each, item);
    this.#setParent(id, list);
    this.#insert(list, index, [this.#asNow(allowed(deleted.row, can))]);
  }

  #addPhoto({ id, itemId }) {
    const item = this.items.get(itemId);
    if (item && !item.photos.includes(id)) this.items.set(itemId, { ...item, photos: [...item.photos, id] });
    this.#editRow(itemId, (row) => ({ ...row, item: { ...row.item, photo: row.item.photo ?? id } }));
  }
}

// Batch updates

/** The places, ascending, of a longest rising subsequence of different numbers. */
function longestRise(numbers) {
  /** The place of the smallest last number of a rise of each length. */
  const ends = [];
  const previous = [];
  numbers.forEach((number, place) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]] < number) low = middle + 1;
      else high = middle;
    }
    previous[place] = ends[low - 1];
    ends[low] = place;
  });
  const rise = [];
  for (let place = ends.at(-1); place !== undefined; place = previous[place]) rise.push(place);
  return rise.reverse();
}

/** The batch update of a table view that leads from rows to others, with the fewest moves. Null if nothing changes. */
export function batchBetween(before, after) {
  const old = new Map(before.map((row, index) => [row.id, index]));
  const present = new Set(after.map((row) => row.id));
  const deletes = [...before.keys()].filter((index) => !present.has(before[index].id));
  const inserts = [...after.keys()].filter((index) => !old.has(after[index].id));
  const stays = [...after.keys()].filter((index) => old.has(after[index].id));
  const origins = stays.map((index) => old.get(after[index].id));
  const still = new Set(longestRise(origins));
  const [moves, reloads, reconfigures] = [[], [], []];
  stays.forEach((to, place) => {
    const from = origins[place];
    const isStill = still.has(place);
    if (!isStill) moves.push({ from, to });
    if (isSame(before[from], after[to], ['index'])) return;
    if (isStill) reloads.push(from);
    else reconfigures.push(to);
  });
  const isEmpty = [deletes, inserts, moves, reloads, reconfigures].every((part) => part.length === 0);
  return isEmpty ? null : { deletes, inserts, moves, reloads, reconfigures };
}
