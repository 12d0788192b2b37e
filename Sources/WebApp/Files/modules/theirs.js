import { isObject } from '../client/view.js';
import { api, Problem } from './api.js';
import { give, isOffline } from './kept.js';
import { take, takeEntry } from './notices.js';

/** The part of a patch that has replaced no values of others; undefined if there is none. */
function rest(patch, overwritten) {
  const left = Object.entries(patch).map(([name, value]) => {
    if (!(name in overwritten)) return [name, value];
    return [name, isObject(value) && isObject(overwritten[name]) ? rest(value, overwritten[name]) : undefined];
  }).filter(([, value]) => value !== undefined);
  return left.length ? Object.fromEntries(left) : undefined;
}

/** The values of the members that a patch sets. */
const before = (patch, values) => Object.fromEntries(Object.entries(patch).map(([name, value]) => (
  [name, isObject(value) && isObject(values[name]) ? before(value, values[name]) : values[name]])));

/** Whether a merge patch sets exactly these values. It sets no null, and it merges objects. */
const canSet = (values, patch) => Object.entries(values).every(([name, value]) => (
  isObject(value) ? isObject(patch[name]) && canSet(value, patch[name]) : value !== null));

/**
 * Gives fields the values back that others had given them before a command. Of the command's other changes nothing is
 * lost.
 *
 * Only the server knows these values exactly: in `overwritten`, null in custom fields can mean that there was no field. So
 * the command is undone, and its other changes are made again. If later changes prevent the undo, the values are set.
 * Throws the refusal if they cannot be set exactly.
 *
 * @param notice one of the store, with `overwritten`.
 */
export async function giveBack({ id: idempotencyKey, command: { type, id, patch, from }, overwritten, changed }) {
  const { fields } = overwritten;
  const canPatch = fields === undefined || canSet({ fields }, patch);
  const set = async () => takeEntry(await give((store) => store[type](id, overwritten)));
  if (isOffline() && canPatch) return set();
  try {
    // If the answer is lost, the next attempt gets it by the same key.
    const receipt = await api.post(`/v1/changes/${changed}/undo`, undefined, { idempotencyKey, isMinor: true });
    await take(receipt);
  } catch (error) {
    // A change that has left the log cannot be undone either.
    if (!canPatch || !(error instanceof Problem) || ![404, 409, 410].includes(error.status)) throw error;
    return set();
  }
  const own = rest(patch, overwritten);
  if (own) takeEntry(await give((store) => store[type](id, own, { seen: before(own, from) })));
  return undefined;
}
