import { element } from './dom.js';
import { text } from './texts.js';

/** Edits tags: existing ones as chips, and a line for new ones, separated by commas. */
export class TagEditor {
  #tags = [];
  #chips = element('ul', { class: 'tag-chips', role: 'list' });
  input = element('input', { type: 'text', autocomplete: 'off', dir: 'auto' });
  element = element('div', { class: 'tag-editor' }, this.#chips, this.input);

  constructor(tags) {
    this.value = tags;
  }

  get value() {
    return [...this.#tags, ...this.input.value.split(/[,،]/).map((tag) => tag.trim()).filter((tag) => tag)];
  }

  set value(tags) {
    this.#tags = tags;
    this.input.value = '';
    this.#draw();
  }

  #draw() {
    this.#chips.hidden = !this.#tags.length;
    this.#chips.replaceChildren(...this.#tags.map((tag, index) => element('li', { class: 'tag-chip' },
      element('bdi', {}, tag),
      element('button', {
        class: 'plain is-grave', type: 'button', 'aria-label': text('removeTag', { name: tag }),
        onclick: () => this.#remove(index),
      }, '×'))));
  }

  #remove(index) {
    this.#tags = this.#tags.toSpliced(index, 1);
    this.#draw();
    const buttons = this.#chips.querySelectorAll('button');
    (buttons[index] ?? this.input).focus();
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
