import { mergedTags } from '../client/view.js';
import { Disconnected, Problem } from './api.js';
import { Conflict } from './conflict.js';
import { element, likeLineEnds } from './dom.js';
import { ColourEditor, GlyphEditor } from './look-editor.js';
import { TagEditor } from './tag-editor.js';
import { text } from './texts.js';
import { typedMoney } from './typed-money.js';
import { typedNumber } from './typed-number.js';

let fields = 0;

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const readers = {
  line: (input) => input.value.trim() || null,
  area: (input) => input.value || null,
  number: (input) => typedNumber(input.value),
  money: (input) => typedMoney(input.value),
  choice: (input) => input.value,
  flag: (input) => input.checked,
};

/** The editors of fields that have more than one control. */
const editors = { tags: TagEditor, glyph: GlyphEditor, swatch: ColourEditor };

/** The texts of values. */
const writers = {
  swatch: (value) => text(value),
  // Amounts have no cents or two digits of them, as everywhere else.
  money: (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value)),
  flag: (value) => text(value ? 'on' : 'off'),
};

function control(kind, value, options) {
  switch (kind) {
    case 'area':
      return element('textarea', { rows: 3, dir: 'auto' }, value ?? '');
    case 'choice':
      return element('select', {}, ...options.map(([name, title]) =>
        element('option', { value: name, selected: name === value }, title)));
    case 'flag':
      return element('input', { type: 'checkbox', role: 'switch', checked: value });
    case 'number':
    case 'money':
      return element('input', { type: 'text', inputmode: 'decimal', value: (writers[kind] ?? String)(value ?? ''), autocomplete: 'off', dir: 'ltr' });
    default:
      return element('input', { type: 'text', value: value ?? '', autocomplete: 'off', dir: 'auto' });
  }
}

/** A field of a form, with its label, its control and the server's error. */
class Field {
  /** The server's value. A control may not be able to hold it, such as line ends in a name. */
  #given;
  /** The editor of a field with more than one control. */
  #own;
  #hint;

  /**
   * @param description `{pointer, label, kind, value, options, hint}`; the pointer is the member's in the body. The `options` of
   *   tags are what a `TagEditor` takes.
   */
  constructor({ pointer, label, kind = 'line', value = null, options = [], hint = null }) {
    const id = `field-${(fields += 1)}`;
    this.pointer = pointer;
    this.kind = kind;
    this.#given = value;
    this.label = label;
    this.options = options;
    this.conflict = null;
    this.#own = editors[kind] ? new editors[kind](value, ...options) : null;
    this.input = this.#own?.input ?? control(kind, value, options);
    this.input.id = id;
    this.input.name = pointer;
    // A group of controls is no control that a label can name.
    if (this.input.matches('[role=radiogroup]')) this.input.setAttribute('aria-label', label);
    this.#hint = element('p', { class: 'field-hint', id: `${id}-hint`, hidden: hint === null }, hint);
    this.fault = element('p', { class: 'field-fault', id: `${id}-fault`, dir: 'auto', hidden: true });
    this.input.setAttribute('aria-describedby', `${id}-hint ${id}-fault`);
    this.element = element('div', { class: `field is-${kind}` },
      element('label', { for: id }, label), this.#editor,
      this.#hint, this.fault);
    this.original = this.value;
    // What is typed may correct it.
    for (const event of ['input', 'change']) this.element.addEventListener(event, () => this.complain(null));
  }

  get value() {
    const value = this.#own ? this.#own.value : readers[this.kind](this.input);
    return this.kind === 'area' && value ? likeLineEnds(value, this.#given ?? '') : value;
  }

  set value(value) {
    if (this.#own) this.#own.value = value;
    else if (this.kind === 'flag') this.input.checked = value;
    else this.input.value = this.kind === 'money' ? writers.money(value ?? '') : value ?? '';
  }

  /** What the control has, to be set as a `value` in a later form: a text that is no number stays one. */
  get typed() {
    if (this.#own) return this.#own.value;
    return this.kind === 'flag' ? this.input.checked : this.input.value;
  }

  /** The tags that only some of several items have, for a field of tags. */
  get partial() {
    return this.#own.partial;
  }

  /** The value to send. An untouched field sends the server's value unchanged. */
  get sent() {
    return this.isChanged ? this.value : this.#given;
  }

  get #editor() {
    return this.#own?.element ?? this.input;
  }

  get isChanged() {
    return !isEqual(this.value, this.original);
  }

  /** Copies what was typed into another form's field. If someone else changed the value too, shows both. */
  carryOver(old) {
    if (!old.isChanged) return;
    const [theirs, yours] = [this.original, old.value];
    if (this.kind === 'tags') {
      // Both people's tags stay, as in a change that has waited for a connection.
      this.value = mergedTags(theirs, yours, old.original);
      return;
    }
    this.value = yours;
    const isOpen = old.conflict && !old.conflict.isResolved;
    if (isEqual(theirs, yours) || (isEqual(theirs, old.original) && !isOpen)) return;
    this.conflict = new Conflict({
      label: this.label, theirs, yours, show: (value) => this.#shown(value), take: (value) => (this.value = value) });
    this.element.classList.add('has-conflict');
    this.fault.before(this.conflict.element);
    // What is typed from now on becomes the person's own value.
    this.#editor.addEventListener('input', () => this.conflict.type(this.value));
  }

  #shown(value) {
    if (value === null) return '';
    if (this.kind === 'choice') return this.options.find(([name]) => name === value)?.[1] ?? value;
    return (writers[this.kind] ?? String)(value);
  }

  /** A sentence below the control; null for none. */
  set hint(sentence) {
    this.#hint.hidden = sentence === null;
    this.#hint.textContent = sentence ?? '';
  }

  /** @param detail the error; null for none. */
  complain(detail) {
    this.fault.hidden = detail === null;
    this.fault.textContent = detail ?? '';
    this.input.setAttribute('aria-invalid', String(detail !== null));
  }
}

/** Groups of fields that make the members of a request's body. */
export class Form {
  #fields = [];
  #faults = element('p', { class: 'form-fault', role: 'alert', hidden: true });
  /** Whether the sentence above the fields only sums up the errors beside them. */
  #isSummary = false;

  /**
   * @param groups descriptions of fields, or other nodes. A text is a heading.
   * @param submit called when Enter is pressed in a line.
   */
  constructor(groups, submit) {
    const cards = groups.filter((group) => group.length).flatMap((group) => [
      ...group.filter((entry) => typeof entry === 'string').map((heading) => element('h3', {}, heading)),
      element('div', { class: 'card fields' }, ...group.filter((entry) => typeof entry !== 'string').map((entry) => {
        if (entry instanceof Node) return entry;
        const field = new Field(entry);
        this.#fields.push(field);
        return field.element;
      })),
    ]);
    this.element = element('form', { novalidate: true, onsubmit: (event) => { event.preventDefault(); submit(); } },
      this.#faults, ...cards, element('button', { class: 'unseen', type: 'submit', tabindex: '-1', 'aria-hidden': 'true' }));
    this.element.addEventListener('input', () => {
      if (this.#isSummary && this.#fields.every(({ fault }) => fault.hidden)) this.#faults.hidden = true;
    });
  }

  /** Shows the fields for reading only. */
  lock() {
    this.element.classList.add('is-locked');
    for (const input of this.element.querySelectorAll('input, select, textarea')) {
      // A text can still be selected.
      if (input.matches('textarea, [type=text]')) input.readOnly = true;
      else input.disabled = true;
    }
  }

  /** Focuses the first field. */
  focus() {
    this.#fields.find((field) => field.kind !== 'choice')?.input.focus();
  }

  field(pointer) {
    return this.#fields.find((field) => field.pointer === pointer);
  }

  /** The members, nested by their pointers: all that have a value, or only changed ones. */
  members({ changedOnly = false } = {}) {
    const members = {};
    for (const field of this.#fields) {
      if (changedOnly ? !field.isChanged : field.sent === null) continue;
      const path = field.pointer.split('/').slice(1);
      const last = path.pop();
      let home = members;
      for (const name of path) home = home[name] ??= {};
      home[last] = field.sent;
    }
    return members;
  }

  /** Whether any field has changed. */
  get isChanged() {
    return this.#fields.some((field) => field.isChanged);
  }

  /** Shows an error of saving, with the server's errors beside their fields. Returns false for other errors. */
  show(problem) {
    if (problem instanceof Disconnected) {
      this.remark(text('keptHere'));
      return true;
    }
    if (!(problem instanceof Problem)) return false;
    const rest = [];
    for (const field of this.#fields) field.complain(null);
    for (const { pointer, detail } of problem.members.errors ?? []) {
      const field = this.#fields.find((other) => pointer === other.pointer || pointer?.startsWith(`${other.pointer}/`));
      if (field) field.complain(detail);
      else rest.push(detail);
    }
    const first = this.#fields.find((field) => !field.fault.hidden);
    this.remark(rest.length ? `${problem.members.title}: ${rest.join(' ')}` : problem.members.title);
    this.#isSummary = first !== undefined && !rest.length;
    first?.input.focus();
    return true;
  }

  /** The values of the fields by pointer. */
  get values() {
    return Object.fromEntries(this.#fields.map(({ pointer, value }) => [pointer, value]));
  }

  /** What was typed, by pointer. */
  get typed() {
    return Object.fromEntries(this.#fields.filter((field) => field.isChanged).map(({ pointer, typed }) => [pointer, typed]));
  }

  /** Sets values by pointer. Others are ignored. */
  type(values) {
    for (const [pointer, value] of Object.entries(values)) {
      const field = this.field(pointer);
      if (field) field.value = value;
    }
  }

  /** Copies another form's values, except those that still equal the `sent` ones. */
  copy(old, sent = {}) {
    for (const { pointer, value } of old.#fields) {
      const own = this.field(pointer);
      if (own && !isEqual(value, sent[pointer])) own.value = value;
    }
  }

  /** Copies what was typed into another form of these fields. Returns the conflicts with values changed elsewhere. */
  carryOver(old) {
    for (const field of old.#fields) this.field(field.pointer)?.carryOver(field);
    return this.#fields.map((field) => field.conflict).filter((conflict) => conflict);
  }

  /** Whether both forms began with the same values. */
  hasSameOriginals(other) {
    return this.#fields.every((field) => isEqual(field.original, other.field(field.pointer)?.original));
  }

  /** Shows a sentence above the fields, with a button if there is an action: `{title, act}`. */
  remark(sentence, action) {
    this.#isSummary = false;
    this.#faults.hidden = false;
    this.#faults.replaceChildren(sentence, action
      ? element('button', { class: 'plain', type: 'button', onclick: action.act }, action.title) : '');
    this.element.closest('.sheet-body')?.scrollTo({ top: 0 });
  }
}
