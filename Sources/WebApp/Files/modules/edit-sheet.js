import { address, api } from './api.js';
import { ItemForm } from './item-form.js';
import { members, normalized } from './json-text.js';
import { ListForm } from './list-form.js';
import { attempt, take, tell } from './notices.js';
import { OwnFields } from './own-fields.js';
import { readFor, Sheet } from './sheet.js';
import { text } from './texts.js';

/** Edits an item's fields. */
export const editItem = (id) =>
  edit(`/v1/items/${id}`, 'edit', ({ value, json }, save) => new ItemForm(value.kind, value, save, ownFields(json)));

/** The custom fields of an item's JSON. */
const ownFields = (json) => new OwnFields(normalized(members(json).get('fields')));

/** Edits a list's fields. */
export const editList = (id) =>
  edit(`/v1/lists/${id}`, 'details', ({ value }, save) => new ListForm(value, save));

/**
 * Edits the resource at a path in its edit screen. The write is conditional: if someone else saved first, the form
 * shows the current values together with what was typed. If both changed a field, the person chooses one of the
 * values.
 */
async function edit(path, mode, makeFields) {
  const read = () => api.tagged(path);
  const answers = await readFor(() => Promise.all([api.get(address(`${path}/screen`, { mode })), read()]));
  if (!answers) return;
  const [screen, first] = answers;
  let { tag } = first;
  let conflicts = [];
  const submit = () => sheet.act('save');
  let fields = makeFields(first, submit);
  const sheet = new Sheet(screen.navigationBar, fields.element, { save });
  sheet.hasUnsaved = () => fields.isChanged;
  fields.form.focus();

  async function save() {
    const open = conflicts.find((conflict) => !conflict.isResolved);
    if (open) {
      for (const conflict of conflicts) conflict.complain();
      open.focus();
      return;
    }
    if (!fields.check()) return;
    const { patch } = fields;
    if (!patch) {
      sheet.close();
      return;
    }
    try {
      const [write, body] = fields.canPatch ? [api.patch, patch] : [api.put, fields.members];
      const changed = await write(path, body, { fields: { 'If-Match': tag } });
      await take(changed.receipt);
      sheet.close();
    } catch (error) {
      if (error.status === 412) await attempt(showPresent);
      else if (!fields.form.show(error)) tell(error);
    }
  }

  async function showPresent() {
    const present = await read();
    ({ tag } = present);
    const old = fields;
    fields = makeFields(present, submit);
    conflicts = fields.carryOver(old);
    old.element.replaceWith(fields.element);
    // Something else has changed, such as the rows of a list, so the typed values can be saved.
    if (fields.hasSameOriginals(old)) return save();
    fields.form.remark(text(conflicts.length ? 'conflict' : 'changedElsewhere'));
    return undefined;
  }
}
