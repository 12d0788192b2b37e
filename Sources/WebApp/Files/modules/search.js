import { Disconnected } from './api.js';
import { element, newID } from './dom.js';
import { Hits } from './hits.js';
import { icon } from './icons.js';
import { mirrors } from './mirrors.js';
import { attempt } from './notices.js';
import { text } from './texts.js';

const pause = 180;

/** A search field for a list and everything below it. The results replace the rows. */
export class Search {
  #listID;
  #isWhole;
  #shows;
  #tell;
  #timer = 0;
  #hits;
  /** The list that was searched last. Undefined for all. */
  #searched;
  /** The search that has no answer yet. */
  #unanswered = null;

  /**
   * @param isWhole whether the list contains everything else.
   * @param on `shows` is called with whether hits are shown, `typed` with the search that was typed, and `menu` opens
   *   the menu of a hit at a point.
   */
  constructor(listID, isWhole, { shows, typed, menu }) {
    this.#hits = new Hits(undefined, menu);
    this.#listID = listID;
    this.#isWhole = isWhole;
    this.#shows = shows;
    this.#tell = typed;
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
    if (event.key === 'Escape') {
      event.preventDefault();
      if (this.input.value) this.#empty();
      else this.input.blur();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.hits.querySelector('a')?.focus();
    }
  }

  /** Empties the field, which stays focused. */
  #empty() {
    this.input.value = '';
    this.#typed();
    this.input.focus();
  }

  /** The result that has the focus, as a row. Undefined if there is none. */
  get focused() {
    return this.#hits.focused;
  }

  /** Searches again after a change of a result. */
  repeat() {
    if (this.#words) attempt(() => this.#search(this.#searched));
  }

  /** Focuses the result before or after the focused one, or else the first. */
  step(step) {
    const results = [...this.hits.querySelectorAll('li a')];
    const at = results.indexOf(document.activeElement);
    results[at < 0 ? 0 : at + step]?.focus();
  }

  /** Shows a search as it was typed before. */
  async show({ words, isEverywhere }) {
    if (words === this.#words) return;
    this.input.value = words;
    if (words) await this.#search(isEverywhere ? undefined : this.#listID);
    else this.#clear();
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
      this.#clear();
    }
  }

  #clear() {
    this.hits.hidden = true;
    this.#shows(false);
    this.#tell({ words: '' });
  }

  get #words() {
    return this.input.value.trim();
  }

  async #search(listId) {
    const isNarrow = listId && !this.#isWhole;
    this.#unanswered = { listId };
    this.#searched = listId;
    this.#tell({ words: this.#words, isEverywhere: !listId });
    const known = mirrors.search(this.#words, listId);
    if (known.length) {
      this.#hits.showKnown(known);
      this.#appear();
    }
    try {
      await this.#hits.show({ q: this.#words, listId },
        isNarrow ? [{ title: text('searchEverywhere'), act: () => attempt(() => this.#search()) }] : [],
        [{ title: text('clear'), act: () => this.#empty() }]);
      this.#unanswered = null;
    } catch (error) {
      if (error instanceof Disconnected && !known.length) {
        // The results of an earlier search must not stay.
        this.#hits.showKnown([]);
        this.#appear();
      }
      throw error;
    }
    this.#appear();
  }

  #appear() {
    this.hits.hidden = false;
    this.#shows(true);
  }
}
