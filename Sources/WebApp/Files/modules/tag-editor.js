import { element } from './dom.js';
import { readTags, suggestedTags, tagInUse } from './known-tags.js';
import { text } from './texts.js';

const commas = /[,،]/;

/**
 * Edits tags: existing ones as chips, and a line for new ones, separated by commas. Below it are tags in use, those that
 * begin like the last typed one. One that differs from a tag in use only by case becomes that tag.
 *
 * For several items, a tag that only some of them have is a chip with their number. A press on its name, or typing it, gives
 * it to all.
 */
export class TagEditor {
  #tags = [];
  /** The numbers of items, in words, by the tags that only some of them have. */
  #partial;
  #chips = element('ul', { class: 'tag-chips', role: 'list' });
  #suggested = element('div', { class: 'tag-chips', hidden: true });
  input = element('input', {
    type: 'text', autocomplete: 'off', dir: 'auto', placeholder: text('addTags'), oninput: () => this.#suggest(),
    onfocus: () => readTags().then(() => this.#suggest()),
  });
  element = element('div', { class: 'tag-editor' }, this.#chips, this.input, this.#suggested);

  constructor(tags, partial = new Map()) {
    this.#partial = partial;
    this.value = tags;
  }

  /** The typed tags, as typed. */
  get #typed() {
    return this.input.value.split(commas).map((tag) => tag.trim()).filter((tag) => tag);
  }

  /** The typed tags, each as it is in use. */
  get #new() {
    return this.#typed.map((tag) => tagInUse(tagInUse(tag), this.#tags));
  }

  /** The tags that are for some of the items only, and stay so. */
  get partial() {
    return [...this.#partial.keys()].filter((tag) => this.#tags.includes(tag) && !this.#new.includes(tag));
  }

  get value() {
    const typed = this.#new;
    return [...this.#tags, ...typed.filter((tag) => !this.#tags.includes(tag))];
  }

  set value(tags) {
    for (const tag of this.#new) this.#partial.delete(tag);
    this.#tags = tags;
    this.input.value = '';
    this.#suggest();
    this.#draw();
  }

  #draw() {
    this.#chips.hidden = !this.#tags.length;
    this.#chips.replaceChildren(...this.#tags.map((tag, index) => element('li', { class: 'tag-chip' },
      this.#name(tag),
      element('button', {
        class: 'plain is-grave', type: 'button', 'aria-label': text('removeTag', { name: tag }),
        onclick: () => this.#remove(index),
      }, '×'))));
  }

  #name(tag) {
    const count = this.#partial.get(tag);
    if (!count) return element('bdi', {}, tag);
    return element('button', {
      class: 'tag-partial', type: 'button', title: text('tagForAll', { name: tag }), 'aria-label': `${tag}, ${count}. ${text('tagForAll', { name: tag })}`,
      onclick: () => {
        this.#partial.delete(tag);
        this.#draw();
        this.input.focus();
        this.input.dispatchEvent(new Event('input', { bubbles: true }));
      },
    }, element('bdi', {}, tag), element('span', { class: 'tag-count' }, count));
  }

  #suggest() {
    const last = this.input.value.split(commas).at(-1).trim();
    const used = tagInUse(last);
    // Before anything is typed, only in the field in which the person is.
    const isMeant = last || document.activeElement === this.input;
    const found = isMeant ? suggestedTags(last, this.value.filter((tag) => tag !== used)).filter((tag) => tag !== last) : [];
    this.#suggested.hidden = !found.length;
    this.#suggested.replaceChildren(...found.map((tag) => element('button', {
      class: 'tag', type: 'button', onclick: () => this.#choose(tag),
    }, element('bdi', {}, tag === used ? text('tagKnown', { name: tag }) : tag))));
  }

  /** Takes a tag in the place of the last typed one. */
  #choose(tag) {
    const typed = this.input.value.split(commas).slice(0, -1).join(',');
    this.input.value = typed ? `${typed}, ${tag}` : tag;
    this.value = this.value;
    this.input.focus();
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #remove(index) {
    this.#tags = this.#tags.toSpliced(index, 1);
    this.#draw();
    const buttons = this.#chips.querySelectorAll('button');
    (buttons[index] ?? this.input).focus();
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
