import { Disconnected, pauseAfterTrouble, Problem } from './api.js';
import { element, isStill } from './dom.js';
import { ScaledScroll } from './scaled-scroll.js';

/**
 * The height of a row in units of the page's font size. Large text has room for two lines of a title. In a narrow window, the
 * parts of a row with large text are below each other.
 */
const rowHeightInFonts = { usual: 3.75, large: 5.5, narrow: 6.75 };
/** The font size in pixels from which text is large. */
const largeFont = 24;
/** Narrower lists, in the same units, have the higher rows. */
const leastWidthInFonts = 17;
const overscan = 6;
const ahead = 30;
const shiftTime = 320;
const flashTime = 2000;

/** Whether two rows have the same members in the same order, wherever they are. */
const isAlike = (one, other) => JSON.stringify({ ...one, index: 0 }) === JSON.stringify({ ...other, index: 0 });

/**
 * Shows the rows of a source. Only visible rows have elements and are fetched, however many there are. Elements belong
 * to ids, so that moved rows slide to their new places.
 *
 * A source has `length`, `row(index)`, `indexOf(id)` and `ensure(first, last)`, and dispatches `change`.
 */
export class RowList {
  #scroller;
  #source = null;
  #scroll = new ScaledScroll();
  #elements = new Map();
  #frame = 0;
  #restTimer = 0;
  #fetchTimer = 0;
  #shiftTimer = 0;
  #current = null;
  #anchor = null;
  #onChange = (event) => this.refresh(event.detail);
  #watcher = new ResizeObserver(() => this.refresh());
  /** The dragged row's id and the place of the gap for it. */
  #gap = null;
  #chosen = null;
  #isSelected = () => false;

  /**
   * @param scroller the element that scrolls.
   * @param content makes the content of a row.
   * @param label the list's accessible name.
   */
  constructor(scroller, content, label) {
    this.#scroller = scroller;
    this.content = content;
    this.element = element('ul', { class: 'rows', role: 'list', 'aria-label': label });
    this.#fit();
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
    this.element.addEventListener('focusin', (event) => {
      this.#current = event.target.closest('li')?.dataset.key ?? null;
      this.#markCurrent();
    });
    this.#scroller.addEventListener('scroll', this.#scrolled, { passive: true });
    this.#watcher.observe(scroller);
  }

  get source() {
    return this.#source;
  }

  set source(source) {
    this.#source?.removeEventListener('change', this.#onChange);
    this.#source = source;
    this.#source?.addEventListener('change', this.#onChange);
    this.redraw();
  }

  close() {
    this.source = null;
    this.#watcher.disconnect();
    this.#scroller.removeEventListener('scroll', this.#scrolled);
    for (const timer of [this.#restTimer, this.#fetchTimer, this.#shiftTimer]) clearTimeout(timer);
    cancelAnimationFrame(this.#frame);
  }

  /** The scroll position in real pixels from the first row. */
  get top() {
    return this.#scroll.follow(this.#position);
  }

  /** Scrolls to a position. */
  set top(real) {
    if (!this.#source) return;
    this.#measure();
    this.#scroller.scrollTop = this.#scroll.jump(real) + this.element.offsetTop;
    this.#draw();
  }

  /** Draws all rows again, for example in another mode. */
  redraw() {
    for (const shown of this.#elements.values()) shown.row = null;
    this.refresh();
  }

  /** Calls a function with each drawn row and its element. */
  eachDrawn(body) {
    for (const { row, element: drawn } of this.#elements.values()) if (row) body(row, drawn);
  }

  /** Shows the source's current rows. */
  refresh({ isAnimated = false } = {}) {
    if (!this.#source) {
      this.element.replaceChildren();
      this.#elements.clear();
      return;
    }
    const isMoving = isAnimated && !isStill();
    this.element.classList.toggle('is-shifting', isMoving);
    if (isMoving) {
      // Reads the layout, so that animations start from the rows' current places.
      this.element.getBoundingClientRect();
      clearTimeout(this.#shiftTimer);
      this.#shiftTimer = setTimeout(() => this.element.classList.remove('is-shifting'), shiftTime + 50);
    }
    this.#measure();
    this.#holdAnchor();
    this.#draw(isMoving);
  }

  /** The list or item whose row contains an element; undefined for the sentinel, a heading, and a row that is not loaded. */
  rowOf(node) {
    const index = this.#elements.get(node?.closest?.('li')?.dataset.key)?.index;
    const row = index === undefined ? undefined : this.#source?.row(index);
    return row?.id && row.type !== 'section' ? row : undefined;
  }

  /** The element of a row; undefined if it is not drawn. */
  elementOf(id) {
    return this.#elements.get(id)?.element;
  }

  /** The place in the list at a vertical position in the window. */
  placeAt(clientY) {
    return (clientY - this.element.getBoundingClientRect().top + this.#scroll.offset) / this.rowHeight;
  }

  /** Opens a gap for a dragged row, `{id, to, isHeld}`. Null closes it. */
  set gap(gap) {
    this.#gap = gap;
    if (gap && !isStill()) this.element.classList.add('is-shifting');
    this.#draw();
  }

  get gap() {
    return this.#gap;
  }

  /** The row that has the focus; undefined for none. */
  get focused() {
    return this.element.contains(document.activeElement) ? this.rowOf(document.activeElement) : undefined;
  }

  /** Marks the row with this id as the current one. Null for none. */
  set chosen(id) {
    this.#chosen = id;
    for (const [key, shown] of this.#elements) this.#markChosen(key, shown);
  }

  get chosen() {
    return this.#chosen;
  }

  /** Marks the rows that are selected. @param isSelected tells it by id. */
  mark(isSelected) {
    this.#isSelected = isSelected;
    for (const [key, shown] of this.#elements) this.#markSelected(key, shown);
  }

  #markSelected(key, { element: item, controls }) {
    const isSelected = this.#isSelected(key);
    item.classList.toggle('is-selected', isSelected);
    controls.find((control) => control.getAttribute('role') === 'checkbox')?.setAttribute('aria-checked', isSelected);
  }

  #markChosen(key, { element: item, controls }) {
    const isChosen = key === this.#chosen;
    item.classList.toggle('is-chosen', isChosen);
    const main = controls.find((control) => control.dataset.control === 'main');
    if (isChosen) main?.setAttribute('aria-current', 'true');
    else main?.removeAttribute('aria-current');
  }

  /** Scrolls to a row that is out of sight. */
  reveal(index) {
    const top = index * this.rowHeight;
    const visible = this.#scroller.clientHeight - this.rowHeight;
    if (top < this.top || top > this.top + visible) {
      this.top = Math.max(0, top < this.top ? top : top - visible);
    }
  }

  /** Scrolls to an element below the last row, only as far as it takes. */
  revealEnd(element) {
    // In a very long list, scroll positions are exact only near its ends; see ScaledScroll.
    if (this.#scroll.total - this.top > 2 * this.#scroller.clientHeight) this.top = this.#scroll.total;
    element.scrollIntoView({ block: 'nearest' });
    this.#draw();
  }

  /** Points to a row for a moment. */
  flash(id) {
    this.elementOf(id)?.animate(
      [{ background: 'var(--fresh)' }, { background: 'var(--fresh)', offset: 0.6 }, {}], flashTime);
  }

  /** Scrolls to a row and focuses it. */
  async focus(index, control = 'main') {
    this.reveal(index);
    if (!this.#source.row(index)) await this.#source.ensure(index - ahead, index + ahead);
    const row = this.#source?.row(index);
    const shown = this.#elements.get(row?.id ?? (row ? 'tail' : `?${index}`));
    const buttons = shown?.element.querySelectorAll('a, button:not(:disabled)') ?? [];
    ([...buttons].find((button) => button.dataset.control === control) ?? buttons[0])?.focus({ preventScroll: true });
  }

  // Scrolling

  get #position() {
    return this.#scroller.scrollTop - this.element.offsetTop;
  }

  #scrolled = () => {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), 160);
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#source) this.#draw();
    });
  };

  #rest() {
    if (!this.#source) return;
    const position = this.#scroll.rest(this.#position);
    if (position !== null) {
      this.#scroller.scrollTop = position + this.element.offsetTop;
      this.#draw();
    }
    this.element.dispatchEvent(new Event('rest'));
  }

  /** Sets the height of rows. Keeps the topmost row in place if that changes. */
  #fit() {
    const font = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { clientWidth } = this.#scroller;
    // It has no width before it is on the page.
    const isNarrow = clientWidth > 0 && clientWidth < leastWidthInFonts * font;
    const kind = isNarrow ? 'narrow' : font < largeFont ? 'usual' : 'large';
    const height = Math.round(font * rowHeightInFonts[kind]);
    if (height === this.rowHeight) return;
    this.rowHeight = height;
    this.element.style.setProperty('--row-height', `${height}px`);
    for (const one of ['narrow', 'large']) this.#scroller.classList.toggle(`is-${one}`, one === kind);
    if (this.#anchor?.index) this.top = this.#anchor.index * height;
  }

  #measure() {
    this.#fit();
    this.#scroll.total = this.#source.length * this.rowHeight;
    this.#scroll.window = this.#scroller.clientHeight;
    const height = `${Math.max(this.#scroll.height, this.rowHeight)}px`;
    if (this.element.style.height !== height) this.element.style.height = height;
  }

  /** Keeps the topmost row in place when rows are added or removed above it. */
  #holdAnchor() {
    const place = this.#anchor && this.#source.indexOf(this.#anchor.id);
    if (place === null || place === undefined || this.top < this.rowHeight || this.#gap) return;
    const shift = (place - this.#anchor.index) * this.rowHeight;
    if (!shift) return;
    this.element.classList.remove('is-shifting');
    this.top = this.top + shift;
  }

  // Drawing

  /** The place at which a row is drawn during a drag. */
  #slot(index) {
    const gap = this.#gap;
    // Others may have added rows above it meanwhile.
    const from = gap && this.#source.indexOf(gap.id);
    if (!gap || from === undefined) return index;
    if (index === from) return gap.to;
    const without = index - (index > from ? 1 : 0);
    return without + (without >= gap.to ? 1 : 0);
  }

  #draw(isMoving = false) {
    const source = this.#source;
    if (!source) return;
    const top = this.top;
    const first = Math.max(0, Math.floor(top / this.rowHeight) - overscan);
    const last = Math.min(source.length - 1, Math.ceil((top + this.#scroll.window) / this.rowHeight) + overscan);
    // Nothing reads the layout after this: the rows change it, and each reading would work it out again.
    const kept = new Set();
    const focused = this.element.contains(document.activeElement)
      ? { key: document.activeElement.closest('li')?.dataset.key, control: document.activeElement.dataset.control }
      : null;
    const place = (index) => {
      const row = source.row(index);
      const key = row ? (row.id ?? 'tail') : `?${index}`;
      kept.add(key);
      this.#place(key, row, index, isMoving, focused?.key === key ? focused.control : null);
    };
    for (let index = first; index <= last; index += 1) place(index);
    for (const key of [focused?.key, this.#gap?.id]) {
      const index = key && !kept.has(key) ? source.indexOf(key) : undefined;
      if (index !== undefined) place(index);
    }
    this.#removeAllBut(kept, isMoving, focused);
    this.#inOrder();
    this.#markCurrent(top);
    const topRow = Math.max(0, Math.ceil(top / this.rowHeight));
    const anchor = source.row(topRow);
    this.#anchor = anchor?.id ? { id: anchor.id, index: topRow } : null;
    this.#fetch(first, last);
  }

  /** @param control the control of the row that has the focus. */
  #place(key, row, index, isMoving, control) {
    let shown = this.#elements.get(key);
    // A press on a row that is drawn again has no effect.
    if (shown?.row && row && shown.row !== row && isAlike(shown.row, row)) shown.row = row;
    if (!shown) {
      shown = { element: element('li', { class: 'row', data: { key } }), row: null, index: -1, controls: [] };
      this.#elements.set(key, shown);
      this.element.append(shown.element);
      if (isMoving && row) shown.element.animate([{ opacity: 0 }, { opacity: 1 }], shiftTime);
    } else if (isMoving && shown.row && row && shown.row !== row) {
      shown.element.animate([{ background: 'var(--fresh)' }, {}], 3 * shiftTime);
    }
    if (shown.row !== row || !shown.element.firstChild) {
      shown.element.replaceChildren(...this.content(row));
      shown.row = row;
      shown.controls = [...shown.element.querySelectorAll('a, button')];
      shown.reach = null;
      this.#markChosen(key, shown);
      this.#markSelected(key, shown);
      shown.element.classList.toggle('is-tail', row?.id === null);
      shown.element.classList.toggle('is-section', row?.type === 'section');
      if (control) shown.element.querySelector(`[data-control="${control}"]`)?.focus({ preventScroll: true });
    }
    const size = this.#source.length;
    if (shown.index !== index || shown.size !== size) {
      [shown.index, shown.size] = [index, size];
      shown.element.setAttribute('aria-setsize', size);
      shown.element.setAttribute('aria-posinset', index + 1);
      shown.element.classList.toggle('is-last', index === size - 1);
    }
    // A row held by a finger follows the finger.
    if (!(this.#gap?.isHeld && this.#gap.id === key)) {
      const offset = this.#slot(index) * this.rowHeight - this.#scroll.offset;
      shown.element.style.transform = `translateY(${offset}px)`;
    }
  }

  #removeAllBut(kept, isMoving, focused) {
    for (const [key, shown] of this.#elements) {
      if (kept.has(key)) continue;
      this.#elements.delete(key);
      if (isMoving && shown.row) {
        shown.element.inert = true;
        shown.element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 200 }).finished
          .then(() => shown.element.remove(), () => {});
      } else {
        shown.element.remove();
      }
      // If the removed row had the focus, focuses the row now in its place.
      if (focused?.key === key) {
        queueMicrotask(() => this.focus(Math.min(shown.index, this.#source.length - 1), focused.control));
      }
    }
  }

  /** Sorts the elements in the document, for screen readers and the Tab key. */
  #inOrder() {
    const sorted = [...this.#elements.values()].sort((left, right) => left.index - right.index);
    let before = null;
    for (const { element } of sorted) {
      const follows = before ? before.nextElementSibling : this.element.firstElementChild;
      // Moving the focused element would lose the focus, so the others move around it.
      if (element !== follows && !element.contains(document.activeElement)) {
        if (before) before.after(element);
        else this.element.prepend(element);
      }
      before = element;
    }
  }

  /** Makes one row reachable by the Tab key. Arrow keys reach the others. */
  #markCurrent(top = this.top) {
    let current = this.#elements.get(this.#current);
    if (!current?.controls.length) {
      const first = top / this.rowHeight - 0.5;
      current = [...this.#elements.values()]
        .filter((shown) => shown.index >= first && shown.controls.length)
        .sort((left, right) => left.index - right.index)[0];
    }
    for (const shown of this.#elements.values()) {
      const reach = shown === current ? 0 : -1;
      if (shown.reach === reach) continue;
      shown.reach = reach;
      for (const control of shown.controls) control.tabIndex = reach;
    }
  }

  #pressed(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const item = event.target.closest('li');
    const index = this.#elements.get(item?.dataset.key)?.index;
    if (index === undefined) return;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -index, End: this.#source.length };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#step(index, step, event.target.dataset.control);
  }

  /** Focuses the row before or after the focused one, or else the one that the Tab key reaches. */
  step(step) {
    const item = this.element.contains(document.activeElement) ? document.activeElement.closest('li') : null;
    const index = this.#elements.get(item?.dataset.key)?.index;
    if (index !== undefined) return this.#step(index, step, document.activeElement.dataset.control);
    const first = [...this.#elements.values()].find(({ reach }) => reach === 0);
    return first && this.focus(first.index);
  }

  #step(index, step, control) {
    const last = this.#source.length - 1;
    const isStop = (place) => this.#source.row(place)?.id !== null && this.#source.row(place)?.type !== 'section';
    const target = Math.max(0, Math.min(index + step, last));
    // Rows that cannot be opened are skipped.
    const way = Math.sign(step);
    for (const [place, turn] of [[target, way], [target, -way]]) {
      let stop = place;
      while (stop >= 0 && stop <= last && !isStop(stop)) stop += turn;
      if (stop >= 0 && stop <= last) return void this.focus(stop, control);
    }
  }

  // Fetching

  #fetch(first, last) {
    clearTimeout(this.#fetchTimer);
    this.#fetchTimer = setTimeout(async () => {
      try {
        await this.#source?.ensure(first - ahead, last + ahead);
      } catch (error) {
        // Fetched again when the server is reached, unless the list is gone.
        if (!(error instanceof Disconnected || error instanceof Problem)) throw error;
        // The server failed for the moment: tries again later.
        if (error.mayPass) this.#fetchTimer = setTimeout(() => this.refresh(), pauseAfterTrouble);
      }
    }, 40);
  }
}
