import { address, api, Disconnected } from './api.js';
import { element, newID } from './dom.js';
import { continueItem, continueList } from './edit-sheet.js';
import { Form } from './form.js';
import { ItemForm } from './item-form.js';
import { addLater, addsLater, kept } from './kept.js';
import { checkLooks, lookFields } from './list-form.js';
import { attempt, doubt, settle, take, takeEntry, tell, tellOutcome } from './notices.js';
import { OwnFields } from './own-fields.js';
import { photoButtons, sendPhotos } from './photo-adder.js';
import { plainBar, readFor, Sheet } from './sheet.js';
import { text } from './texts.js';
import { titleOfNew } from './typed-row.js';

const kinds = ['list', 'thing', 'car'];

/** Reads which kinds of rows may be added to a list: the `enabled` ones, the `first` one, and the bar of each. */
export async function readKinds(listID) {
  const screen = (kind) => api.get(address(`/v1/lists/${listID}/screen`, { mode: 'add', kind })).catch((error) => {
    if (!(error instanceof Disconnected) || !kept.list(listID)) throw error;
    return likelyScreen(kept.list(listID), kind);
  });
  const [usual, ...screens] = await Promise.all([screen(), ...kinds.map(screen)]);
  const bars = new Map(kinds.map((kind, index) => [kind, screens[index].navigationBar]));
  const enabled = kinds.filter((kind) => bars.get(kind).trailing?.enabled);
  const first = kinds.find((kind) => bars.get(kind).title === usual.navigationBar.title);
  return { bars, enabled: enabled.length ? enabled : [first], first: enabled.includes(first) ? first : enabled[0] ?? first };
}

/**
 * Opens a sheet for a new row of a list. The server says which kinds may be added, and supplies the bar of each.
 *
 * @param given `kind` and `values` are what was typed elsewhere; the values are by the pointers of the form, and custom
 *   fields are JSON as `own`. `newId` is the id for the row. `added` gets the new row, `{id, title, isList}`, when it is
 *   added.
 */
export async function addRow(listID, { kind, values = {}, newId = newID(), added = () => {} } = {}) {
  const found = await readFor(() => readKinds(listID));
  if (found) new AddSheet(listID, found, { kind: found.enabled.includes(kind) ? kind : found.first, values, newId, added });
}

/** The likely screen for a new row of a list, without a connection. */
function likelyScreen({ itemKind, can }, kind = itemKind === 'car' ? 'car' : 'thing') {
  const enabled = can.add && (kind === 'list' || ['any', kind].includes(itemKind));
  return { navigationBar: plainBar(text(kind), { action: 'save', title: text('save'), image: 'check', enabled }) };
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
  // The new row of each kind: its `id`, the values last `sent`, and the `answer` that created it, if that was lost at
  // first. A retry sends the same id, so that a row is not created twice.
  #rows = Object.fromEntries(kinds.map((kind) => [kind, { id: newID() }]));
  /** The files of photos for a new thing or car. They are sent once it is added. */
  #photos = [];
  #strip = element('div', { class: 'photo-strip', role: 'group', 'aria-label': text('photos') });
  /** The edit of a row that was created although its answer was lost. */
  #edit = null;
  #added;

  constructor(listID, { bars, enabled }, { kind, values, newId, added }) {
    this.#listID = listID;
    this.#bars = bars;
    this.#added = added;
    this.#sheet = new Sheet(bars.get(kind), [], { save: () => this.#save() });
    this.#sheet.hasUnsaved = () => this.#photos.length > 0 || [...this.#forms.values()].some((form) => form.isChanged);
    this.#sheet.draft = () => this.#draft;
    this.#rows[kind].id = newId;
    this.#sheet.body.append(enabled.length > 1 ? this.#segments(enabled, kind) : '', this.#home);
    this.#choose(kind);
    this.#fields.type(values);
    this.#fields.element.dispatchEvent(new Event('input'));
    this.#fields.form.focus();
  }

  get #fields() {
    return this.#forms.get(this.#kind);
  }

  get #draft() {
    const kind = this.#kind;
    return { sheet: 'add', id: this.#listID, given: { kind, values: this.#fields.typed, newId: this.#rows[kind].id } };
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
    this.#home.replaceChildren(this.#fields.element, kind === 'list' ? '' : this.#strip);
    if (!this.#strip.childElementCount) this.#strip.append(...photoButtons((files) => files.forEach((file) => this.#addPhoto(file))));
  }

  /** Shows a photo for the new row. A press removes it. */
  #addPhoto(file) {
    this.#photos.push(file);
    const free = ({ target }) => URL.revokeObjectURL(target.src);
    const photo = element('button', {
      class: 'photo', type: 'button', 'aria-label': `${text('removePhoto')}: ${file.name}`, title: text('removePhoto'),
      onclick: () => {
        this.#photos.splice(this.#photos.indexOf(file), 1);
        (photo.nextElementSibling.querySelector('input') ?? photo.nextElementSibling).focus();
        photo.remove();
      },
    }, element('span', { class: 'thumbnail' },
      element('img', { src: URL.createObjectURL(file), alt: '', onload: free, onerror: free })));
    this.#strip.querySelector('.photo-adder').before(photo);
  }

  #sendPhotos(itemID) {
    const photos = this.#photos.splice(0);
    if (photos.length) attempt(() => sendPhotos(itemID, photos));
  }

  #made(kind) {
    const submit = () => this.#sheet.act('save');
    const position = {
      pointer: '/position', label: text('place'), kind: 'choice', value: 'last',
      options: [['first', text('placeFirst')], ['last', text('placeLast')]],
    };
    return kind === 'list' ? new NewListForm(position, submit) : new ItemForm(kind, null, submit, this.#own, { extra: [[position]] });
  }

  /** Copies what was typed to the form of the chosen kind, also across a list in between. */
  #carryOver(old) {
    if (this.#item && this.#item !== this.#fields) this.#fields.form.copy(this.#item.form);
    this.#fields.form.copy(old.form);
    const name = (fields) => fields.form.field('/title') ?? fields.form.field('/name');
    name(this.#fields).input.value = name(old).input.value;
  }

  async #save() {
    if (this.#edit) return this.#edit.save();
    const [fields, row] = [this.#fields, this.#rows[this.#kind]];
    if (!fields.check()) return undefined;
    try {
      await this.#sheet.held(async () => {
        await settle();
        if (!row.answer) await this.#add(fields, row);
      });
    } catch (error) {
      if (!fields.form.show(error)) tell(error);
      return undefined;
    }
    if (!row.answer) return this.#sheet.close();
    // Others may have changed the row since it was created, so only what was typed since is saved.
    const isList = this.#kind === 'list';
    const resume = isList ? continueList : continueItem;
    if (!isList) this.#sendPhotos(row.id);
    this.#edit = resume(this.#sheet, row.id, row.answer);
    this.#edit.fields.copy(fields, row.sent);
    return this.#edit.save();
  }

  async #add(fields, row) {
    const isList = this.#kind === 'list';
    const path = isList ? '/v1/lists' : `/v1/lists/${this.#listID}/items`;
    const home = isList ? { parentId: this.#listID } : {};
    const { members, values } = fields;
    if (addsLater(this.#listID)) {
      takeEntry(await addLater(this.#listID, isList, { id: row.id, ...members }));
      if (!isList) this.#sendPhotos(row.id);
      return this.#added({ id: row.id, title: titleOfNew(members), isList });
    }
    try {
      const made = await api.tagged(path, 'POST', { id: row.id, ...home, ...members });
      const { receipt } = made.value;
      const title = titleOfNew(made.value);
      await take(receipt, receipt.changed ? text('added', { name: title }) : undefined);
      if (receipt.changed) this.#added({ id: row.id, title, isList });
      // An earlier attempt has created the row only now.
      if (!receipt.changed) row.answer = made;
      else if (!isList) this.#sendPhotos(row.id);
      return undefined;
    } catch (error) {
      row.sent = values;
      doubt(error, async (found) => {
        row.answer = found?.answer;
        await tellOutcome(found);
      });
      throw error;
    }
  }
}

/** The form of a new list. */
class NewListForm {
  constructor(position, submit) {
    this.form = new Form([[{ pointer: '/title', label: text('title') }], lookFields(), [position]], submit);
    this.element = this.form.element;
  }

  get members() {
    return this.form.members();
  }

  check() {
    return checkLooks(this.form);
  }

  get values() {
    return this.form.values;
  }

  get typed() {
    return this.form.typed;
  }

  type(values) {
    this.form.type(values);
  }

  get isChanged() {
    return this.form.isChanged;
  }
}
