import { Conflict } from './conflict.js';
import { element } from './dom.js';
import { text } from './texts.js';

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** Not what every object has by its nature, as `constructor`. */
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value) ?? '');

/** A member's own fields as lines of name and text; values that are no texts are kept as long as nobody types there. */
export class OwnFields {
  #lines = [];
  #list = element('div', { class: 'own-fields' });

  /** @param values as the server has them. */
  constructor(values) {
    this.original = values;
    for (const [name, value] of Object.entries(values)) this.#add(name, value);
    this.element = element('div', { class: 'field is-own' },
      element('span', { class: 'field-name' }, text('fields')), this.#list,
      element('button', { class: 'plain', type: 'button', onclick: () => this.#add('', '').name.focus() },
        text('addField')));
  }

  #add(name, value) {
    const line = {
      value, shown: shown(value),
      name: element('input', { type: 'text', value: name, 'aria-label': text('field'), dir: 'auto' }),
      text: element('input', {
        type: 'text', value: shown(value), 'aria-label': `${text('text')} ${name}`.trim(), dir: 'auto' }),
    };
    line.element = element('div', { class: 'own-field' }, line.name, line.text,
      element('button', {
        class: 'plain is-grave', type: 'button', 'aria-label': text('removeField', { name }),
        onclick: () => this.#remove(line),
      }, '×'));
    this.#lines.push(line);
    this.#list.append(line.element);
    return line;
  }

  #remove(line) {
    this.#lines = this.#lines.filter((other) => other !== line);
    line.element.remove();
  }

  #line(name) {
    return this.#lines.find((line) => line.name.value.trim() === name);
  }

  /** Has a name's value be this; undefined: none. */
  #set(name, value) {
    const line = this.#line(name);
    if (value === undefined) {
      if (line) this.#remove(line);
    } else if (line) {
      Object.assign(line, { value, shown: shown(value) });
      line.text.value = line.shown;
    } else {
      this.#add(name, value);
    }
  }

  /** The object that the lines make. */
  get value() {
    const named = this.#lines.filter((line) => line.name.value.trim());
    return Object.fromEntries(named.map((line) =>
      [line.name.value.trim(), line.text.value === line.shown ? line.value : line.text.value]));
  }

  /** A merge-patch (RFC 7396) of the fields that were changed, and of no others. */
  get patch() {
    const { original, value } = this;
    const names = [...new Set([...Object.keys(original), ...Object.keys(value)])];
    return Object.fromEntries(names.filter((name) => !isEqual(own(original, name), own(value, name)))
      .map((name) => [name, own(value, name) ?? null]));
  }

  get isChanged() {
    return Object.keys(this.patch).length > 0;
  }

  /** Takes over what was changed in other lines; what was changed on both sides is a conflict, with a choice. */
  carryOver(old) {
    const conflicts = [];
    const typed = old.value;
    for (const name of Object.keys(old.patch)) {
      const [before, theirs, yours] = [old.original, this.original, typed].map((values) => own(values, name));
      this.#set(name, yours);
      if (isEqual(before, theirs) || isEqual(theirs, yours)) continue;
      const conflict = new Conflict({
        label: name, theirs, yours, show: shown, take: (value) => this.#set(name, value) });
      const home = element('div', { class: 'own-conflict' }, element('bdi', { class: 'field-name' }, name), conflict.element);
      const line = this.#line(name);
      if (line) line.element.after(home);
      else this.#list.append(home);
      conflicts.push(conflict);
    }
    return conflicts;
  }
}
