import { base, commonFields } from './api.js';
import { caller } from './caller.js';
import { followSignOut } from './follow-sign-out.js';
import { reload } from './history.js';
import { session } from './session.js';

let stop = () => {};

/** @param end stops background work, such as the event stream. */
export function onSignOut(end) {
  stop = end;
}

/** Stops background work before the page is left. */
export const stopBackground = () => stop();

/**
 * Removes all data from the page while the next one is loading, and from memory, which a reload empties.
 *
 * @param address that of the next page, which is the same one by default.
 */
export function clearPage(address = location.href) {
  stop();
  document.body.replaceChildren();
  document.title = 'Rowhouse';
  reload(address);
}

/**
 * What revokes the token that an invitation has made for this browser, and which nobody needs after a sign-out. Call it after
 * the sign-out, so that the refused token is asked for nowhere. A token that manages people stays: others may depend on it.
 */
export function ownRevocation() {
  const { role, listId, tokenId } = caller() ?? {};
  const managesPeople = ['owner', 'admin'].includes(role) && !listId;
  if (!session.isInvited || !tokenId || managesPeople) return () => {};
  const headers = commonFields();
  // Without a connection the token stays, and can be revoked elsewhere.
  return () => void fetch(`${base}/v1/tokens/${tokenId}`, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
}

/** The address of a page after signing out. Another person may sign in there. */
const start = `${base}/`;

/** Leaves the page for the one after signing out. */
export const leaveSignedOut = () => clearPage(start);

followSignOut((isSignedOut) => (isSignedOut ? leaveSignedOut() : clearPage()));
