import { ancestors } from './ancestors.js';
import { address, api } from './api.js';
import { mayEdit } from './caller.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { link } from './link.js';
import { attempt } from './notices.js';
import { worthOf } from './row.js';
import { say } from './speech.js';
import { number, text } from './texts.js';
import { rowTile } from './tile.js';

const pageSize = 30;

/** Search results: the count, the hits with their paths, and a button for more. */
export class Hits {
  #leave;
  #abort = null;
  #query = null;
  #shown = 0;
  /** The hits by their lines. */
  #hits = new WeakMap();
  element = element('div', { class: 'hits' });

  /**
   * @param leave called before the page goes to the chosen hit.
   * @param menu opens the menu of a hit at a point: `(row, {x, y})`. Without it, the browser shows its own.
   */
  constructor(leave, menu) {
    this.#leave = leave;
    if (menu) this.element.addEventListener('contextmenu', (event) => this.#contextMenu(event, menu));
  }

  #contextMenu(event, menu) {
    const row = this.#rowOf(event.target);
    if (!row || event.pointerType === 'touch') return;
    event.preventDefault();
    const { left, bottom } = event.target.getBoundingClientRect();
    menu(row, event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom });
  }

  /** The hit that has the focus, as a row. Undefined if there is none. */
  get focused() {
    return this.#rowOf(document.activeElement);
  }

  /** A hit as a row of its list, whose id is its `home`. The server says whether it may be changed. */
  #rowOf(node) {
    const hit = this.#hits.get(node.closest('li'));
    if (!hit) return undefined;
    const mayChange = mayEdit();
    // Of a row that the page knows, the path tells its list.
    const home = hit.listId ?? hit.path.slice(0, -1).findLast(({ type }) => type === 'list')?.id;
    return { ...hit, home, canEdit: mayChange, canMove: mayChange, canDelete: mayChange };
  }

  /** Cancels the current request. */
  stop() {
    this.#abort?.abort();
  }

  /**
   * Shows the results of a query of `/v1/search`.
   *
   * @param acts what can be done below the hits, as `{title, act}`.
   * @param last what else can be done if there are none.
   */
  async show(query, acts = [], last = []) {
    this.stop();
    const found = await this.#ask(query, 0);
    this.#present(query, found, acts, last);
    say(found.count ? this.element.querySelector('.found').textContent : text('foundNothing'));
  }

  /** Shows known results until the server's arrive. */
  showKnown(hits) {
    this.#present(null, { hits, count: hits.length, truncated: true });
  }

  #present(query, found, acts = [], last = []) {
    const hasFocus = this.element.contains(document.activeElement);
    this.#query = query;
    this.#shown = 0;
    const count = number(found.count) + (found.truncated ? '+' : '');
    this.list = element('ul', { class: 'card choices', role: 'list' });
    this.element.replaceChildren(...(found.count
      ? [element('p', { class: 'found' }, text('found', { count })), this.list, ...acts.map(({ title, act }) =>
        element('button', { class: 'plain more', type: 'button', onclick: act }, title))]
      : [emptyState({ image: 'search', title: text('foundNothing'), detail: text('foundNothingHint'), acts: [...acts, ...last] })]));
    if (found.count) this.#append(found);
    if (hasFocus) this.element.querySelector('a')?.focus();
  }

  #ask(query, offset) {
    this.#abort = new AbortController();
    return api.get(address('/v1/search', { ...query, limit: pageSize, offset }), { signal: this.#abort.signal });
  }

  #append(found) {
    this.list.append(...found.hits.map((hit) => this.#hit(hit)));
    this.#shown += found.hits.length;
    if (!found.hits.length || this.#shown >= found.count) return;
    const button = element('button', {
      class: 'plain more', type: 'button',
      onclick: () => attempt(async () => {
        const next = await this.#ask(this.#query, this.#shown);
        button.remove();
        this.#append(next);
      }),
    }, text('more'));
    this.list.after(button);
  }

  #hit(hit) {
    const way = ancestors(hit.path.slice(0, -1).map((step) => step.title));
    const screen = hit.type === 'list' ? { listId: hit.id } : { itemId: hit.id };
    const snippet = hit.snippet.map((piece) => (piece.match ? element('mark', {}, piece.text) : piece.text));
    const isTitle = hit.snippet.map((piece) => piece.text).join('') === hit.title;
    const worth = worthOf(hit);
    const line = element('li', {}, link(screen, { leave: this.#leave },
      rowTile({ ...hit, canEdit: mayEdit() }),
      element('span', { class: 'row-texts' },
        element('bdi', { class: 'row-title' }, ...(isTitle ? snippet : [hit.title])),
        isTitle ? null : element('bdi', { class: 'snippet' }, ...snippet),
        element('bdi', { class: 'row-detail' }, way)),
      worth === null ? null : element('span', { class: 'row-value' }, worth)));
    this.#hits.set(line, hit);
    return line;
  }
}
