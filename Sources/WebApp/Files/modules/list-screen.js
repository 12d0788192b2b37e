import { screensAbove } from './address.js';
import { api } from './api.js';
import { largeTitle, navigationBar } from './bar.js';
import { caller, mayEdit } from './caller.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { icon } from './icons.js';
import { link } from './link.js';
import { ListView, orderTitle } from './list-view.js';
import { NewButtons } from './new-buttons.js';
import { attempt, notify, take } from './notices.js';
import { OpenEnd } from './open-end.js';
import { loadRowActs, rowActs } from './row-acts.js';
import { rowContent } from './row.js';
import { RowList } from './row-list.js';
import { Search } from './search.js';
import { loaded, sheets } from './sheets.js';
import { say } from './speech.js';
import { listInside, sumOf } from './sums.js';
import { number, text } from './texts.js';
import { way } from './way.js';

/** The screen of a list: its bar, its rows and, in edit mode, the controls of rows. */
export class ListScreen {
  #mirror;
  #list;
  #search;
  #view = null;
  #stateTimer = 0;
  #mode = 'browse';
  #bar = '';
  /** What the place of the rows shows while there are none, to notice changes. */
  #blankLooks = false;
  #onFields = () => {
    this.#showBar();
    this.#list.redraw();
  };
  #onBars = () => this.#showBar();
  #onSums = () => this.#showSums();
  #onRows = ({ detail }) => {
    this.#showEmpty();
    this.#showSums();
    this.#many?.follow(detail.isAnimated);
    this.#new?.check((id) => this.#mirror.indexOf(id) !== undefined);
  };
  #buttons = new NewButtons(() => this.add());
  #isClosed = false;
  /** The end of the list, where new rows are typed. Null until what acts on rows is loaded, as the next two. */
  #new = null;
  #drops = null;
  /** The selected rows. */
  #many = null;
  /** Where the list is to be scrolled to when it appears. */
  #top;

  /**
   * @param entry what the screen is shown with; see way.js.
   * @param mirror the list's mirror.
   */
  constructor(entry, mirror) {
    this.screen = entry.screen;
    this.#top = entry.top;
    this.#mirror = mirror;
    this.element = element('section', { class: 'screen list-screen' });
    this.scroller = element('div', { class: 'scroller' });
    this.#list = new RowList(this.scroller, (row) => this.#content(row), this.title);
    this.#search = new Search(this.screen.listId, this.above.length === 0, {
      shows: (isSearching) => {
        this.#list.element.hidden = isSearching;
        if (isSearching) this.#many?.end();
        this.#new?.forget();
        this.#showOrderMark();
        this.#showEmpty();
      },
      typed: (search) => this.#name({ search }),
      menu: (row, at) => this.#openMenu(row, at),
    });
    /** Shown while the list has no rows. */
    this.blank = element('div', { class: 'list-blank', hidden: true });
    this.orderMark = element('div', { class: 'order-mark', hidden: true });
    this.heading = element('div', { class: 'list-heading' });
    this.sum = element('p', { class: 'list-sum', hidden: true });
    this.scroller.append(
      element('div', { class: 'list-top' }, this.heading, this.sum, this.#tools(), this.orderMark),
      this.#search.hits, this.#list.element, this.blank);
    this.element.append(this.scroller, this.#buttons.round);
    this.#mode = entry.mode ?? 'browse';
    this.#showBar();
    if (rowActs) this.#makeActs();
    this.#mirror.addEventListener('fields', this.#onFields);
    this.#mirror.addEventListener('bars', this.#onBars);
    this.#mirror.addEventListener('change', this.#onRows);
    this.#mirror.addEventListener('sums', this.#onSums);
    this.#showEmpty();
    this.#showSums();
    this.#list.element.addEventListener('rest', () => this.#keepStateSoon());
  }

  async #loadActs(load) {
    await loadRowActs(load);
    if (!this.#new && !this.#isClosed) this.#makeActs();
  }

  /** Makes what acts on the rows. */
  #makeActs() {
    const { Drag, Drops, Many, NewRow, RowGestures } = rowActs;
    this.#drops = new Drops(this.#mirror);
    this.#many = new Many(this.#mirror, this.#list, () => this.#selecting());
    this.#new = new NewRow(this.screen.listId, {
      changed: () => this.#showSource(),
      canShow: (id) => !this.#view && !this.#isSearching && this.#mirror.indexOf(id) !== undefined,
      show: (id) => this.#point(id),
      focus: (id) => this.focus(id),
      scrollTo: (element) => this.#list.revealEnd(element),
      tail: () => (this.#isSearching ? null : this.#mirror.tail?.title),
    });
    this.#list.element.after(this.#new.element);
    this.element.append(this.#many.element);
    new RowGestures(this.#list, {
      isReady: () => !this.isEditing,
      swipes: (row) => this.#swipes(row),
      menu: (row, at) => this.#openMenu(row, at),
      toggle: (row) => this.#many.toggle(row),
      extend: (row) => this.#many.extend(row),
    });
    const give = (row, list) => attempt(() => (this.#many.has(row.id) ? this.#many.give(list)
      : this.#mirror.optimistically({ id: row.id }, async () => (await loaded(import('./move-sheet.js'))).moveRow(row, list))));
    new Drag(this.#list, this.scroller, (id, to) => this.#drops.drop(id, to), give, (row) => (this.#many.has(row.id) ? this.#many.group : null), () => this.#refuseDrag());
  }

  /** Runs an act on the rows: at once, or as soon as what it needs is loaded. */
  #act(work) {
    if (this.#new) return work();
    return attempt(async () => {
      await this.#loadActs(loaded);
      if (!this.#isClosed) await work();
    });
  }

  /** Called when the screen is on the page, because the number of rows depends on its height. */
  appeared() {
    this.#showSource();
    if (this.#top) this.#list.top = this.#top;
    if (!this.#new) attempt(() => this.#loadActs());
  }

  /** Reads the bar of the mode, the view and the search of the address. */
  async prepare() {
    const { view = {}, search } = this.screen;
    await this.#mirror.readBar(this.#mode);
    this.#showBar();
    if (view.sort || view.type || view.above) await attempt(() => this.#look(view));
    if (search?.words) await attempt(() => this.#search.show(search));
    return this;
  }

  get title() {
    return this.#mirror.bar('browse').title;
  }

  /** The screens above this one, the nearest first. */
  get above() {
    return screensAbove(this.#mirror.path);
  }

  /** Throws the server's problem if the list is gone. */
  verify() {
    return this.#mirror.readPath();
  }

  close() {
    clearTimeout(this.#stateTimer);
    this.#mirror.removeEventListener('fields', this.#onFields);
    this.#mirror.removeEventListener('bars', this.#onBars);
    this.#mirror.removeEventListener('change', this.#onRows);
    this.#mirror.removeEventListener('sums', this.#onSums);
    this.#view?.close();
    this.#isClosed = true;
    this.#new?.close();
    this.#list.close();
  }

  #showSource() {
    const source = this.#view ?? this.#mirror;
    this.#list.source = this.#isTyping ? new OpenEnd(source) : source;
    this.#showEmpty();
  }

  /** Applies another entry of this list: its mode, its view and its search. */
  update({ screen, mode = 'browse' }) {
    attempt(async () => {
      const { view = {}, search = { words: '' } } = screen;
      this.screen = screen;
      if (mode !== this.#mode) await this.#change(mode);
      if (orderTitle(view) !== orderTitle(this.#choice)) await this.#chooseView(view);
      await this.#search.show(search);
    });
  }

  /** Changes the mode as soon as there is a bar for it. */
  async #change(mode) {
    await this.#mirror.readBar(mode);
    this.#many?.end();
    this.#mode = mode;
    way.note(this.screen, { mode });
    this.#showBar();
    this.#list.redraw();
  }

  /** Shows the bar of the mode, if it looks different. */
  #showBar() {
    const described = this.#mirror.bar(this.#mode);
    // The bar of another mode than the first may be read later.
    if (!described) return;
    const { glyph, colour } = this.#mirror.summary ?? {};
    const bar = JSON.stringify([described, this.#mirror.shortcuts, glyph, colour]);
    if (bar !== this.#bar) this.#drawBar(described, this.#mirror.shortcuts);
    this.#bar = bar;
    this.element.classList.toggle('is-editing', this.isEditing);
    this.#showEmpty();
  }

  #drawBar(described, shortcuts) {
    const focused = this.element.querySelector(':scope > header :focus')?.closest('.bar-leading, .bar-trailing, h1');
    const list = this.#mirror.summary;
    const bar = navigationBar(described, (action) => this.#press(action), { list });
    this.#buttons.enter(bar);
    const old = this.element.querySelector(':scope > header');
    if (old) old.replaceWith(bar);
    else this.element.prepend(bar);
    this.heading.replaceChildren(...[largeTitle(described, this.element, list), this.#ways(shortcuts)].filter((part) => part));
    // If a button of the bar had the focus, focuses the button in its place.
    if (focused) (bar.querySelector(`.${focused.className} button`) ?? bar.querySelector('h1')).focus();
  }

  get isEditing() {
    return this.#mode === 'edit';
  }

  /** Whether rows are being selected. */
  get #isSelecting() {
    return this.#many?.isOn ?? false;
  }

  /** Whether new rows are being typed. */
  get #isTyping() {
    return this.#new?.isOpen ?? false;
  }

  /** Focuses the row with this id, or the title, for people who use the keyboard. */
  focus(id) {
    const index = id ? this.#mirror.indexOf(id) : undefined;
    if (index === undefined) this.element.querySelector('h1').focus({ preventScroll: true });
    else this.#list.focus(index);
  }

  /** Marks the row of the item that is shown beside the list. Null for none. */
  choose(id) {
    if (this.#list.chosen === id) return;
    this.#list.chosen = id;
    if (id) attempt(() => this.#reveal(id));
  }

  /** Scrolls to a row that is out of sight. */
  async #reveal(id) {
    let index = this.#list.source?.indexOf(id);
    if (index === undefined && !this.#view) ({ index } = await api.get(`/v1/rows/${id}`));
    if (index !== undefined && this.#list.chosen === id) this.#list.reveal(index);
  }

  /** Opens the field for new rows at the end of the list, if rows may be added. */
  add() {
    if (this.#mirror.rights.canAdd) this.#act(() => this.#new.open());
  }

  /** Points to a row in the list. */
  #point(id) {
    const index = this.#mirror.indexOf(id);
    if (index === undefined) return;
    if (!this.#isTyping) this.#list.reveal(index);
    this.#list.flash(id);
  }

  /** Opens the form for a new row of a kind, or for the list's own fields. Resolves when it is open. */
  resume({ mode, kind }) {
    const { listId } = this.screen;
    return mode === 'add' ? sheets.add(listId, { kind, added: (row) => this.#act(() => this.#new.show(row)) }) : sheets.editList(listId);
  }

  #openMenu(row, at) {
    return attempt(() => sheets.row(row, this.#isSearching ? this.#actsForHit(row) : this.#actsFor(row), this.#mirror.rights.deleteLabel, at));
  }

  // Keys on the focused row

  get #isSearching() {
    return this.#list.element.hidden;
  }

  /** The row, or the result of a search, that has the focus. */
  get #focused() {
    return this.#isSearching ? this.#search.focused : this.#list.focused;
  }

  /** Opens the sheet to move the focused row, or the selected ones, to another list. */
  relocate() {
    if (this.#isSelecting) return this.#many.move();
    const row = this.#focused;
    if (row && (row.home ? row.canMove : this.#mirror.rights.canMove)) attempt(() => sheets.move(row, row.home ?? this.screen.listId));
    return undefined;
  }

  /** Opens the form of the focused row. Returns false if there is none that can be edited. */
  editFocused() {
    const row = this.#focused;
    if (this.isEditing || this.#isSelecting || !row?.id || !row.canEdit) return false;
    this.#edit(row);
    return true;
  }

  #edit(row) {
    attempt(() => (row.list ? sheets.editList(row.id) : sheets.editItem(row.id)));
  }

  /** Removes the focused row, or the selected ones. Asks only if they hold rows, because it can be undone. */
  removeFocused() {
    if (this.#isSelecting) return this.#many.remove();
    const row = this.#focused;
    if (row?.canDelete) this.#remove(row, false);
    return undefined;
  }

  /** Prints the list. */
  print() {
    return void attempt(() => sheets.print(this.screen.listId));
  }

  /** Selects all rows. */
  selectAll() {
    if (this.#isSearching || this.isEditing) return false;
    return this.#act(() => this.#many.all());
  }

  /** Ends selecting. Returns false if nothing was being selected. */
  endSelecting() {
    return this.#many?.end() ?? false;
  }

  /** Shows what the focused row is. Returns false if no row that leads to a screen has the focus. */
  look() {
    const row = document.activeElement.matches('a[data-control=main], .hits a') ? this.#focused : undefined;
    if (row) attempt(() => sheets.look(row));
    return Boolean(row);
  }

  /** Moves the focused row up or down. Returns false if no row has the focus. */
  shift(step) {
    const row = this.#list.focused;
    if (!row) return false;
    this.#act(() => {
      const to = this.#mirror.indexOf(row.id) + step;
      if (this.#view || !row.canMove || !(to >= 0 && to < this.#mirror.count)) return;
      this.#drops.drop(row.id, to);
      this.#list.reveal(to);
      say(text('overPlace', { name: row.title, index: number(to + 1), count: number(this.#mirror.count) }));
    });
    return true;
  }

  /** Focuses the row, or the result of a search, before or after the focused one. */
  step(step) {
    if (this.#isSearching) this.#search.step(step);
    else this.#list.step(step);
  }

  /** Reads what is missing, for example after a time without connection. */
  refresh() {
    this.#list.refresh();
    this.#search.retry();
    if (this.#new) this.#new.retry();
    else attempt(() => this.#loadActs());
  }

  #tools() {
    const tool = (action, image, title, act) => element('button', {
      class: 'round', type: 'button', 'aria-label': title, title, data: { action }, onclick: act,
    }, icon(image));
    return element('div', { class: 'list-tools' }, this.#search.field,
      tool('order', 'order', text('order'), () => attempt(() => sheets.order(this.#choice, (choice) => this.#chooseView(choice)))),
      tool('select', 'select', text('select'), () => this.endSelecting() || this.#select()),
      tool('menu', 'dots', text('more'), () => attempt(() => sheets.menu(this.screen.listId))));
  }

  /** Shows what can be done while the list is empty. */
  #showEmpty() {
    const canAdd = this.#mirror.rights.canAdd && !this.#isTyping && !this.#isSelecting;
    const isBlank = this.#mirror.count === 0 && !this.#isSearching && !this.#isTyping && !this.#isSelecting;
    // Drawn again, the buttons would lose the focus.
    const looks = isBlank && `${canAdd} ${this.above.length}`;
    if (looks !== this.#blankLooks) this.blank.replaceChildren(...(isBlank ? [this.#emptyState(canAdd)] : []));
    this.#blankLooks = looks;
    this.blank.hidden = !isBlank;
    // In edit mode, the server's bar has a button to add.
    this.#buttons.show(canAdd && !this.isEditing, this.#mirror.rights.canAdd && !this.isEditing && !this.#isSelecting);
  }

  /** Shows how much the list and the lists in it hold. Changes further below do not draw their rows again. */
  #showSums() {
    const { summary } = this.#mirror;
    const facts = [summary?.rowCount ? sumOf(summary) : '', mayEdit() ? '' : text('viewOnly')].filter((fact) => fact);
    this.sum.hidden = !facts.length;
    this.sum.textContent = facts.join(' · ');
    this.#list.eachDrawn(({ list }, drawn) => {
      const shown = list && drawn.querySelector('.is-sum');
      const sum = shown && sumOf(list);
      if (shown && shown.textContent !== sum) shown.textContent = sum;
    });
  }

  #emptyState(canAdd) {
    // Not for a guest's list.
    const isFirst = this.above.length === 0 && !caller().listId;
    return emptyState({
      image: isFirst ? 'box' : 'folder', title: text(isFirst ? 'inventoryEmpty' : 'listEmpty'),
      detail: text(canAdd ? isFirst ? 'inventoryEmptyHint' : 'listEmptyHint' : 'emptyForReaders'),
      acts: canAdd ? [
        { title: text('addFirst'), act: () => this.add() },
        { title: text('importFile'), act: () => attempt(() => sheets.transfer(this.screen.listId)) },
        isFirst && { title: text('loadDemo'), act: () => attempt(() => sheets.demo(this.screen.listId)) },
      ] : [],
    });
  }

  /** The ways up, the nearest first. */
  #ways(shortcuts) {
    if (!shortcuts.length) return null;
    return element('nav', { class: 'way', 'aria-label': text('path') }, ...shortcuts.toReversed().map(({ id, title }) =>
      link(this.above.find(({ listId, itemId }) => id === (listId ?? itemId)) ?? { listId: id }, {}, element('bdi', {}, title))));
  }

  #press(action) {
    switch (action) {
      case 'back': return attempt(() => way.up(this.above[0] ?? { listId: 'root' }));
      case 'edit': return attempt(() => this.#change('edit'));
      case 'cancel':
      case 'done': return attempt(() => this.#change('browse'));
      case 'add': return this.isEditing ? attempt(() => this.resume({ mode: 'add' })) : this.add();
      default: return undefined;
    }
  }

  // Rows

  #content(row) {
    return rowContent(row, {
      isEditing: this.isEditing,
      isSelecting: this.#isSelecting,
      select: (chosen, { shiftKey }) => (shiftKey ? this.#many.extend(chosen) : this.#many.toggle(chosen)),
      deleteLabel: this.#mirror.rights.deleteLabel,
      canRelocate: this.#mirror.rights.canMove,
      edit: (chosen) => this.#edit(chosen),
      leave: () => this.#keepState(),
      remove: (chosen) => this.#remove(chosen),
      relocate: (chosen) => attempt(() => sheets.move(chosen, this.screen.listId)),
    });
  }

  /** Begins to select rows. */
  #select() {
    return this.#act(() => attempt(async () => {
      if (this.isEditing) await this.#change('browse');
      this.#many.start();
    }));
  }

  /** Draws the rows and the tools again when selecting begins or ends. */
  #selecting() {
    this.element.classList.toggle('is-selecting', this.#isSelecting);
    this.element.querySelector('[data-action=select]').setAttribute('aria-pressed', this.#isSelecting);
    this.#new?.forget();
    this.#list.redraw();
    this.#showEmpty();
  }

  /** What the menu of a row offers. */
  #actsFor(row) {
    const { rights } = this.#mirror;
    const canOrder = row.canMove && !this.#view && !this.#isSelecting;
    const toPlace = (index) => () => this.#act(() => this.#drops.drop(row.id, index));
    return {
      open: () => attempt(() => way.go(row.list ? { listId: row.id } : { itemId: row.id })),
      edit: row.canEdit ? () => attempt(() => (row.list ? sheets.editList(row.id) : sheets.editItem(row.id))) : null,
      select: this.isEditing ? null : () => this.#act(() => this.#many.toggle(row)),
      relocate: rights.canMove ? () => attempt(() => sheets.move(row, this.screen.listId)) : null,
      toTop: canOrder ? toPlace(0) : null,
      toBottom: canOrder ? toPlace(this.#mirror.count - 1) : null,
      remove: row.canDelete ? () => this.#remove(row, false) : null,
    };
  }

  /** What the menu of a result of a search offers. */
  #actsForHit(row) {
    return {
      open: () => attempt(() => way.go(row.list ? { listId: row.id } : { itemId: row.id })),
      edit: row.canEdit ? () => this.#edit(row) : null,
      relocate: row.canMove ? () => attempt(() => sheets.move(row, row.home)) : null,
      remove: row.canDelete ? () => this.#remove(row, false) : null,
    };
  }

  /** What swipes on a row do: towards the start they remove it, towards the end they move it to another list. */
  #swipes(row) {
    if (this.#isSelecting) return {};
    const { remove, relocate } = this.#actsFor(row);
    return {
      start: remove && { image: 'trash', act: remove, isGrave: true },
      end: relocate && { image: 'folder', act: relocate },
    };
  }

  async #remove(row, asks = true) {
    const { id, title } = row;
    const hasMore = Boolean(row.list?.rowCount || row.item?.contentsListId);
    await attempt(() => sheets.remove({ id, title, hasMore, inside: listInside(row) }, this.#mirror.rights.deleteLabel,
      { around: (write) => this.#mirror.optimistically({ id }, write), asks }));
    if (this.#isSearching) this.#search.repeat();
  }

  // Order

  get #choice() {
    return this.#view?.choice ?? {};
  }

  /** Shows the chosen view, and names it in the address. */
  async #chooseView(choice) {
    await this.#look(choice);
    this.#new?.forget();
    this.#showSource();
    this.#list.top = 0;
    // Above the first row are the title, the search and the name of the order.
    this.scroller.scrollTop = 0;
    this.#name({ view: choice });
    say(orderTitle(choice) || text('ownOrder'));
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

  /** Says why a row cannot be dragged in a view: it has an order of its own. */
  #refuseDrag() {
    if (!this.#view || !this.#mirror.rights.canMove) return;
    notify(text('dragInView'), { action: { title: text('ownOrder'), act: () => attempt(() => this.#chooseView({})) } });
  }

  #markOrder(choice) {
    const act = (key, work) =>
      element('button', { class: 'plain', type: 'button', onclick: () => attempt(work) }, text(key));
    const canKeep = choice.sort && !choice.type && !choice.above && this.#mirror.rights.canMove;
    this.#showOrderMark();
    this.orderMark.replaceChildren(...(this.#view ? [
      element('span', {}, orderTitle(choice)),
      canKeep ? act('keepOrder', () => this.#keepOrder(choice.sort)) : '',
      act('ownOrder', () => this.#chooseView({})),
    ] : []));
  }

  /** Results of a search are in the order of their relevance. */
  #showOrderMark() {
    this.orderMark.hidden = !this.#view || this.#isSearching;
  }

  async #keepOrder(sort) {
    const receipt = await api.post(`/v1/lists/${this.screen.listId}/reorder`, { sort });
    await take(receipt, text('reordered'));
    await this.#chooseView({});
  }

  // Place

  /** Names the view or the search in the address. */
  #name(change) {
    this.screen = { ...this.screen, ...change };
    way.note(this.screen, { screen: this.screen });
  }

  #keepStateSoon() {
    clearTimeout(this.#stateTimer);
    this.#stateTimer = setTimeout(() => this.#keepState(), 300);
  }

  /** Keeps where the list is scrolled to. */
  #keepState() {
    clearTimeout(this.#stateTimer);
    way.note(this.screen, { top: Math.max(0, Math.round(this.#list.top)) || undefined });
  }
}
