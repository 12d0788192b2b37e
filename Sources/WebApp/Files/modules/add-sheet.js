import { address, api } from './api.js';
import { element, newID } from './dom.js';
import { Form } from './form.js';
import { ItemForm } from './item-form.js';
import { take, tell } from './notices.js';
import { OwnFields } from './own-fields.js';
import { readFor, Sheet } from './sheet.js';
import { text } from './texts.js';

const kinds = ['list', 'thing', 'car'];

/** Opens a sheet for a new row of a list. The server says which kinds may be added, and supplies the bar of each. */
export async function addRow(listID) {
  const screen = (kind) => api.get(address(`/v1/lists/${listID}/screen`, { mode: 'add', kind }));
  const answers = await readFor(() => Promise.all([screen(), ...kinds.map(screen)]));
  if (!answers) return;
  const [usual, ...screens] = answers;
  const bars = new Map(kinds.map((kind, index) => [kind, screens[index].navigationBar]));
  const enabled = kinds.filter((kind) => bars.get(kind).trailing?.enabled);
  const first = kinds.find((kind) => bars.get(kind).title === usual.navigationBar.title);
  new AddSheet(listID, bars, enabled.length ? enabled : [first], enabled.includes(first) ? first : enabled[0] ?? first);
}

class AddSheet {
  #listID;
  #bars;
  #sheet;
  #kind;
  #home = element('div');
  // The form of each kind, so that switching back shows what was typed.
  #forms = new Map();
  // Shared by things and cars.
  #own = new OwnFields();
  // The last form of a thing or a car.
  #item = null;
  // A retry sends the same id, so that a row is not created twice if the first response was lost.
  #id = newID();

  constructor(listID, bars, kinds, first) {
    this.#listID = listID;
    this.#bars = bars;
    this.#sheet = new Sheet(bars.get(first), [], { save: () => this.#save() });
    this.#sheet.hasUnsaved = () => [...this.#forms.values()].some((form) => form.isChanged);
    this.#sheet.body.append(kinds.length > 1 ? this.#segments(kinds, first) : '', this.#home);
    this.#choose(first);
    this.#fields.form.focus();
  }

  get #fields() {
    return this.#forms.get(this.#kind);
  }

  #segments(kinds, first) {
    return element('fieldset', { class: 'segments' },
      element('legend', { class: 'unseen' }, text('kind')),
      ...kinds.map((kind) => element('label', {},
        element('input', {
          type: 'radio', name: 'kind', value: kind, checked: kind === first, onchange: () => this.#choose(kind),
        }), element('span', {}, text(kind)))));
  }

  #choose(kind) {
    const old = this.#fields;
    this.#kind = kind;
    this.#sheet.bar = this.#bars.get(kind);
    if (!this.#forms.has(kind)) this.#forms.set(kind, this.#made(kind));
    if (old) this.#carryOver(old);
    if (kind !== 'list') {
      this.#item = this.#fields;
      this.#item.appear();
    }
    this.#home.replaceChildren(this.#fields.element);
  }

  #made(kind) {
    const submit = () => this.#sheet.act('save');
    const position = {
      pointer: '/position', label: text('place'), kind: 'choice', value: 'last',
      options: [['first', text('placeFirst')], ['last', text('placeLast')]],
    };
    return kind === 'list' ? new NewListForm(position, submit) : new ItemForm(kind, null, submit, this.#own, [[position]]);
  }

  /** Copies what was typed to the form of the chosen kind, also across a list in between. */
  #carryOver(old) {
    if (this.#item && this.#item !== this.#fields) this.#fields.form.copy(this.#item.form);
    this.#fields.form.copy(old.form);
    const name = (fields) => fields.form.field('/title') ?? fields.form.field('/name');
    name(this.#fields).input.value = name(old).input.value;
  }

  async #save() {
    // Another kind may be chosen while this one is being saved.
    const fields = this.#fields;
    const isList = this.#kind === 'list';
    if (!fields.check()) return;
    try {
      const path = isList ? '/v1/lists' : `/v1/lists/${this.#listID}/items`;
      const home = isList ? { parentId: this.#listID } : {};
      const { members } = fields;
      const made = await api.post(path, { id: this.#id, ...home, ...members });
      await take(made.receipt);
      // An earlier save created the row, but its response was lost. The fields may have changed since.
      if (!made.receipt.changed) await this.#change(isList, members);
      this.#sheet.close();
    } catch (error) {
      if (!fields.form.show(error)) tell(error);
    }
  }

  async #change(isList, { position, ...typed }) {
    const changed = await (isList ? api.patch(`/v1/lists/${this.#id}`, typed) : api.put(`/v1/items/${this.#id}`, typed));
    await take(changed.receipt);
  }
}

/** The form of a new list. */
class NewListForm {
  constructor(position, submit) {
    this.form = new Form([[{ pointer: '/title', label: text('title') }], [position]], submit);
    this.element = this.form.element;
  }

  get members() {
    return this.form.members();
  }

  check() {
    return true;
  }

  get isChanged() {
    return this.form.isChanged;
  }
}
