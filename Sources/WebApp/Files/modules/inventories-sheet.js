import { api } from './api.js';
import { caller } from './caller.js';
import { Form } from './form.js';
import { reload } from './history.js';
import { tell } from './notices.js';
import { session } from './session.js';
import { choices, plainBar, readFor, Sheet } from './sheet.js';
import { text } from './texts.js';

/** Whether the caller may see several inventories. Other tokens belong to one. */
export const mayChooseInventory = () => caller().role === 'admin';

/** Shows the server's inventories, to open or create one. */
export async function showInventories() {
  const found = await readFor(() => api.get('/v1/inventories'));
  if (!found) return;
  const present = caller().inventoryId;
  let sheet = null;
  const entries = found.inventories.map(({ id, title }) => ({
    title, isChosen: id === present, act: () => (id === present ? undefined : enter(id)),
  }));
  sheet = new Sheet(plainBar(text('inventories')),
    choices([entries, [{ title: text('newInventory'), act: begin }]], () => sheet));
}

function begin() {
  const form = new Form([[{ pointer: '/title', label: text('title') }]], () => sheet.act('save'));
  const sheet = new Sheet(
    plainBar(text('newInventory'), { action: 'save', title: text('save'), image: 'check', enabled: true }),
    form.element,
    {
      save: async () => {
        try {
          enter((await api.post('/v1/inventories', form.members(), { canRepeat: true })).id);
        } catch (error) {
          if (!form.show(error)) tell(error);
        }
      },
    });
  sheet.hasUnsaved = () => form.isChanged;
  form.focus();
}

function enter(id) {
  session.chooseInventory(id);
  reload();
}
