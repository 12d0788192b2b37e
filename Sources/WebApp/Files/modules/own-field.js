import { element, likeLineEnds } from './dom.js';
import { kind, normalized, shown } from './json-text.js';
import { text } from './texts.js';

let lines = 0;

/** The value of a typed text: it keeps the former type if the text fits it, and is a string otherwise. */
function read(typed, before) {
  const own = JSON.stringify(likeLineEnds(typed, shown(before)));
  if (kind(before) === 'string' || kind(before) === 'null') return own;
  try {
    const value = normalized(typed);
    // Part numbers such as 7E1234 look like numbers that the server cannot store.
    const isTooLarge = kind(value) === 'number' && !Number.isFinite(Number(value));
    return kind(value) === kind(before) && !isTooLarge ? value : own;
  } catch {
    return own;
  }
}

/**
 * One custom field of an item, as a line with its name and text. Untouched values stay as they are, even if a control
 * cannot hold them, such as line ends in a name.
 */
export class OwnField {
  #name;
  #shownName;
  #value;
  #shownText;
  #fault;

  /**
   * @param name the server's name; null for a new field.
   * @param value the value as JSON.
   * @param remove called by the button that removes the line.
   */
  constructor(name, value, remove) {
    const id = `own-field-${(lines += 1)}`;
    this.#name = name;
    this.name = element('input', {
      type: 'text', value: name ?? '', 'aria-label': text('field'), placeholder: text('field'), 'aria-describedby': id, dir: 'auto' });
    this.#shownName = this.name.value;
    this.#fault = element('p', { class: 'field-fault', id, dir: 'auto', hidden: true });
    this.text = this.#control(value);
    this.element = element('div', { class: 'own-field' }, this.name, this.text,
      element('button', {
        class: 'plain is-grave', type: 'button', 'aria-label': text('removeField', { name: name ?? '' }), onclick: remove,
      }, '×'), this.#fault);
    // What is typed may correct it.
    this.element.addEventListener('input', () => this.complain(null));
  }

  #control(value) {
    const typed = shown(value);
    const label = { 'aria-label': `${text('text')} ${this.#name ?? ''}`.trim(), placeholder: text('text'), dir: 'auto' };
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

  /** The name to send. */
  get key() {
    return this.hasTypedName ? this.name.value.trim() : this.#name;
  }

  /** The value as JSON. */
  get value() {
    return this.text.value === this.#shownText ? this.#value : read(this.text.value, this.#value);
  }

  set value(value) {
    const old = this.text;
    this.text = this.#control(value);
    old.replaceWith(this.text);
  }

  /** Whether it is a new line without input. */
  get isBlank() {
    return this.#name === null && !this.key && !this.text.value;
  }

  /** @param detail the error in the name; null for none. */
  complain(detail) {
    this.#fault.hidden = detail === null;
    this.#fault.textContent = detail ?? '';
    this.name.setAttribute('aria-invalid', String(detail !== null));
  }
}
