import { base } from './api.js';
import { followSignOut } from './follow-sign-out.js';
import { reload } from './history.js';

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

/** The address of a page after signing out. Another person may sign in there. */
const start = `${base}/`;

/** Leaves the page for the one after signing out. */
export const leaveSignedOut = () => clearPage(start);

followSignOut((isSignedOut) => (isSignedOut ? leaveSignedOut() : clearPage()));
