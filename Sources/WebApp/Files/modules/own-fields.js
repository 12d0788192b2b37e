import { Conflict } from './conflict.js';
import { element } from './dom.js';
import { OwnField, shown } from './own-field.js';
import { text } from './texts.js';

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** Not what every object has by its nature, as `constructor`. */
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge-patch (RFC 7396) of the members that differ, and of no others. */
function difference(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(names.map((name) => [name, own(before, name), own(after, name)])
    .filter(([, one, other]) => !isEqual(one, other))
    .map(([name, one, other]) => [name, isObject(one) && isObject(other) ? difference(one, other) : other ?? null]));
}

/** A member's own fields as lines of name and text. */
export class OwnFields {
  #lines = [];
  /** By name: the conflict, and the value that its field has. */
  #conflicts = new Map();
  #list = element('div', { class: 'own-fields', oninput: () => this.#typed() });

  /** @param values as the server has them. */
  constructor(values) {
    this.original = values;
    for (const [name, value] of Object.entries(values)) this.#add(name, value);
    this.element = element('div', { class: 'field is-own' },
      element('span', { class: 'field-name' }, text('fields')), this.#list,
      element('button', { class: 'plain', type: 'button', onclick: () => this.#add(null, '').name.focus() },
        text('addField')));
  }

  #add(name, value) {
    const line = new OwnField(name, value, () => {
      this.#remove(line);
      this.#typed();
    });
    this.#lines.push(line);
    this.#list.append(line.element);
    return line;
  }

  #remove(line) {
    this.#lines = this.#lines.filter((other) => other !== line);
    line.element.remove();
  }

  #line(name) {
    return this.#lines.find((line) => line.key === name);
  }

  /** Has a name's value be this; undefined: none. */
  #set(name, value) {
    const line = this.#line(name);
    if (value === undefined) {
      if (line) this.#remove(line);
    } else if (line) {
      line.value = value;
    } else {
      this.#add(name, value);
    }
  }

  /** The object that the lines make. */
  get value() {
    return Object.fromEntries(this.#lines.filter((line) => !line.isBlank).map((line) => [line.key, line.value]));
  }

  /** A merge-patch (RFC 7396) of the fields that were changed, and of no others. */
  get patch() {
    return difference(this.original, this.value);
  }

  get isChanged() {
    return Object.keys(this.patch).length > 0;
  }

  /** Says beside each line why it can't be saved; returns whether all can. */
  check() {
    const taken = new Set(this.#lines.filter((line) => !line.hasTypedName).map((line) => line.key));
    let first = null;
    for (const line of this.#lines) {
      let fault = null;
      if (line.hasTypedName && !line.isBlank) {
        fault = !line.key ? 'fieldNeedsName' : taken.has(line.key) ? 'fieldNameTaken' : null;
        taken.add(line.key);
      }
      line.complain(fault && text(fault));
      if (fault) first ??= line;
    }
    first?.name.focus();
    return first === null;
  }

  /** Takes over what was changed in other lines; what was changed on both sides is a conflict, with a choice. */
  carryOver(old) {
    const typed = old.value;
    for (const name of Object.keys(old.patch)) {
      const [before, theirs, yours] = [old.original, this.original, typed].map((values) => own(values, name));
      this.#set(name, yours);
      if (!isEqual(before, theirs) && !isEqual(theirs, yours)) this.#oppose(name, theirs, yours);
    }
    return [...this.#conflicts.values()].map(({ conflict }) => conflict);
  }

  #oppose(name, theirs, yours) {
    const entry = {
      value: yours,
      conflict: new Conflict({
        label: name, theirs, yours, show: shown,
        take: (value) => {
          this.#set(name, value);
          entry.value = value;
        },
      }),
    };
    this.#conflicts.set(name, entry);
    const home = element(
      'div', { class: 'own-conflict' }, element('bdi', { class: 'field-name' }, name), entry.conflict.element);
    const line = this.#line(name);
    if (line) line.element.after(home);
    else this.#list.append(home);
  }

  /** What is typed over a conflict, or removed, is one's own choice. */
  #typed() {
    const { value } = this;
    for (const [name, entry] of this.#conflicts) {
      const now = own(value, name);
      if (isEqual(now, entry.value)) continue;
      entry.value = now;
      entry.conflict.type(now);
    }
  }
}
