import { session } from './session.js';

let known = null;

/** Takes over the caller's role and inventory. The page then stays with this inventory. */
export function introduce(me) {
  known = me;
  session.inventory = known.inventoryId;
}

/** The caller: `{role, inventoryId, …}`. */
export const caller = () => known;

/** Whether the caller's role may change data. */
export const mayEdit = () => known.role !== 'reader';

/** Whether the caller may see several inventories. Other tokens belong to one. */
export const mayChooseInventory = () => known.role === 'admin';
