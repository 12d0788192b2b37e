import { element } from './dom.js';
import { Form } from './form.js';
import { currencyName, dollars, number, text } from './texts.js';
import { isForeign } from './typed-money.js';

/** The fields of items by groups. The last part of a pointer is the name of the label's text. */
const groups = [
  [{ pointer: '/car/make' }, { pointer: '/car/model' }, { pointer: '/car/year', kind: 'number', shown: String },
    { pointer: '/car/fuelAmount', kind: 'number' }],
  [{ pointer: '/name' }, { pointer: '/serialNumber' }],
  [{ pointer: '/valueInDollars', kind: 'money', shown: dollars }, { pointer: '/quantity', kind: 'number' }],
  [{ pointer: '/tags', kind: 'tags' }, { pointer: '/notes', kind: 'area' }],
];

/** What several of a value are worth, in whole cents. */
export const totalOf = (value, quantity) => Math.round(value * 100) * quantity / 100;

/**
 * The groups of fields that things or cars have, with an item's values: `{pointer, label, kind, value, shown}`, where
 * `shown` writes a value for the item's screen.
 */
export function itemFields(itemKind, item) {
  const fields = groups.map((group) => group.filter(({ pointer }) => itemKind === 'car' || !pointer.startsWith('/car/')));
  return fields.filter((group) => group.length).map((group) => group.map(({ pointer, kind = 'line', shown }) => {
    const path = pointer.split('/').slice(1);
    return {
      pointer, kind, label: text(path.at(-1)),
      value: path.reduce((whole, name) => whole?.[name], item) ?? (kind === 'tags' ? [] : null),
      shown: shown ?? (kind === 'number' ? number : String), ...(kind === 'tags' ? { hint: text('tagsHint') } : {}),
    };
  }));
}

/** The form of an item, and the members that it sends. */
export class ItemForm {
  #ownHome;

  /**
   * @param item the item; null for a new one.
   * @param own the custom fields, which other forms may share.
   * @param extra further groups of fields.
   * @param isPart whether only what a row says of the item is known. Its notes and custom fields cannot be changed then.
   */
  constructor(kind, item, submit, own, { extra = [], isPart = false } = {}) {
    this.kind = kind;
    this.own = own;
    this.#ownHome = element('div', {}, own.element);
    const fields = itemFields(kind, item);
    const known = isPart ? fields.map((group) => group.filter(({ pointer }) => pointer !== '/notes')) : fields;
    const rest = isPart ? element('div', { class: 'field' }, element('p', { class: 'field-hint' }, text('editLater'))) : this.#ownHome;
    this.form = new Form([...known, [rest], ...extra], submit);
    this.element = this.form.element;
    this.element.addEventListener('input', () => this.#tellTotal());
    this.#tellTotal();
  }

  /** Says that the value is that of one, and what all are worth. */
  #tellTotal() {
    const [value, quantity] = ['/valueInDollars', '/quantity'].map((pointer) => this.form.field(pointer).value);
    const areMany = typeof value === 'number' && typeof quantity === 'number' && quantity > 1;
    this.form.field('/valueInDollars').hint = areMany
      ? text('valueOfAll', { each: dollars(value), all: dollars(totalOf(value, quantity)) }) : null;
  }

  /** Moves the shared custom fields into this form. */
  appear() {
    this.#ownHome.append(this.own.element);
    this.#tellTotal();
  }

  /** Shows an error beside a value in another currency, and beside each custom field that cannot be saved. Returns whether all can. */
  check() {
    const canSave = this.own.check();
    const value = this.form.field('/valueInDollars');
    if (!isForeign(value.input.value)) return canSave;
    value.complain(text('foreignMoney', { currency: currencyName() }));
    value.input.focus();
    return false;
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

  /** What was typed: values by pointer, and the custom fields' JSON as `own`. */
  get typed() {
    return { ...this.form.typed, ...(this.own.isChanged ? { own: this.own.value.text } : {}) };
  }

  type({ own, ...values }) {
    this.form.type(values);
    if (own) this.own.type(own);
    this.#tellTotal();
  }

  /** Copies what another form has typed since it had the `sent` values. */
  copy(old, sent) {
    this.form.copy(old.form, sent);
    this.own.copy(old.own, sent.own);
    this.#tellTotal();
  }

  /** Copies what was changed in another form. Returns the conflicts with values changed elsewhere. */
  carryOver(old) {
    const conflicts = [...this.form.carryOver(old.form), ...this.own.carryOver(old.own)];
    this.#tellTotal();
    return conflicts;
  }

  hasSameOriginals(other) {
    return this.form.hasSameOriginals(other.form) && this.own.original === other.own.original;
  }

  get isChanged() {
    return this.form.isChanged || this.own.isChanged;
  }
}
