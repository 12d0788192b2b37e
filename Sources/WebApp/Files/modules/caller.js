import { api } from './api.js';
import { session } from './session.js';

let known = null;

/** Reads the caller's role and inventory. The page then stays with this inventory. */
export async function introduce() {
  known = await api.get('/v1/me');
  session.inventory = known.inventoryId;
}

/** The caller: `{role, inventoryId, …}`. */
export const caller = () => known;

/** Whether the caller's role may change data. */
export const mayEdit = () => known.role !== 'reader';
