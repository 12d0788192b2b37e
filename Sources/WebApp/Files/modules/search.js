import { address, api } from './api.js';
import { element, newID } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { say } from './speech.js';
import { number, text } from './texts.js';

const pause = 180;
const pageSize = 30;

/** A field that searches below a list while it is typed into, and the hits, which stand where the rows were. */
export class Search {
  #listID;
  #open;
  #shows;
  #timer = 0;
  #abort = null;
  #shown = 0;

  /**
   * @param open goes to a hit.
   * @param shows is told whether hits are shown.
   */
  constructor(listID, { open, shows }) {
    this.#listID = listID;
    this.#open = open;
    this.#shows = shows;
    const id = `search-${newID()}`;
    this.input = element('input', {
      type: 'search', id, placeholder: text('search'), autocomplete: 'off', enterkeyhint: 'search', dir: 'auto',
      oninput: () => this.#typed(), onkeydown: (event) => this.#pressed(event),
    });
    this.field = element('div', { class: 'search-field', role: 'search' },
      element('label', { class: 'unseen', for: id }, text('search')), icon('search'), this.input);
    this.hits = element('section', { class: 'hits', 'aria-label': text('search'), hidden: true });
  }

  #pressed(event) {
    if (event.key === 'Escape' && this.input.value) {
      event.preventDefault();
      this.input.value = '';
      this.#typed();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.hits.querySelector('button')?.focus();
    }
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    const words = this.input.value.trim();
    if (!words) {
      this.hits.hidden = true;
      this.#shows(false);
      return;
    }
    this.#timer = setTimeout(() => attempt(() => this.#search(words, 0)), pause);
  }

  async #search(words, offset) {
    this.#abort = new AbortController();
    const found = await api.get(
      address('/v1/search', { q: words, listId: this.#listID, limit: pageSize, offset }),
      { signal: this.#abort.signal });
    if (offset === 0) {
      this.#shown = 0;
      this.hits.replaceChildren(
        element('p', { class: 'found' },
          found.count ? text('found', { count: number(found.count) + (found.truncated ? '+' : '') }) : text('foundNothing')),
        element('ul', { class: 'card choices', role: 'list' }));
      this.hits.hidden = false;
      this.#shows(true);
      say(this.hits.querySelector('.found').textContent);
    }
    this.hits.querySelector('.more')?.remove();
    this.hits.querySelector('ul').append(...found.hits.map((hit) => this.#hit(hit)));
    this.hits.querySelector('ul').hidden = !found.count;
    this.#shown += found.hits.length;
    if (found.hits.length && this.#shown < found.count) {
      this.hits.append(element('button', {
        class: 'plain more', type: 'button', onclick: () => attempt(() => this.#search(words, this.#shown)),
      }, text('more')));
    }
  }

  #hit(hit) {
    const way = hit.path.slice(0, -1).map((step) => step.title).join(' › ');
    return element('li', {}, element('button', { type: 'button', onclick: () => this.#open(hit) },
      element('span', { class: 'row-texts' },
        element('bdi', { class: 'row-title' }, hit.title),
        element('bdi', { class: 'snippet' }, ...hit.snippet.map((piece) =>
          piece.match ? element('mark', {}, piece.text) : piece.text)),
        element('bdi', { class: 'row-detail' }, way))));
  }
}
