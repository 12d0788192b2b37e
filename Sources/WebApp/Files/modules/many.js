import { element, focusTitle } from './dom.js';
import { icon } from './icons.js';
import { isFilling } from './kept.js';
import { attempt, notify } from './notices.js';
import { loaded, sheets } from './sheets.js';
import { say } from './speech.js';
import { listInside, sumsBelow } from './sums.js';
import { countingRows, dollars, number, text } from './texts.js';

/** The most rows that can be selected. One change of the API takes no more. */
export const mostSelected = 100;

/** What a row adds to the sum of the selection, with everything in it. NaN if that is not known yet. */
function worth(row) {
  const { item, list } = row;
  const inside = listInside(row);
  const unknown = isFilling() ? NaN : list?.totalValueInDollars ?? 0;
  const below = inside ? sumsBelow(inside)?.totalValueInDollars ?? unknown : 0;
  return below + (item?.valueInDollars ?? 0) * (item?.quantity ?? 1);
}

/** Whether a row can be selected. The sentinel and the headings of sections cannot. */
const isSelectable = (row) => Boolean(row?.id) && row.type !== 'section';

/**
 * The selected rows of a list, and the bar with what can be done with them. A row that others move stays selected. One
 * that is gone leaves the selection.
 */
export class Many {
  /** The selected rows by id. Null while nothing can be selected. */
  #rows = null;
  /** The selected rows that the mirror has. One that it no longer has after a change is gone. */
  #known = new Set();
  #anchor = null;
  #mirror;
  #list;
  #changed;
  #count = element('p', { class: 'select-count' });
  #acts = element('div', { class: 'select-acts' });
  /** The bar at the bottom of the screen. */
  element = element('footer', { class: 'toolbar select-bar', hidden: true }, this.#count, this.#acts);

  /**
   * @param list the `RowList`.
   * @param changed called when selecting begins or ends.
   */
  constructor(mirror, list, changed) {
    this.#mirror = mirror;
    this.#list = list;
    this.#changed = changed;
  }

  /** Whether rows are being selected. */
  get isOn() {
    return this.#rows !== null;
  }

  get rows() {
    return [...(this.#rows?.values() ?? [])];
  }

  has(id) {
    return this.#rows?.has(id) ?? false;
  }

  /** Begins to select. */
  start() {
    if (this.isOn) return;
    this.#rows = new Map();
    this.#turn();
    say(text('selecting'));
  }

  /** Ends, and selects nothing. Returns false if nothing was being selected. */
  end() {
    if (!this.isOn) return false;
    this.#rows = null;
    this.#anchor = null;
    this.#turn();
    return true;
  }

  #turn() {
    const hasFocus = this.element.contains(document.activeElement);
    this.element.hidden = !this.isOn;
    if (hasFocus) focusTitle();
    this.#changed();
    this.#show();
  }

  /** Selects a row, or no longer. */
  toggle(row) {
    if (!isSelectable(row)) return;
    this.start();
    this.#anchor = row.id;
    if (this.#rows.delete(row.id)) this.#show();
    else this.#add([row]);
  }

  /** Selects the rows from the one that was pressed last to this one. */
  extend(row) {
    const { source } = this.#list;
    const [from, to] = [this.#anchor, row.id].map((id) => (id ? source.indexOf(id) : undefined));
    if (from === undefined || to === undefined) return this.toggle(row);
    const step = Math.sign(to - from) || 1;
    return this.#add(Array.from({ length: Math.abs(to - from) + 1 }, (_, place) => source.row(from + place * step)));
  }

  /** Selects all rows that are loaded, up to the limit. */
  all() {
    const { source } = this.#list;
    this.start();
    this.#add(Array.from({ length: source.length }, (_, index) => source.row(index)));
  }

  /** Selects rows as far as the limit allows, and tells it if there are more. */
  #add(rows) {
    const others = rows.filter((row) => isSelectable(row) && !this.has(row.id));
    const room = mostSelected - this.#rows.size;
    for (const row of others.slice(0, room)) this.#rows.set(row.id, row);
    this.#note();
    this.#show();
    // The rest of a long list is not loaded.
    const isMore = others.length > room || (others.length === room && rows.includes(undefined));
    if (isMore) notify(text('selectLimit', { count: number(mostSelected) }));
  }

  /** Takes over what has changed in the list. `isChange` is false if rows were only loaded or forgotten. */
  follow(isChange) {
    if (!this.isOn) return;
    for (const id of this.#rows.keys()) {
      const index = this.#mirror.indexOf(id);
      if (index !== undefined) this.#rows.set(id, this.#mirror.row(index));
      else if (this.#mirror.isKept || (isChange && this.#known.has(id))) this.#rows.delete(id);
    }
    this.#note();
    this.#show();
  }

  #note() {
    this.#known = new Set([...this.#rows.keys()].filter((id) => this.#mirror.indexOf(id) !== undefined));
  }

  // Bar

  /** Draws the marks of the rows and the bar. */
  #show() {
    this.#list.mark((id) => this.has(id));
    if (!this.isOn) return;
    const sum = this.rows.reduce((total, row) => total + worth(row), 0);
    const sentence = text(sum ? 'selectedSum' : 'selected', { count: number(this.#rows.size), sum: dollars(sum) });
    if (this.#count.textContent === sentence) return;
    if (this.#count.textContent) say(sentence);
    this.#count.textContent = sentence;
    this.#drawActs();
  }

  /** Draws the buttons that the rights of the list allow. */
  #drawActs() {
    const { rights } = this.#mirror;
    const { rows } = this;
    const button = (action, image, title, isEnabled, act) => element('button', {
      class: 'bar-button', type: 'button', disabled: !isEnabled, data: { action }, onclick: act,
    }, icon(image), element('span', {}, title));
    const focused = this.#acts.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.#acts.replaceChildren(...[
      button('selectAll', 'select', text('selectAll'), true, () => this.all()),
      rights.canMove ? button('moveSelected', 'folder', text('move'), rows.length, () => this.move()) : null,
      rights.canEdit ? button('tagSelected', 'tag', text('tag'), rows.some(({ item }) => item), () => this.tag()) : null,
      rights.canDelete
        ? button('removeSelected', 'trash', rights.deleteLabel, rows.length && rows.every((row) => row.canDelete), () => this.remove())
        : null,
      button('endSelecting', 'cross', text('done'), true, () => this.end()),
    ].filter((part) => part));
    if (!focused) return;
    const same = this.#acts.querySelector(`[data-action=${focused}]:not(:disabled)`);
    (same ?? this.#acts.lastElementChild).focus({ preventScroll: true });
  }

  // Acts

  /** Moves the selected rows to another list. */
  move() {
    const { rows } = this;
    if (!rows.length || !this.#mirror.rights.canMove) return;
    attempt(() => sheets.move(rows.length === 1 ? rows[0] : rows, this.#mirror.id, () => this.end()));
  }

  /** Moves the selected rows to a list, `{id, title}`. */
  async give(list) {
    const { rows } = this;
    const { moveRow } = await loaded(import('./move-sheet.js'));
    await moveRow(rows.length === 1 ? rows[0] : rows, list, () => this.end());
  }

  /**
   * The selected rows as one, `{name, id}`: the name is the title of the only row, or how many there are. The id is that of a
   * list, if there is one, which cannot be moved into itself.
   */
  get group() {
    const { rows } = this;
    return { name: rows.length === 1 ? rows[0].title : countingRows(rows), id: (rows.find(({ list }) => list) ?? rows[0]).id };
  }

  /** Changes the tags of the selected items. */
  tag() {
    attempt(async () => {
      const { askForTags, tagMany } = await loaded(import('./many-changes.js'));
      askForTags(this.rows, (change) => tagMany(this.rows, change, this.#mirror.id));
    });
  }

  /** Removes the selected rows. */
  remove() {
    const { rights, id } = this.#mirror;
    if (!this.rows.length || !this.rows.every((row) => row.canDelete)) return;
    attempt(async () => {
      const { removeMany } = await loaded(import('./many-changes.js'));
      if (await removeMany(this.rows, rights.deleteLabel, id)) this.end();
    });
  }
}
