import { ancestors } from './ancestors.js';
import { address, api, Disconnected } from './api.js';
import { commands } from './commands.js';
import { element, newID } from './dom.js';
import { fuzzy } from './fuzzy.js';
import { icon } from './icons.js';
import { mirrors } from './mirrors.js';
import { attempt, tell } from './notices.js';
import { plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';
import { way } from './way.js';

/** Milliseconds without typing before the server is asked. */
const pause = 150;
const mostKnown = 12;
const mostFound = 12;

/** A list or an item as an entry. */
const placeEntry = ({ id, isList, title, detail }) => ({
  key: id, title, detail, image: isList ? 'folder' : 'box',
  act: () => attempt(() => way.go(isList ? { listId: id } : { itemId: id })),
});

/** The lists and items that the page knows, except the one on the screen, as entries. */
function knownPlaces() {
  const { listId, itemId } = way.now.screen;
  return mirrors.known().filter(({ id }) => ![listId, itemId].includes(id)).map(placeEntry);
}

/**
 * Finds a list, an item or a command by typing: at once among what is known, then with the server's search.
 *
 * @param typed what was typed before the palette was loaded.
 */
export function openPalette(typed) {
  new Palette(commands(), typed);
}

class Palette {
  #sheet;
  #known;
  #commands;
  #entries = [];
  #active = 0;
  #timer = 0;
  #abort = null;

  constructor(acts, typed) {
    this.#commands = acts;
    this.#known = knownPlaces();
    const id = `palette-${newID()}`;
    this.input = element('input', {
      type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': id, 'aria-autocomplete': 'list',
      'aria-label': text('palette'), placeholder: text('keyPalette'), autocomplete: 'off', spellcheck: 'false',
      enterkeyhint: 'go', oninput: () => this.#typed(), onkeydown: (event) => this.#pressed(event),
    });
    this.options = element('ul', { class: 'card palette-options', id, role: 'listbox', 'aria-label': text('palette') });
    this.status = element('p', { class: 'empty', role: 'status' });
    this.#sheet = new Sheet(plainBar(text('palette')), [
      element('div', { class: 'search-field' }, icon('search'), this.input), this.options, this.status,
    ], {}, 'is-palette');
    this.#sheet.whenClosed.then(() => this.#stop());
    this.input.value = typed;
    this.#typed();
    this.input.focus();
  }

  get #words() {
    return this.input.value.trim();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  #typed() {
    this.#stop();
    this.#active = 0;
    this.#show(this.#words ? this.#ranked() : [...this.#known.slice(0, mostKnown), ...this.#commands]);
    if (this.#words) this.#timer = setTimeout(() => this.#search(), pause);
  }

  #ranked() {
    return [...this.#known, ...this.#commands]
      .map((entry) => ({ entry, score: fuzzy(this.#words, entry.title) }))
      .filter(({ score }) => score)
      .sort((left, right) => right.score - left.score)
      .slice(0, mostKnown).map(({ entry }) => entry);
  }

  /** Adds what the server finds below what is shown, so that the chosen option keeps its place. */
  async #search() {
    this.#abort = new AbortController();
    try {
      const { hits } = await api.get(
        address('/v1/search', { q: this.#words, limit: mostFound }), { signal: this.#abort.signal });
      const shown = new Set(this.#entries.map(({ key }) => key));
      this.#show([...this.#entries, ...hits.filter(({ id }) => !shown.has(id)).map(({ id, type, title, path }) => placeEntry({
        id, isList: type === 'list', title, detail: ancestors(path.slice(0, -1).map((step) => step.title)) }))]);
      this.status.textContent = this.#entries.length ? '' : text('foundNothing');
    } catch (error) {
      // Without a connection, what is known is all there is.
      if (!(error instanceof Disconnected)) tell(error);
    }
  }

  #show(entries) {
    this.#entries = entries;
    this.status.textContent = '';
    this.options.hidden = !entries.length;
    this.options.replaceChildren(...entries.map(({ title, detail, image }, index) => element('li', {
      role: 'option', id: `${this.options.id}-${index}`, onclick: () => this.#choose(index),
      onpointermove: () => this.#mark(index),
    }, icon(image), element('span', { class: 'row-texts' },
      element('bdi', { class: 'row-title' }, title), detail ? element('bdi', { class: 'row-detail' }, detail) : null))));
    this.#mark(Math.min(this.#active, entries.length - 1));
  }

  /** Marks the option that Enter chooses. */
  #mark(index) {
    this.#active = Math.max(0, index);
    [...this.options.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === this.#active)));
    const marked = this.options.children[this.#active];
    if (marked) this.input.setAttribute('aria-activedescendant', marked.id);
    else this.input.removeAttribute('aria-activedescendant');
  }

  #pressed(event) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#choose(this.#active);
    } else if (step && this.#entries.length) {
      event.preventDefault();
      const { length } = this.#entries;
      this.#mark((this.#active + step + length) % length);
      this.options.children[this.#active].scrollIntoView({ block: 'nearest' });
    }
  }

  #choose(index) {
    const entry = this.#entries[index];
    if (!entry) return;
    this.#sheet.close();
    entry.act();
  }
}
