import { element, newID } from './dom.js';
import { Hits } from './hits.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { text } from './texts.js';

const pause = 180;

/** A search field for a list and everything below it. The results replace the rows. */
export class Search {
  #listID;
  #isWhole;
  #shows;
  #timer = 0;
  #hits;
  /** The search that has no answer yet. */
  #unanswered = null;

  /**
   * @param isWhole whether the list contains everything else.
   * @param open called with the chosen hit.
   * @param shows called with whether hits are shown.
   */
  constructor(listID, isWhole, { open, shows }) {
    this.#listID = listID;
    this.#isWhole = isWhole;
    this.#shows = shows;
    this.#hits = new Hits(open);
    const id = `search-${newID()}`;
    this.input = element('input', {
      type: 'search', id, placeholder: text('search'), autocomplete: 'off', enterkeyhint: 'search',
      oninput: () => this.#typed(), onkeydown: (event) => this.#pressed(event),
    });
    this.field = element('div', { class: 'search-field', role: 'search' },
      element('label', { class: 'unseen', for: id }, text('search')), icon('search'), this.input);
    this.hits = element('section', { 'aria-label': text('search'), hidden: true }, this.#hits.element);
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

  /** Searches again if the last search had no answer, for example without a connection. */
  retry() {
    if (this.#unanswered) attempt(() => this.#search(this.#unanswered.listId));
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#hits.stop();
    this.#unanswered = null;
    if (this.#words) {
      this.#timer = setTimeout(() => attempt(() => this.#search(this.#listID)), pause);
    } else {
      this.hits.hidden = true;
      this.#shows(false);
    }
  }

  get #words() {
    return this.input.value.trim();
  }

  async #search(listId) {
    const isNarrow = listId && !this.#isWhole;
    this.#unanswered = { listId };
    await this.#hits.show({ q: this.#words, listId }, isNarrow
      ? element('button', { class: 'plain more', type: 'button', onclick: () => attempt(() => this.#search()) },
        text('searchEverywhere'))
      : null);
    this.#unanswered = null;
    this.hits.hidden = false;
    this.#shows(true);
  }
}
