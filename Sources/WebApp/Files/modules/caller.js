import { api } from './api.js';
import { session } from './session.js';

let known = null;

/** Asks the server who it takes us for, and in which inventory; the page stays with that one. */
export async function introduce() {
  known = await api.get('/v1/me');
  session.inventory = known.inventoryId;
}

/** Who that is: `{role, inventoryId, …}`. */
export const caller = () => known;

/** Whether the caller's role lets it change anything. */
export const mayEdit = () => known.role !== 'reader';
