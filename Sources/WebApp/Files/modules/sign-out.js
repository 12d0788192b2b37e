import { base } from './api.js';
import { followSignOut } from './follow-sign-out.js';
import { reload } from './history.js';
import { eraseKept, waitingCount } from './kept.js';
import { session } from './session.js';
import { ask } from './sheet.js';
import { text } from './texts.js';

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

/** Removes the token, and the data read with it, in every window of this browser. Asks first, also about changes that are not saved yet. */
export async function signOut() {
  const detail = [await waitingCount() ? text('signOutAsk') : null, text('signOutDetail')].filter((part) => part).join(' ');
  const answer = { title: text('signOut'), cancel: text('cancel') };
  if (!await ask(text('signOutSure'), { detail, answer, isGrave: true })) return;
  session.signOut();
  stop();
  document.body.replaceChildren();
  await eraseKept();
  clearPage(start);
}

followSignOut((isSignedOut) => clearPage(isSignedOut ? start : undefined));
