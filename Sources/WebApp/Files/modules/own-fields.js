import { Conflict } from './conflict.js';
import { element } from './dom.js';
import { canPatch, difference, JSONText, members, objectText, shown } from './json-text.js';
import { OwnField } from './own-field.js';
import { text } from './texts.js';

/** The custom fields of an item as lines with name and text. Values are JSON as the server wrote it. */
export class OwnFields {
  #originals;
  #lines = [];
  /** By name: the conflict, and the current value of its field. */
  #conflicts = new Map();
  #list = element('div', { class: 'own-fields', oninput: () => this.#typed() });

  /** @param original the JSON object from the server. */
  constructor(original = '{}') {
    this.original = original;
    this.#originals = members(original);
    for (const [name, value] of this.#originals) this.#add(name, value);
    this.element = element('div', { class: 'field is-own' },
      element('span', { class: 'field-name' }, text('fields')), this.#list,
      element('button', { class: 'plain', type: 'button', onclick: () => this.#add(null, '""').name.focus() },
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

  /** Sets the value of a name. Undefined removes the field. */
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

  get #values() {
    return new Map(this.#lines.filter((line) => !line.isBlank).map((line) => [line.key, line.value]));
  }

  /** The object to send. */
  get value() {
    return new JSONText(objectText(this.#values));
  }

  /** A merge patch (RFC 7396) of the changed fields; undefined if none changed. */
  get patch() {
    const patch = difference(this.original, this.value.text);
    return patch && new JSONText(patch);
  }

  /** Whether the patch can express all changes. */
  get canPatch() {
    return canPatch(this.original, this.value.text);
  }

  get isChanged() {
    return this.patch !== undefined;
  }

  /** Shows an error beside each line that cannot be saved. Returns whether all can. */
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

  /** Sets what was typed as JSON, except what still equals the `sent` JSON. */
  type(json, sent = this.original) {
    const typed = members(json);
    for (const name of members(difference(sent, json) ?? '{}').keys()) this.#set(name, typed.get(name));
  }

  /** Copies what other lines have changed since they were `sent` as JSON. */
  copy(old, sent) {
    this.type(old.value.text, sent);
  }

  /** Copies what was changed in other lines. Returns conflicts for fields that were changed on both sides. */
  carryOver(old) {
    const typed = old.#values;
    for (const name of members(old.patch?.text ?? '{}').keys()) {
      const [before, theirs, yours] = [old.#originals, this.#originals, typed].map((values) => values.get(name));
      this.#set(name, yours);
      if (before !== theirs && theirs !== yours) this.#oppose(name, theirs, yours);
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

  /** Chooses one's own value in a conflict when its field is typed over or removed. */
  #typed() {
    const values = this.#values;
    for (const [name, entry] of this.#conflicts) {
      const now = values.get(name);
      if (now === entry.value) continue;
      entry.value = now;
      entry.conflict.type(now);
    }
  }
}
