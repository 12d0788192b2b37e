import { api } from './api.js';

let known = null;

/** Asks the server who it takes us for. */
export async function introduce() {
  known = await api.get('/v1/me');
}

/** Who that is: `{role, inventoryId, …}`. */
export const caller = () => known;

/** Whether the caller's role lets it change anything. */
export const mayEdit = () => known.role !== 'reader';
