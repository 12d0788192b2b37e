import { parseJSON } from '../client/rowhouse.js';
import { titleOf } from '../client/view.js';
import { address, api, Disconnected, Problem } from './api.js';
import { mayEdit } from './caller.js';
import { ItemForm } from './item-form.js';
import { isFullyKnown, recall, update } from './item-known.js';
import { members, normalized, written } from './json-text.js';
import { give, isKept, isOffline, isWorking, kept } from './kept.js';
import { ListForm } from './list-form.js';
import { attempt, doubt, isFull, settle, take, takeEntry, tell, tellOutcome } from './notices.js';
import { OwnFields } from './own-fields.js';
import { inTrash, restoreRow } from './put-back.js';
import { plainBar, readFor, Sheet } from './sheet.js';
import { text } from './texts.js';

const itemForm = ({ value, json, isPart = false }, save) =>
  new ItemForm(value.kind, value, save, new OwnFields(isPart ? '{}' : normalized(members(json).get('fields'))), { isPart });
const listForm = ({ value }, save) => new ListForm(value, save);

/** Edits an item's fields. With a draft, goes on with what was typed into a former page. */
export const editItem = (id, draft) => open(`/v1/items/${id}`, 'edit', itemForm, knownItem(id), draft);

/** What is known of an item: all of it, or what its row says. Null for nothing. */
function knownItem(id) {
  const known = recall(id);
  if (!known) return null;
  const { item, json, tag, described } = known;
  const isEditable = described.row.canEdit;
  return isFullyKnown(id) ? { value: item, json, tag, mayEdit: isEditable } : { value: item, mayEdit: isEditable, isPart: true };
}

/** Edits a list's fields. */
export function editList(id, draft) {
  const list = kept.list(id);
  // The rights of a list are those of its rows. Its details may be changed by everyone who may change anything.
  return open(`/v1/lists/${id}`, 'details', listForm, list && { value: list, mayEdit: mayEdit() }, draft);
}

/** The likely edit screen of something that is known. */
const likely = ({ value, mayEdit }) => ({
  navigationBar: plainBar(text('editRow', { name: value.title ?? titleOf(value) }),
    { action: 'save', title: text('save'), image: 'check', enabled: mayEdit }),
});

/**
 * Opens the edit screen of the resource at a path: at once if all of it is known, and it could be edited when it was read.
 *
 * @param known what is known of it, and whether it may be edited. A `tag` only if the server has just this.
 * @param draft what was typed before: `{tag, json, isPart, typed}`. Without a connection, there was no tag.
 */
async function open(path, mode, makeFields, known, draft) {
  const isKnown = isWorking() && known?.mayEdit && !known.isPart;
  const answers = isKnown ? [likely(known), known] : await readFor(async () => {
    try {
      return await Promise.all([api.get(address(`${path}/screen`, { mode })), api.tagged(path)]);
    } catch (error) {
      if (!(error instanceof Disconnected) || !known) throw error;
      return [likely(known), known];
    }
  });
  if (!answers) return;
  const [screen, present] = answers;
  // The form begins with what the person saw, so that saving finds out what others have changed since.
  const first = draft?.json ? { ...draft, value: parseJSON(draft.json) } : present;
  const isEditable = screen.navigationBar.trailing?.enabled === true;
  const { value } = present;
  const bar = isEditable ? screen.navigationBar : plainBar(value.title ?? titleOf(value));
  const sheet = new Sheet(bar, [], { save: () => edit.save() });
  const edit = new Edit(sheet, path, first, makeFields);
  if (draft) edit.fields.type(draft.typed);
  if (!isEditable) return edit.fields.form.lock();
  edit.fields.form.focus();
  if (isKnown && !draft) api.tagged(path).then((fresh) => edit.renew(fresh), ignoreFault);
}

/** Saving tells what is wrong. */
function ignoreFault(error) {
  if (!(error instanceof Disconnected || error instanceof Problem)) throw error;
}

/** Continues in a sheet with the item of an answer. */
export const continueItem = (sheet, id, answer) => new Edit(sheet, `/v1/items/${id}`, answer, itemForm);

/** Continues in a sheet with the list of an answer. */
export const continueList = (sheet, id, answer) => new Edit(sheet, `/v1/lists/${id}`, answer, listForm);

/**
 * The edit of a resource in a sheet. The write is conditional: if someone else saved first, the form shows the current
 * values together with what was typed. If both changed a field, the person chooses one of the values.
 */
class Edit {
  #sheet;
  #path;
  #makeFields;
  /** The answer that the form began with. */
  #first;
  /** The one before it, while the person has to choose between values of both. */
  #former = null;
  #conflicts = [];
  /** Whether the browser could not store an edit. */
  #isStoreBroken = false;
  /** The answer to a save that was lost at first, and the values that it sent. */
  #saved = null;

  /** @param first the resource as `api.tagged` answers it. */
  constructor(sheet, path, first, makeFields) {
    [this.#sheet, this.#path, this.#makeFields] = [sheet, path, makeFields];
    this.#begin(first);
    sheet.hasUnsaved = () => this.fields.isChanged;
    sheet.draft = () => this.#draft;
    sheet.body.replaceChildren(this.fields.element);
  }

  /** Makes the form of an answer. */
  #begin(answer) {
    this.#first = answer;
    this.#former = null;
    this.#conflicts = [];
    this.fields = this.#makeFields(answer, () => this.#sheet.act('save'));
  }

  /** Takes over what the server has. After something was typed, saving finds out what is different. */
  renew(present) {
    if (!this.#sheet.element.open || this.#former || this.#first.tag === present.tag || this.fields.isChanged) return;
    const old = this.fields;
    this.#begin(present);
    if (this.fields.hasSameOriginals(old)) {
      // The field that has the focus keeps it.
      this.fields = old;
      return;
    }
    old.element.replaceWith(this.fields.element);
    this.fields.form.focus();
  }

  get #open() {
    return this.#conflicts.find((conflict) => !conflict.isResolved);
  }

  get #draft() {
    const [, , kind, id] = this.#path.split('/');
    const { tag, json, value, isPart } = this.#agreed;
    const given = { tag, json: json ?? written(value), isPart, typed: this.fields.typed };
    return { sheet: kind === 'items' ? 'editItem' : 'editList', id, given };
  }

  /** The answer from which what is typed differs only by choices of the person. */
  get #agreed() {
    return (this.#open && this.#former) || this.#first;
  }

  async save() {
    const open = this.#open;
    if (open) {
      for (const conflict of this.#conflicts) conflict.complain();
      open.focus();
      return;
    }
    if (!this.fields.check()) return;
    let isUnread = false;
    try {
      await this.#sheet.held(async () => {
        await settle();
        this.#goOn();
        // The form was opened without a connection, so others may have changed what the server has.
        isUnread = this.#first.tag === undefined && !this.#waits && this.fields.isChanged;
        if (!isUnread) await this.#write();
      });
      if (isUnread) await this.#showPresent();
      else this.#sheet.close();
    } catch (error) {
      if (error.status === 412) await attempt(() => this.#showPresent());
      else if (isFull(error) && !this.#isStoreBroken) {
        this.#isStoreBroken = true;
        await this.save();
      } else if (!this.fields.form.show(error)) tell(error);
      else if (error instanceof Problem && inTrash(error.members)) this.#offerRestore(error.members);
    }
  }

  /** Others have deleted what is edited, or the list that it is in. */
  #offerRestore({ title, trashId }) {
    this.fields.form.remark(title, { title: text('restoreAndSave'), act: () => this.#sheet.act('restore', () => this.#restore(trashId)) });
  }

  async #restore(trashId) {
    if (await attempt(() => this.#sheet.held(() => restoreRow(trashId)))) await this.save();
  }

  /** Whether the edit goes through the store, where it waits for the connection. */
  get #waits() {
    const id = this.#path.split('/').at(-1);
    return !this.#isStoreBroken && this.fields.canPatch && (isKept(id) || kept.list(id)) && (isOffline() || this.#first.tag === undefined);
  }

  async #write() {
    const { patch, values: sent } = this.fields;
    if (!patch) return undefined;
    if (this.#waits) {
      const [, , kind, id] = this.#path.split('/');
      const plain = parseJSON(written(patch));
      // Others may have changed it while the form was open.
      const options = { seen: this.#first.value };
      return takeEntry(await give((store) => (
        kind === 'items' ? store.editItem(id, plain, options) : store.editList(id, plain, options))));
    }
    const [method, body] = this.fields.canPatch ? ['PATCH', patch] : ['PUT', this.fields.members];
    try {
      const changed = await api.tagged(this.#path, method, body, { fields: { 'If-Match': this.#first.tag } });
      update(changed);
      return await take(changed.value.receipt);
    } catch (error) {
      doubt(error, async (found) => {
        if (found) this.#saved = { answer: found.answer, sent };
        await tellOutcome(found);
      });
      throw error;
    }
  }

  /** Continues from a save that was done although its answer was lost, with what was typed since. */
  #goOn() {
    if (!this.#saved) return;
    const { answer, sent } = this.#saved;
    this.#saved = null;
    const old = this.fields;
    this.#begin(answer);
    this.fields.copy(old, sent);
    old.element.replaceWith(this.fields.element);
  }

  async #showPresent() {
    const present = await api.tagged(this.#path);
    const [old, first] = [this.fields, this.#agreed];
    this.#begin(present);
    this.#former = first;
    this.#conflicts = this.fields.carryOver(old);
    old.element.replaceWith(this.fields.element);
    // Something else has changed, such as the rows of a list, so the typed values can be saved.
    if (this.fields.hasSameOriginals(old)) return this.save();
    this.fields.form.remark(text(this.#conflicts.length ? 'conflict' : 'changedElsewhere'));
    return undefined;
  }
}
