import { address, api, Disconnected } from './api.js';
import { element, isRightToLeft } from './dom.js';
import { fuzzy } from './fuzzy.js';
import { icon } from './icons.js';
import { give, isKept, isNew, isOffline, isWorking, kept, keptPath } from './kept.js';
import { mirrors } from './mirrors.js';
import { attempt, take, takeEntry, tell } from './notices.js';
import { plainBar, readFor, Sheet } from './sheet.js';
import { listInside } from './sums.js';
import { countingRows, text } from './texts.js';

const pageSize = 100;
const mostFound = 12;
/** The most results that are asked for. Items among them are left out. */
const mostAsked = 30;
/** Milliseconds without typing before the server is asked. */
const pause = 150;

/** A row and the list in it. */
const door = (row) => ({ title: row.title, inside: listInside(row) });
/** The lists of a path, the last one first. An item's step is left out: its contents list, the next step, replaces it. */
const steps = (path) => path.filter((step) => step.type === 'list').map(({ id, title }) => ({ id, title })).reverse();

/**
 * Moves rows to the end of another list as one change, and offers Undo.
 *
 * @param rows a row, or up to 100 of one list.
 * @param list `{id, title}`.
 * @param moved called when the server has moved them.
 */
export async function moveRow(rows, { id, title }, moved = () => {}) {
  const ids = [rows].flat().map((row) => row.id);
  const sentence = Array.isArray(rows) ? text('movedMany', { what: countingRows(rows), list: title })
    : text('moved', { name: rows.title, list: title });
  if (isOffline() && ids.every(isKept) && kept.list(id)) {
    takeEntry(await give((store) => store.move(ids, id, store.list(id).rowCount)), sentence);
    return moved();
  }
  const answer = Array.isArray(rows) ? await api.post(`/v1/lists/${id}/move-rows`, { ids, position: 'last' })
    : await api.post(`/v1/rows/${rows.id}/move`, { listId: id, position: 'last' });
  const receipt = answer.receipt ?? answer;
  moved();
  return take(receipt, sentence);
}

/**
 * Lets a person choose the list to move rows to. The server says whether a list accepts the row, or the first of several,
 * preferably a list, which cannot move into itself.
 */
export class MoveSheet {
  #rows;
  #row;
  #moved;
  /** The id of the list where the rows are. */
  #home;
  #list;
  #sheet = null;
  #button = element('button', { class: 'is-main', type: 'button', data: { action: 'move' }, onclick: () => this.#sheet.act('move') });
  #steps = 0;
  /** Finds a list by its name. */
  #input = element('input', {
    type: 'search', 'aria-label': text('findList'), placeholder: text('findList'), autocomplete: 'off',
    oninput: () => this.#find(), onkeydown: (event) => this.#pressed(event),
  });
  #field = element('div', { class: 'search-field', role: 'search' }, icon('search'), this.#input);
  /** The way to the shown list and the lists in it, or what was found. */
  #places = element('div', { class: 'move-places' });
  #timer = 0;

  /**
   * @param rows a row, or up to 100 of one list.
   * @param moved called when they were moved.
   */
  constructor(rows, listID, moved = () => {}) {
    this.#rows = rows;
    this.#row = [rows].flat().find((row) => row.list) ?? [rows].flat()[0];
    this.#moved = moved;
    this.#home = listID;
    readFor(() => this.#enter(listID));
  }

  /** Shows a list: at once what is known of it, and then what the server says. */
  async #enter(listID) {
    const step = (this.#steps += 1);
    const known = this.#keptList(listID);
    if (known) this.#show(known);
    if (known && isNew(listID)) return;
    const answer = this.#ask(listID).then((found) => {
      // The person has tapped another list meanwhile.
      if (step === this.#steps && JSON.stringify(found) !== JSON.stringify(known)) this.#show(found);
    });
    if (known) answer.catch((error) => (step !== this.#steps || error instanceof Disconnected ? undefined : tell(error)));
    else await answer;
  }

  /** What the store has of a list, as `#ask` resolves to it. Null if it does not keep the list. */
  #keptList(listID) {
    const list = isWorking() ? kept.list(listID) : undefined;
    const found = list && kept.rows(listID);
    if (!found) return null;
    const above = keptPath(listID);
    const path = steps(above);
    const rows = [this.#rows].flat();
    const isInside = rows.some(({ id }) => above.some((step) => step.id === id));
    const isAccepted = list.can.add && !isInside && rows.every(({ item }) => !item || ['any', item.kind].includes(list.itemKind));
    const doors = found.map(door).filter(({ inside }) => inside);
    return {
      list: { id: listID, title: list.title }, isAccepted, path, doors: doors.slice(0, pageSize), count: doors.length,
    };
  }

  async #ask(listID) {
    const [screen, way, page] = await Promise.all([
      api.get(address(`/v1/lists/${listID}/screen`, { mode: 'move', row: this.#row.id })),
      api.get(`/v1/lists/${listID}/path`),
      this.#read(listID, 0),
    ]);
    const { title, trailing } = screen.navigationBar;
    return {
      list: { id: listID, title }, isAccepted: trailing?.enabled === true, path: steps(way.path),
      doors: page.rows.map(door), count: page.matched,
    };
  }

  #show({ list, isAccepted, path, doors: found, count }) {
    this.#list = list;
    this.#sheet ??= this.#open();
    this.#offer(list.title, isAccepted);
    const doors = element('ul', { class: 'card choices', role: 'list' });
    // A token for one list may see no other.
    const isOnly = path.length === 1 && list.id === this.#home;
    this.#button.hidden = isOnly && !count;
    const isTyping = document.activeElement === this.#input && !this.#typed;
    this.#input.value = '';
    this.#field.hidden = isOnly && !count;
    this.#places.replaceChildren(this.#way(path),
      count ? doors : element('p', { class: 'empty' }, text(isOnly ? 'noOtherList' : 'nothingToEnter')));
    this.#append(doors, found, count);
    if (!isTyping) this.#sheet.element.querySelector('h2').focus();
  }

  #open() {
    const title = Array.isArray(this.#rows) ? text('movePrompt', { what: countingRows(this.#rows) })
      : text('moveWhere', { name: this.#rows.title });
    const bar = { ...plainBar(title, {}), trailing: null };
    const sheet = new Sheet(bar, [this.#field, this.#places], { move: () => this.#move() }, 'is-move');
    sheet.element.append(element('div', { class: 'ask-answers' }, this.#button));
    return sheet;
  }

  /** Says what the button does. In the list where the rows are there is nothing to do. */
  #offer(title, isAccepted) {
    const isHome = this.#list.id === this.#home;
    this.#button.disabled = isHome || !isAccepted;
    this.#button.textContent = isHome ? text('moveHome') : text(isAccepted ? 'moveTo' : 'moveRefused', { list: title });
  }

  /** The title of a list. It tells where the rows are. */
  #named(id, title) {
    return element('span', {}, element('bdi', {}, title), id === this.#home ? ` (${text('placeNow')})` : '');
  }

  /** A page of the rows that can be entered. */
  #read(listID, offset) {
    return api.get(address(`/v1/lists/${listID}/rows`, { type: 'container', sentinel: false, offset, limit: pageSize }));
  }

  /** The path to this list as buttons, this list first. */
  #way(path) {
    return element('nav', { class: 'way', 'aria-label': text('path') }, ...path.map((step, index) =>
      element('button', {
        type: 'button', 'aria-current': index === 0 ? 'page' : null,
        onclick: () => attempt(() => this.#enter(step.id)),
      }, this.#named(step.id, step.title))));
  }

  get #typed() {
    return this.#input.value.trim();
  }

  /** Shows the lists whose names fit what is typed, the best first: at once those that are known, then those that the server finds. */
  #find() {
    clearTimeout(this.#timer);
    const typed = this.#typed;
    const step = (this.#steps += 1);
    // Rows are moved to a list that is shown.
    this.#button.hidden = typed !== '';
    if (!typed) return void attempt(() => this.#enter(this.#list.id));
    const known = mirrors.known().filter(({ isList }) => isList).map((list) => ({ ...list, fit: fuzzy(typed, list.title) }))
      .filter(({ fit }) => fit).sort((left, right) => right.fit - left.fit).slice(0, mostFound);
    this.#showFound(known, false);
    this.#timer = setTimeout(() => attempt(async () => {
      const others = await this.#findMore(typed);
      const isNew = ({ id }) => known.every((list) => list.id !== id);
      if (step === this.#steps) this.#showFound([...known, ...others.filter(isNew)].slice(0, mostFound), true);
    }), pause);
  }

  /** What the server finds, or without a connection what is kept. */
  async #findMore(typed) {
    const inList = ({ id, title, path }) => ({ id, title, detail: path.at(-2)?.title });
    try {
      const { hits } = await api.get(address('/v1/search', { q: typed, limit: mostAsked }), { isQuiet: true });
      return hits.filter(({ type }) => type === 'list').map(inList);
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error;
      return mirrors.search(typed).filter(({ list }) => list).map(inList);
    }
  }

  /** @param isAll whether there are no others. */
  #showFound(found, isAll) {
    this.#places.replaceChildren(found.length
      ? element('ul', { class: 'card choices', role: 'list' }, ...found.map(({ id, title, detail }) => this.#door(title, id, detail)))
      : element('p', { class: 'empty', role: 'status' }, isAll ? text('foundNothing') : ''));
  }

  #pressed(event) {
    if (event.isComposing) return;
    const first = this.#places.querySelector('.choices button');
    if (event.key === 'Enter') {
      event.preventDefault();
      if (this.#typed) first?.click();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      first?.focus();
    }
  }

  #append(doors, found, count) {
    doors.append(...found.map(({ title, inside }) => this.#door(title, inside)));
    const shown = doors.childElementCount;
    if (!found.length || shown >= count) return;
    const { id } = this.#list;
    const button = element('button', {
      class: 'plain more', type: 'button',
      onclick: () => attempt(async () => {
        const next = await this.#read(id, shown);
        button.remove();
        this.#append(doors, next.rows.map(door), next.matched);
      }),
    }, text('more'));
    doors.after(button);
  }

  #door(title, listID, detail) {
    return element('li', {}, element('button', { type: 'button', onclick: () => attempt(() => this.#enter(listID)) },
      this.#named(listID, title), detail ? element('bdi', { class: 'choice-value' }, detail) : null, icon(isRightToLeft() ? 'chevron-left' : 'chevron-right')));
  }

  async #move() {
    try {
      await moveRow(this.#rows, this.#list, () => {
        this.#sheet.close();
        this.#moved();
      });
    } catch (error) {
      tell(error);
    }
  }
}
