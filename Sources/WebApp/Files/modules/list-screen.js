import { addRow } from './add-sheet.js';
import { api } from './api.js';
import { longTitle, navigationBar } from './bar.js';
import { element } from './dom.js';
import { Drag } from './drag.js';
import { editItem, editList } from './edit-sheet.js';
import { icon } from './icons.js';
import { ListView } from './list-view.js';
import { openMenu } from './menu.js';
import { MoveSheet } from './move-sheet.js';
import { attempt, take, tell } from './notices.js';
import { OrderSheet, titleOf } from './order-sheet.js';
import { place } from './place.js';
import { removeRow } from './remove-row.js';
import { rowContent } from './row.js';
import { RowList } from './row-list.js';
import { Search } from './search.js';
import { say } from './speech.js';
import { text } from './texts.js';

/** How often a drop is sent while others change the list. */
const dropAttempts = 4;

/** The screen of a list: its bar, its rows and, in edit mode, the controls of rows. */
export class ListScreen {
  #mirror;
  #list;
  #search;
  #view = null;
  #stateTimer = 0;
  #bar = '';
  #onFields = () => this.#list.redraw();
  #onRows = () => this.#showEmpty();

  /**
   * @param entry the entry of the navigator's stack.
   * @param mirror the list's mirror.
   */
  constructor(entry, mirror) {
    this.entry = entry;
    this.#mirror = mirror;
    this.element = element('section', { class: 'screen list-screen' });
    this.scroller = element('div', { class: 'scroller' });
    this.#list = new RowList(this.scroller, (row) => this.#content(row), entry.navigationBar.title);
    this.#search = new Search(entry.listId, entry === place.stack[0], {
      open: (hit) => attempt(() => place.open(hit.type === 'list' ? { listId: hit.id } : { itemId: hit.id })),
      shows: (isSearching) => {
        this.#list.element.hidden = isSearching;
        this.#showEmpty();
      },
    });
    this.adder = element('button', { class: 'plain more', type: 'button', onclick: () => addRow(entry.listId) },
      text('addFirst'));
    this.orderMark = element('div', { class: 'order-mark', hidden: true });
    this.heading = element('div', { class: 'list-heading' });
    this.scroller.append(
      element('div', { class: 'list-top' }, this.heading, this.#tools(), this.orderMark),
      this.#search.hits, this.#list.element, this.adder);
    this.element.append(this.scroller);
    this.update(entry);
    new Drag(this.#list, this.scroller, (id, to) => this.#drop(id, to));
    this.#mirror.addEventListener('fields', this.#onFields);
    this.#mirror.addEventListener('change', this.#onRows);
    this.#showEmpty();
    this.#list.element.addEventListener('rest', () => this.#keepState());
  }

  /** Called when the screen is on the page, because the number of rows depends on its height. */
  appeared() {
    this.#list.source = this.#view ?? this.#mirror;
    const top = this.entry.state?.top;
    if (top) this.#list.top = top;
  }

  /** Reads the saved view, if the screen was left with another order. */
  async prepare() {
    const choice = this.entry.state?.view;
    if (choice) await attempt(() => this.#look(choice));
    return this;
  }

  close() {
    clearTimeout(this.#stateTimer);
    this.#mirror.removeEventListener('fields', this.#onFields);
    this.#mirror.removeEventListener('change', this.#onRows);
    this.#view?.close();
    this.#list.close();
  }

  /** Applies a changed entry of the navigator: its bar and its mode. */
  update(entry) {
    const wasEditing = this.isEditing;
    this.entry = entry;
    const bar = JSON.stringify([entry.navigationBar, entry.shortcuts]);
    if (bar !== this.#bar) this.#drawBar();
    this.#bar = bar;
    this.element.classList.toggle('is-editing', this.isEditing);
    if (wasEditing !== this.isEditing) this.#list.redraw();
  }

  #drawBar() {
    const { navigationBar: described, shortcuts } = this.entry;
    const focused = this.element.querySelector(':scope > header :focus')?.closest('.bar-leading, .bar-trailing, h1');
    const bar = navigationBar(described, (action) => this.#act(action));
    const old = this.element.querySelector(':scope > header');
    if (old) old.replaceWith(bar);
    else this.element.prepend(bar);
    this.heading.replaceChildren(...[longTitle(described), this.#ways(shortcuts)].filter((part) => part));
    // If a button of the bar had the focus, focuses the button in its place.
    if (focused) (bar.querySelector(`.${focused.className} button`) ?? bar.querySelector('h1')).focus();
  }

  get isEditing() {
    return this.entry.mode === 'edit';
  }

  /** Focuses the row with this id, or the title, for people who use the keyboard. */
  focus(id) {
    const index = id ? this.#mirror.indexOf(id) : undefined;
    if (index === undefined) this.element.querySelector('h1').focus({ preventScroll: true });
    else this.#list.focus(index);
  }

  /** Reads what is missing, for example after a time without connection. */
  refresh() {
    this.#list.refresh();
    this.#search.retry();
  }

  #tools() {
    const tool = (action, image, title, act) => element('button', {
      class: 'round', type: 'button', 'aria-label': title, title, data: { action }, onclick: act,
    }, icon(image));
    return element('div', { class: 'list-tools' }, this.#search.field,
      tool('order', 'order', text('order'), () => new OrderSheet(this.#choice, (choice) => this.#chooseView(choice))),
      tool('menu', 'dots', text('more'), () => openMenu(this.entry.listId)));
  }

  /** Shows the button to add a first row while the list is empty. */
  #showEmpty() {
    this.adder.hidden = this.#mirror.count > 0 || this.#list.element.hidden || !this.#mirror.rights.canAdd;
  }

  #ways(shortcuts) {
    if (!shortcuts.length) return null;
    return element('nav', { class: 'way', 'aria-label': text('path') }, ...shortcuts.map(({ id, title }) =>
      element('button', { type: 'button', onclick: () => attempt(() => place.popTo(id)) }, element('bdi', {}, title))));
  }

  #act(action) {
    switch (action) {
      case 'back': return attempt(() => place.pop());
      case 'edit': return attempt(() => place.setTop(this.entry, { mode: 'edit' }));
      case 'cancel':
      case 'done': return attempt(() => place.setTop(this.entry, { mode: 'browse' }));
      case 'add': return addRow(this.entry.listId);
      default: return undefined;
    }
  }

  // Rows

  #content(row) {
    return rowContent(row, {
      isEditing: this.isEditing,
      deleteLabel: this.#mirror.rights.deleteLabel,
      canRelocate: this.#mirror.rights.canMove,
      open: (chosen) => this.#open(chosen),
      remove: (chosen) => this.#remove(chosen),
      relocate: (chosen) => new MoveSheet(chosen, this.entry.listId),
    });
  }

  async #open(row) {
    if (this.isEditing) {
      if (row.list) editList(row.id);
      else editItem(row.id);
      return;
    }
    this.#sendState();
    await attempt(() => place.push(row.list ? { listId: row.id } : { itemId: row.id }));
  }

  #remove(row) {
    const { id, title } = row;
    const hasMore = Boolean(row.list?.rowCount || row.item?.contentsListId);
    return removeRow({ id, title, hasMore }, this.#mirror.rights.deleteLabel,
      (write) => this.#mirror.optimistically({ id }, write));
  }

  /** Moves a row at once, and then to the place that the server returns. */
  async #drop(id, to) {
    const mirror = this.#mirror;
    const shown = mirror.indexOf(id);
    const above = to > 0 ? mirror.row(Math.min(to > shown ? to : to - 1, mirror.count - 1))?.id : undefined;
    let found;
    /** The move by the rows on the server: below the row that is above the place of the drop. */
    const move = () => {
      const from = found ?? mirror.confirmedIndexOf(id) ?? shown;
      const place = above && mirror.confirmedIndexOf(above);
      return { id, from, to: place === undefined ? to : place + (place < from ? 1 : 0) };
    };
    try {
      await mirror.optimistically({ id, to }, async () => {
        for (let turn = 1; ; turn += 1) {
          // In a list that changes all the time, the indices are good enough.
          const fields = turn < dropAttempts - 1 ? { 'If-Match': `"${mirror.revision}"` } : {};
          try {
            return await take(await api.post(`/v1/lists/${mirror.id}/move-row`, move(), { fields }));
          } catch (error) {
            if (turn === dropAttempts) throw error;
            // Others have changed the list, and the page has not heard of it.
            if (error.status === 412) await mirror.receive(error.members.delta);
            // Someone else has moved the row meanwhile: moves it from its new index.
            else if (error.code === 'row_moved' && error.members.index !== null) found = error.members.index;
            else throw error;
          }
        }
      });
    } catch (error) {
      tell(error);
      await attempt(() => this.#mirror.catchUp());
      return undefined;
    }
    return this.#mirror.indexOf(id);
  }

  // Order

  get #choice() {
    return this.#view?.choice ?? {};
  }

  /** Shows the chosen view, and saves it with the place. */
  async #chooseView(choice) {
    await this.#look(choice);
    this.#list.source = this.#view ?? this.#mirror;
    this.#list.top = 0;
    this.#keepState();
    say(titleOf(choice) || text('ownOrder'));
  }

  async #look(choice) {
    const isOwn = !choice.sort && !choice.type && !choice.above;
    const view = isOwn ? null : new ListView(this.#mirror, choice);
    try {
      await view?.ensure(0, 0);
    } catch (error) {
      view.close();
      throw error;
    }
    this.#view?.close();
    this.#view = view;
    this.#markOrder(choice);
  }

  #markOrder(choice) {
    const act = (key, work) =>
      element('button', { class: 'plain', type: 'button', onclick: () => attempt(work) }, text(key));
    const canKeep = choice.sort && !choice.type && !choice.above && this.#mirror.rights.canMove;
    this.orderMark.hidden = !this.#view;
    this.orderMark.replaceChildren(...(this.#view ? [
      element('span', {}, titleOf(choice)),
      canKeep ? act('keepOrder', () => this.#keepOrder(choice.sort)) : '',
      act('ownOrder', () => this.#chooseView({})),
    ] : []));
  }

  async #keepOrder(sort) {
    const receipt = await api.post(`/v1/lists/${this.entry.listId}/reorder`, { sort });
    await take(receipt, text('reordered'));
    await this.#chooseView({});
  }

  // Place

  #keepState() {
    clearTimeout(this.#stateTimer);
    this.#stateTimer = setTimeout(() => this.#sendState(), 800);
  }

  /** Saves the scroll position and the view on the server. After an error, the next change saves them. */
  async #sendState() {
    clearTimeout(this.#stateTimer);
    const top = Math.max(0, Math.round(this.#list.top));
    const state = { ...(top ? { top } : {}), ...(this.#view ? { view: this.#choice } : {}) };
    if (place.top.listId !== this.entry.listId || JSON.stringify(state) === JSON.stringify(this.entry.state ?? {})) return;
    await place.setTop(this.entry, { state }).catch(() => {});
  }
}
