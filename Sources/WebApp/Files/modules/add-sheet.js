import { address, api } from './api.js';
import { element, newID } from './dom.js';
import { Form } from './form.js';
import { ItemForm } from './item-form.js';
import { attempt, take, tell } from './notices.js';
import { Sheet } from './sheet.js';
import { text } from './texts.js';

const kinds = ['list', 'thing', 'car'];

/** Asks for a new row of a list: what kinds may be added, and how the bar reads for each, is the server's to say. */
export async function addRow(listID) {
  const screen = (kind) => api.get(address(`/v1/lists/${listID}/screen`, { mode: 'add', kind }));
  const answers = await attempt(() => Promise.all([screen(), ...kinds.map(screen)]));
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
  #form;
  #kind;
  // So that a row that was made without our hearing of it is not made twice.
  #id = newID();

  constructor(listID, bars, kinds, first) {
    this.#listID = listID;
    this.#bars = bars;
    this.#sheet = new Sheet(bars.get(first), [], { save: () => this.#save() });
    this.#form = element('div');
    this.#sheet.body.append(kinds.length > 1 ? this.#segments(kinds, first) : '', this.#form);
    this.#choose(first);
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
    this.#kind = kind;
    this.#sheet.bar = this.#bars.get(kind);
    const submit = () => this.#save();
    const position = {
      pointer: '/position', label: text('place'), kind: 'choice', value: 'last',
      options: [['first', text('placeFirst')], ['last', text('placeLast')]],
    };
    this.fields = kind === 'list'
      ? new Form([[{ pointer: '/title', label: text('title') }], [position]], submit)
      : new ItemForm(kind, null, submit, [[position]]);
    this.#form.replaceChildren(this.fields.element);
    (this.fields.form ?? this.fields).focus();
  }

  async #save() {
    const form = this.fields.form ?? this.fields;
    try {
      const made = this.#kind === 'list'
        ? await api.post('/v1/lists', { id: this.#id, parentId: this.#listID, ...form.members() })
        : await api.post(`/v1/lists/${this.#listID}/items`, { id: this.#id, ...this.fields.members });
      await take(made.receipt);
      this.#sheet.close();
    } catch (error) {
      if (!form.show(error)) tell(error);
    }
  }
}
