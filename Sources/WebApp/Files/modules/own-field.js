import { element, likeLineEnds } from './dom.js';
import { kind, normalized, shown } from './json-text.js';
import { text } from './texts.js';

let lines = 0;

/** The value of a typed text: a number where there was a number and the text is one, and so on; else the text. */
function read(typed, before) {
  const own = JSON.stringify(likeLineEnds(typed, shown(before)));
  if (kind(before) === 'string' || kind(before) === 'null') return own;
  try {
    const value = normalized(typed);
    return kind(value) === kind(before) ? value : own;
  } catch {
    return own;
  }
}

/**
 * One of a member's own fields: a line of name and text. What nobody types into stays as it was, also where a control
 * can't hold it, such as line ends in a name.
 */
export class OwnField {
  #name;
  #shownName;
  #value;
  #shownText;
  #fault;

  /**
   * @param name as the server has it; null for a field to be made.
   * @param value as JSON.
   * @param remove is called by the button that removes the line.
   */
  constructor(name, value, remove) {
    const id = `own-field-${(lines += 1)}`;
    this.#name = name;
    this.name = element('input', {
      type: 'text', value: name ?? '', 'aria-label': text('field'), 'aria-describedby': id, dir: 'auto' });
    this.#shownName = this.name.value;
    this.#fault = element('p', { class: 'field-fault', id, dir: 'auto', hidden: true });
    this.text = this.#control(value);
    this.element = element('div', { class: 'own-field' }, this.name, this.text,
      element('button', {
        class: 'plain is-grave', type: 'button', 'aria-label': text('removeField', { name: name ?? '' }), onclick: remove,
      }, '×'), this.#fault);
  }

  #control(value) {
    const typed = shown(value);
    const label = { 'aria-label': `${text('text')} ${this.#name ?? ''}`.trim(), dir: 'auto' };
    const made = /[\r\n]/.test(typed)
      ? element('textarea', { rows: 3, ...label }, typed) : element('input', { type: 'text', value: typed, ...label });
    this.#value = value;
    this.#shownText = made.value;
    return made;
  }

  /** Whether the name was typed here. */
  get hasTypedName() {
    return this.#name === null || this.name.value !== this.#shownName;
  }

  /** The name as it is sent. */
  get key() {
    return this.hasTypedName ? this.name.value.trim() : this.#name;
  }

  /** As JSON. */
  get value() {
    return this.text.value === this.#shownText ? this.#value : read(this.text.value, this.#value);
  }

  set value(value) {
    const old = this.text;
    this.text = this.#control(value);
    old.replaceWith(this.text);
  }

  /** Whether it is a new line into which nothing was typed. */
  get isBlank() {
    return this.#name === null && !this.key && !this.text.value;
  }

  /** @param detail what is wrong with the name; null: nothing. */
  complain(detail) {
    this.#fault.hidden = detail === null;
    this.#fault.textContent = detail ?? '';
    this.name.setAttribute('aria-invalid', String(detail !== null));
  }
}
