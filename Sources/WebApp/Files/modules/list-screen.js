import { addRow } from './add-sheet.js';
import { api } from './api.js';
import { longTitle, navigationBar } from './bar.js';
import { element } from './dom.js';
import { Drag } from './drag.js';
import { editItem, editList } from './edit-sheet.js';
import { icon } from './icons.js';
import { openMenu } from './menu.js';
import { MoveSheet } from './move-sheet.js';
import { attempt, take, tell } from './notices.js';
import { place } from './place.js';
import { rowContent } from './row.js';
import { RowList } from './row-list.js';
import { Search } from './search.js';
import { ask } from './sheet.js';
import { SortedView } from './sorted-view.js';
import { text } from './texts.js';

/** A list: its bar, its rows, and, in edit mode, what may be done to them. */
export class ListScreen {
  #mirror;
  #list;
  #search;
  #view = null;
  #stateTimer = 0;
  #onFields = () => this.#list.redraw();

  /**
   * @param entry of the navigator's stack.
   * @param mirror of the list.
   */
  constructor(entry, mirror) {
    this.entry = entry;
    this.#mirror = mirror;
    this.element = element('section', { class: 'screen list-screen' });
    this.scroller = element('div', { class: 'scroller' });
    this.#list = new RowList(this.scroller, (row) => this.#content(row), entry.navigationBar.title);
    this.#search = new Search(entry.listId, {
      open: (hit) => attempt(() => place.open(hit.type === 'list' ? { listId: hit.id } : { itemId: hit.id })),
      shows: (isSearching) => (this.#list.element.hidden = isSearching),
    });
    this.orderMark = element('div', { class: 'order-mark', hidden: true });
    this.top = element('div', { class: 'list-top' });
    this.scroller.append(this.top, this.#search.hits, this.#list.element);
    this.element.append(this.scroller);
    this.update(entry);
    new Drag(this.#list, this.scroller, (id, to) => this.#drop(id, to));
    this.#mirror.addEventListener('fields', this.#onFields);
    this.#list.element.addEventListener('rest', () => this.#keepState());
  }

  /** When it has come onto the page: rows are drawn by the room there is. */
  appeared() {
    this.#list.source = this.#mirror;
    const top = this.entry.state?.top;
    if (top) this.#list.top = top;
  }

  close() {
    clearTimeout(this.#stateTimer);
    this.#mirror.removeEventListener('fields', this.#onFields);
    this.#list.close();
  }

  /** Shows the screen as the navigator has it by now: its bar, its mode. */
  update(entry) {
    const wasEditing = this.isEditing;
    this.entry = entry;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const bar = navigationBar(entry.navigationBar, (action) => this.#act(action));
    const old = this.element.querySelector(':scope > header');
    if (old) old.replaceWith(bar);
    else this.element.prepend(bar);
    this.element.classList.toggle('is-editing', this.isEditing);
    this.#fillTop();
    if (wasEditing !== this.isEditing) this.#list.redraw();
    // Whoever pressed a button of the bar finds the one that has taken its place.
    if (focused) [...bar.querySelectorAll('.bar-trailing button, .bar-leading button')][0]?.focus();
  }

  get isEditing() {
    return this.entry.mode === 'edit';
  }

  /** Puts the focus where whoever came here by keys goes on. */
  focus(id) {
    const index = id ? this.#mirror.indexOf(id) : undefined;
    if (index === undefined) this.element.querySelector('h1').focus({ preventScroll: true });
    else this.#list.focus(index);
  }

  /** After a time in which nothing could be fetched. */
  refresh() {
    this.#list.refresh();
  }

  #fillTop() {
    const { shortcuts, navigationBar: bar } = this.entry;
    this.top.replaceChildren(
      ...[longTitle(bar), this.#ways(shortcuts)].filter((part) => part),
      element('div', { class: 'list-tools' }, this.#search.field,
        element('button', {
          class: 'round', type: 'button', 'aria-label': text('more'), title: text('more'), data: { action: 'menu' },
          onclick: () => this.#openMenu(),
        }, icon('dots'))),
      this.orderMark);
  }

  #ways(shortcuts) {
    if (!shortcuts.length) return null;
    return element('nav', { class: 'way', 'aria-label': text('path') }, ...shortcuts.map(({ id, title }) =>
      element('button', { type: 'button', onclick: () => attempt(() => this.#climb(id)) }, element('bdi', {}, title))));
  }

  #climb(id) {
    const index = place.stack.findLastIndex((screen) => screen.listId === id || screen.itemId === id);
    return place.popTo(index);
  }

  #act(action) {
    switch (action) {
      case 'back': return attempt(() => place.pop());
      case 'edit': return attempt(() => place.setTop({ mode: 'edit' }));
      case 'cancel':
      case 'done': return attempt(() => place.setTop({ mode: 'browse' }));
      case 'add': return addRow(this.entry.listId);
      default: return undefined;
    }
  }

  // Rows

  #content(row) {
    return rowContent(row, {
      isEditing: this.isEditing,
      deleteLabel: this.#mirror.rights.deleteLabel,
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
    await this.#sendState();
    await attempt(() => place.push(row.list ? { listId: row.id } : { itemId: row.id }));
  }

  async #remove(row) {
    const label = this.#mirror.rights.deleteLabel;
    const hasMore = Boolean(row.list?.rowCount || row.item?.contentsListId);
    const isSure = await ask(text('removeAsk', { label, name: row.title }), {
      detail: hasMore ? text('removeAll') : null,
      answer: { title: label, cancel: text('cancel') }, isGrave: true,
    });
    if (!isSure) return;
    await attempt(() => this.#mirror.optimistically({ id: row.id }, async () => {
      const receipt = await api.remove(`/v1/rows/${row.id}${hasMore ? '?recursive=true' : ''}`);
      await take(receipt, text('removed', { name: row.title }));
    }));
  }

  /** Moves a row at once; where it stands in the end is the server's to say. */
  async #drop(id, to) {
    const { id: list } = this.#mirror;
    let from = this.#mirror.indexOf(id);
    try {
      await this.#mirror.optimistically({ id, to }, async () => {
        for (let isAgain = false; ; isAgain = true) {
          try {
            return await take(await api.post(`/v1/lists/${list}/move-row`, { from, to, id }));
          } catch (error) {
            // Somebody else was faster: the row is meant, wherever it is by now.
            if (isAgain || error.code !== 'row_moved' || error.members.index === null) throw error;
            from = error.members.index;
          }
        }
      });
    } catch (error) {
      tell(error);
      await attempt(() => this.#mirror.catchUp());
    }
    return this.#mirror.indexOf(id);
  }

  // Order

  #openMenu() {
    openMenu({
      listId: this.entry.listId, rights: this.#mirror.rights, sort: this.#view?.sort ?? null,
      setSort: (sort, title) => this.#setSort(sort, title),
    });
  }

  /** Looks at the rows in another order, which can be kept; null for the list's own. */
  #setSort(sort, title) {
    this.#view?.close();
    this.#view = sort ? new SortedView(this.#mirror, sort) : null;
    this.#list.source = this.#view ?? this.#mirror;
    this.#list.top = 0;
    this.orderMark.hidden = !sort;
    this.orderMark.replaceChildren(...(sort ? [
      element('span', {}, title),
      this.#mirror.rights.canMove
        ? element('button', { class: 'plain', type: 'button', onclick: () => attempt(() => this.#keepOrder(sort)) },
          text('keepOrder'))
        : '',
      element('button', { class: 'plain', type: 'button', onclick: () => this.#setSort(null) }, text('ownOrder')),
    ] : []));
  }

  async #keepOrder(sort) {
    const receipt = await api.post(`/v1/lists/${this.entry.listId}/reorder`, { sort });
    this.#setSort(null);
    await take(receipt, text('reordered'));
  }

  // Place

  #keepState() {
    clearTimeout(this.#stateTimer);
    this.#stateTimer = setTimeout(() => this.#sendState(), 800);
  }

  /** Keeps on the server how far it is scrolled; a place that can't be kept just now is kept the next time. */
  async #sendState() {
    clearTimeout(this.#stateTimer);
    const top = this.#view ? 0 : Math.max(0, Math.round(this.#list.top));
    if (top === (this.entry.state?.top ?? 0) || place.top.listId !== this.entry.listId) return;
    await place.setTop({ state: { top } }).catch(() => {});
  }
}
