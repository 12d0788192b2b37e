import { element } from './dom.js';
import { Form } from './form.js';
import { text } from './texts.js';

/** The fields of things and cars with an item's values. */
const described = {
  name: (item) => ({ pointer: '/name', label: text('name'), value: item?.name }),
  serialNumber: (item) => ({ pointer: '/serialNumber', label: text('serialNumber'), value: item?.serialNumber }),
  value: (item) => ({
    pointer: '/valueInDollars', label: text('valueInDollars'), kind: 'number', value: item?.valueInDollars }),
  quantity: (item) => ({ pointer: '/quantity', label: text('quantity'), kind: 'number', value: item?.quantity }),
  make: (item) => ({ pointer: '/car/make', label: text('make'), value: item?.car.make }),
  model: (item) => ({ pointer: '/car/model', label: text('model'), value: item?.car.model }),
  year: (item) => ({ pointer: '/car/year', label: text('year'), kind: 'number', value: item?.car.year }),
  fuel: (item) => ({ pointer: '/car/fuelAmount', label: text('fuelAmount'), kind: 'number', value: item?.car.fuelAmount }),
  tags: (item) => ({ pointer: '/tags', label: text('tags'), kind: 'tags', value: item?.tags ?? [], hint: text('tagsHint') }),
  notes: (item) => ({ pointer: '/notes', label: text('notes'), kind: 'area', value: item?.notes }),
};

const groups = {
  thing: [['name', 'serialNumber'], ['value', 'quantity'], ['tags', 'notes']],
  car: [['make', 'model', 'year', 'fuel'], ['name', 'serialNumber'], ['value', 'quantity'], ['tags', 'notes']],
};

/** The form of an item, and the members that it sends. */
export class ItemForm {
  #ownHome;

  /**
   * @param item the item; null for a new one.
   * @param own the custom fields, which other forms may share.
   */
  constructor(kind, item, submit, own, extra = []) {
    this.kind = kind;
    this.own = own;
    this.#ownHome = element('div', {}, own.element);
    this.form = new Form(
      [...groups[kind].map((group) => group.map((name) => described[name](item))), [this.#ownHome], ...extra], submit);
    this.element = this.form.element;
  }

  /** Moves the shared custom fields into this form. */
  appear() {
    this.#ownHome.append(this.own.element);
  }

  /** Shows an error beside each custom field that cannot be saved. Returns whether all can. */
  check() {
    return this.own.check();
  }

  /** Whether `patch` can express all changes. Otherwise `members` must be sent. */
  get canPatch() {
    return this.own.canPatch;
  }

  /** All members of the item. */
  get members() {
    return { kind: this.kind, ...this.form.members(), fields: this.own.value };
  }

  /** A merge patch (RFC 7396) of the changed members. Null if nothing changed. */
  get patch() {
    const patch = this.form.members({ changedOnly: true });
    if (this.own.isChanged) patch.fields = this.own.patch;
    return Object.keys(patch).length ? patch : null;
  }

  /** What can be typed: the values by pointer, and the custom fields' JSON as `own`. */
  get values() {
    return { ...this.form.values, own: this.own.value.text };
  }

  /** Copies what another form has typed since it had the `sent` values. */
  copy(old, sent) {
    this.form.copy(old.form, sent);
    this.own.copy(old.own, sent.own);
  }

  /** Copies what was changed in another form. Returns the conflicts with values changed elsewhere. */
  carryOver(old) {
    return [...this.form.carryOver(old.form), ...this.own.carryOver(old.own)];
  }

  hasSameOriginals(other) {
    return this.form.hasSameOriginals(other.form) && this.own.original === other.own.original;
  }

  get isChanged() {
    return this.form.isChanged || this.own.isChanged;
  }
}
