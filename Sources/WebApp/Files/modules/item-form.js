import { Form, OwnFields } from './form.js';
import { text } from './texts.js';

/** The fields of things and cars, with the values that an item has. */
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

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A form for an item's fields, and what a request's body has of them. */
export class ItemForm {
  /** @param item null for one to be made. */
  constructor(kind, item, submit, extra = []) {
    this.kind = kind;
    this.own = new OwnFields(item?.fields ?? {});
    this.original = JSON.stringify(item?.fields ?? {});
    this.form = new Form(
      [...groups[kind].map((group) => group.map((name) => described[name](item))), [this.own.element], ...extra], submit);
    this.element = this.form.element;
  }

  /** All that was filled in, for a new item. */
  get members() {
    return { kind: this.kind, ...this.form.members(), fields: this.own.value };
  }

  /** A merge-patch (RFC 7396) of what was changed; null where nothing was. */
  get patch() {
    const patch = this.form.members({ changedOnly: true });
    if (this.isOwnChanged) {
      const fields = this.own.value;
      const gone = Object.keys(JSON.parse(this.original)).filter((name) => !Object.hasOwn(fields, name));
      patch.fields = { ...fields, ...Object.fromEntries(gone.map((name) => [name, null])) };
    }
    return Object.keys(patch).length ? patch : null;
  }

  /** Takes over what was changed in another form. */
  carryOver(old) {
    this.form.carryOver(old.form);
    if (!old.isOwnChanged) return;
    const [before, typed] = [JSON.parse(old.original), old.own.value];
    const merged = new Map(Object.entries(JSON.parse(this.original)));
    for (const [name, value] of Object.entries(typed)) {
      if (!Object.hasOwn(before, name) || !isEqual(before[name], value)) merged.set(name, value);
    }
    for (const name of Object.keys(before)) if (!Object.hasOwn(typed, name)) merged.delete(name);
    const own = new OwnFields(Object.fromEntries(merged));
    this.own.element.replaceWith(own.element);
    this.own = own;
  }

  get isChanged() {
    return this.form.isChanged || this.isOwnChanged;
  }

  get isOwnChanged() {
    return JSON.stringify(this.own.value) !== this.original;
  }
}
