import { address, api, Disconnected, Problem } from './api.js';
import { element, isRightToLeft } from './dom.js';
import { icon } from './icons.js';
import { filling, isWorking, kept } from './kept.js';
import { link } from './link.js';
import { attempt } from './notices.js';
import { countOf, sumOf, sumsBelow } from './sums.js';
import { number, text } from './texts.js';
import { listTile } from './tile.js';

/** The most lists shown inside a list until the person asks for all. */
const mostShown = 200;
const pageSize = 1000;

let groups = 0;

/** What the server answers. Without a connection, what is kept. */
async function orKept(ask, known) {
  try {
    return await ask();
  } catch (error) {
    const found = error instanceof Disconnected && isWorking() ? known() : undefined;
    if (!found) throw error;
    return found;
  }
}

/** All lists in a kept list, as a page of rows. Undefined if it is not kept. */
function keptLists(id) {
  const rows = kept.rows(id)?.filter(({ list }) => list);
  return rows && { rows, matched: rows.length, isKept: true };
}

/** A list in the tree. While it is open, `branches` are the lists in it. */
class Branch {
  #tree;
  #tile = listTile({});
  #title = element('bdi', { class: 'tree-title' });
  #count = element('span', { class: 'tree-count' });
  #reading = null;
  #isStale = false;
  /** Its summary. */
  #list;
  branches = [];
  isOpen = false;
  #mayHave = null;
  /** Whether all lists in it are shown, and not only the first ones. */
  #isWhole = false;

  constructor(tree, id, above) {
    this.#tree = tree;
    this.id = id;
    this.above = above;
    this.level = above ? above.level + 1 : 1;
    this.group = element('ul', { role: 'group', id: `tree-${(groups += 1)}`, hidden: true });
    this.more = element('li', { role: 'none' });
    const toggle = element('span', {
      class: 'tree-toggle', 'aria-hidden': 'true', onclick: (event) => {
        event.preventDefault();
        event.stopPropagation();
        attempt(() => this.toggle());
      },
    }, icon(isRightToLeft() ? 'chevron-left' : 'chevron-right'));
    this.row = link({ listId: id }, {
      class: 'tree-row', role: 'treeitem', tabindex: '-1', 'aria-level': this.level, data: { list: id },
      style: { '--level': this.level - 1 },
    }, toggle, this.#tile, this.#title, this.#count);
    // Hidden until it has a title.
    this.element = element('li', { role: 'none', hidden: true }, this.row, this.group);
  }

  /** @param list its summary: title, count of rows, glyph and colour. */
  set(list) {
    const { title, rowCount: count } = list;
    this.#list = list;
    const tile = listTile(list);
    this.#tile.replaceWith(tile);
    this.#tile = tile;
    this.title = title;
    this.#title.textContent = title;
    this.element.hidden = false;
    if (count !== this.count) this.#mayHave = null;
    this.count = count;
    this.learn();
  }

  /**
   * Shows how much is in it, and finds out whether lists may be in it. The store knows, if it keeps all that is below.
   * Otherwise any row may be a list until it is opened.
   */
  learn() {
    if (!this.#list) return;
    const count = countOf(this.#list);
    if (this.#count.textContent !== count) this.#count.textContent = count;
    this.#count.title = sumOf(this.#list);
    const below = sumsBelow(this.id)?.listCount;
    const mayHave = (below ?? this.count) > 0;
    if (mayHave === this.#mayHave) return;
    this.#mayHave = mayHave;
    if (!mayHave && this.isOpen) this.close();
    this.#mayOpen(mayHave);
  }

  get canOpen() {
    return this.row.hasAttribute('aria-expanded');
  }

  #mayOpen(canOpen) {
    if (!canOpen) this.row.removeAttribute('aria-expanded');
    else this.row.setAttribute('aria-expanded', String(this.isOpen));
    if (canOpen && this.isOpen) this.row.setAttribute('aria-owns', this.group.id);
    else this.row.removeAttribute('aria-owns');
  }

  toggle() {
    return this.isOpen ? this.close() : this.open();
  }

  async open() {
    if (this.isOpen || !this.canOpen) return;
    await this.read();
    this.isOpen = this.branches.length > 0;
    this.group.hidden = !this.isOpen;
    this.#mayOpen(this.isOpen);
  }

  close() {
    this.isOpen = false;
    this.group.hidden = true;
    if (this.group.contains(document.activeElement)) this.row.focus();
    this.#show([]);
    this.#mayOpen(true);
    this.#tree.mark();
  }

  /** Reads the lists in it. A change during a read causes another one. */
  read() {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readAll() {
    while (this.#isStale) {
      this.#isStale = false;
      const rows = [];
      for (let page; !page || (this.#isWhole && page.rows.length && rows.length < page.matched);) {
        page = await orKept(() => api.get(address(`/v1/lists/${this.id}/rows`, {
          type: 'list', sentinel: false, offset: rows.length, limit: this.#isWhole ? pageSize : mostShown,
        }), { isQuiet: true }), () => keptLists(this.id));
        // What is kept is all of it.
        if (page.isKept) rows.length = 0;
        rows.push(...page.rows);
        this.matched = page.matched;
      }
      this.#show(rows);
    }
    this.#tree.mark();
  }

  #show(rows) {
    const known = new Map(this.branches.map((branch) => [branch.id, branch]));
    this.branches = rows.map(({ id }) => known.get(id) ?? new Branch(this.#tree, id, this));
    rows.forEach(({ list }, index) => {
      const branch = this.branches[index];
      branch.set(list);
      branch.row.setAttribute('aria-posinset', index + 1);
      branch.row.setAttribute('aria-setsize', this.matched);
    });
    const focused = this.group.contains(document.activeElement) ? document.activeElement : null;
    const lines = this.branches.map((branch) => branch.element);
    if (rows.length && rows.length < this.matched) lines.push(this.#rest());
    if (lines.length !== this.group.children.length || lines.some((line, index) => line !== this.group.children[index])) {
      this.group.replaceChildren(...lines);
      if (focused) (focused.isConnected ? focused : this.row).focus({ preventScroll: true });
    }
    if (!rows.length && this.isOpen) {
      this.isOpen = false;
      this.group.hidden = true;
      this.#mayOpen(false);
    }
  }

  /** The button for the lists that are not shown yet. */
  #rest() {
    this.more.replaceChildren(element('button', {
      class: 'tree-row tree-more', role: 'treeitem', type: 'button', tabindex: '-1', 'aria-level': this.level + 1,
      style: { '--level': this.level },
      onclick: () => attempt(() => {
        this.#isWhole = true;
        return this.read();
      }),
    }, text('showAll', { count: number(this.matched) })));
    return this.more;
  }
}

/**
 * The tree of all lists, in the pattern of https://www.w3.org/WAI/ARIA/apg/patterns/treeview/. Each level is read when it
 * is opened, and read again after changes.
 */
export class Tree {
  #root;
  /** The ids of the lists from the first one to the current one. */
  #way = [];
  #turn = 0;

  /** @param rootID the id of the first list. */
  constructor(rootID) {
    this.#root = new Branch(this, rootID, null);
    // Until the server answers.
    const known = kept.list(rootID);
    if (known) this.#root.set(known);
    const learn = () => {
      for (const branch of this.#shown()) branch.learn();
    };
    kept.subscribe(learn);
    filling.addEventListener('change', learn);
    this.element = element('ul', {
      role: 'tree', class: 'tree', 'aria-label': text('lists'), onkeydown: (event) => this.#pressed(event),
      onfocusin: (event) => this.#reach(event.target),
    }, this.#root.element);
  }

  /** Reads the first list and the lists in it. */
  async load() {
    await this.#readRoot();
    await (this.#root.isOpen ? this.#root.read() : this.#root.open());
    this.mark();
  }

  async #readRoot() {
    const { id } = this.#root;
    this.#root.set(await orKept(() => api.get(`/v1/lists/${id}`, { isQuiet: true }), () => kept.list(id)));
  }

  /** The branches that are shown, from top to bottom. */
  *#shown(branch = this.#root) {
    yield branch;
    for (const each of branch.branches) yield* this.#shown(each);
  }

  /** The shown branch of a list. */
  branch(id) {
    return [...this.#shown()].find((each) => each.id === id);
  }

  /** Opens the lists above the current list, and marks it. */
  async show(way) {
    const turn = (this.#turn += 1);
    this.#way = way;
    for (const id of way.slice(0, -1)) {
      await this.#quietly([this.branch(id)?.open()]);
      if (turn !== this.#turn) return;
    }
    this.mark()?.row.scrollIntoView({ block: 'nearest' });
  }

  /** Marks the current list, or the nearest list above it that is shown. Returns its branch. */
  mark() {
    const shown = new Map([...this.#shown()].map((branch) => [branch.id, branch]));
    const nearest = shown.get(this.#way.findLast((id) => shown.has(id)));
    for (const branch of shown.values()) {
      if (branch !== nearest) branch.row.removeAttribute('aria-current');
    }
    nearest?.row.setAttribute('aria-current', nearest.id === this.#way.at(-1) ? 'page' : 'location');
    if (!this.element.querySelector('[tabindex="0"]')) this.#reach((nearest ?? this.#root).row);
    return nearest;
  }

  /** Reads what an event has changed. */
  async hear({ deltas }) {
    const changed = new Set(deltas.map(({ listId }) => listId));
    const work = [...this.#shown()].filter((branch) => branch.isOpen && changed.has(branch.id)).map((branch) => branch.read());
    if (changed.has(this.#root.id)) work.push(this.#readRoot().then(() => this.#root.open()));
    await this.#quietly(work);
  }

  /** Reads all that is shown again. */
  async reload() {
    const below = [...this.#shown()].filter((branch) => branch.isOpen && branch !== this.#root);
    await this.#quietly([this.load(), ...below.map((branch) => branch.read())]);
  }

  /** A list that is gone disappears with the list above it. What could not be read is read after the next connection. */
  async #quietly(work) {
    for (const { reason } of await Promise.allSettled(work)) {
      if (reason && !(reason instanceof Problem || reason instanceof Disconnected)) throw reason;
    }
  }

  // Keys

  /** Makes one row reachable by the Tab key. */
  #reach(row) {
    for (const other of this.element.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
  }

  #pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = [...this.element.querySelectorAll('[role=treeitem]')].filter((row) => row.checkVisibility());
    const at = rows.indexOf(event.target);
    if (at < 0) return;
    const [inwards, outwards] = isRightToLeft() ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const branch = this.branch(event.target.dataset.list);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
    if (event.key in steps) rows[steps[event.key]]?.focus();
    else if (event.key === inwards && branch?.isOpen) rows[at + 1]?.focus();
    else if (event.key === inwards && branch) attempt(() => branch.open());
    else if (event.key === outwards && branch?.isOpen) branch.close();
    else if (event.key === outwards) event.target.closest('[role=group]')?.previousElementSibling?.focus();
    else if (event.key === ' ') event.target.click();
    else return;
    event.preventDefault();
  }
}
