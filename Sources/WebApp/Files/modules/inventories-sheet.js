import { api, base } from './api.js';
import { caller } from './caller.js';
import { newID } from './dom.js';
import { Form } from './form.js';
import { reload } from './history.js';
import { tell } from './notices.js';
import { keepTyped } from './row-acts.js';
import { session } from './session.js';
import { choices, openFilled, plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

/** Shows the server's inventories, to open or create one. */
export const showInventories = () => openFilled(plainBar(text('inventories')), () => api.get('/v1/inventories'), show);

function show(sheet, { inventories }) {
  const present = caller().inventoryId;
  const entries = inventories.map(({ id, title }) => ({
    title, isChosen: id === present, act: () => (id === present ? undefined : enter(id)),
  }));
  sheet.body.append(...choices([entries, [{ title: text('newInventory'), act: begin }]], () => sheet));
}

function begin() {
  // Chosen here, so that a retry after a lost answer makes no second inventory.
  const id = newID();
  const form = new Form([[{ pointer: '/title', label: text('title') }]], () => sheet.act('save'));
  const sheet = new Sheet(
    plainBar(text('newInventory'), { action: 'save', title: text('save'), image: 'check', enabled: true }),
    form.element,
    {
      save: async () => {
        try {
          await api.post('/v1/inventories', { id, ...form.members() }, { canRepeat: true });
          enter(id);
        } catch (error) {
          if (error.code === 'id_taken') return enter(id);
          if (!form.show(error)) tell(error);
        }
      },
    });
  sheet.hasUnsaved = () => form.isChanged;
  form.focus();
}

function enter(id) {
  keepTyped();
  session.chooseInventory(id);
  reload(`${base}/`);
}
