import { reload } from './history.js';
import { session } from './session.js';

/** All windows of this browser are told when one of them signs out. */
const windows = new BroadcastChannel('rowhouse.session');
/** The token that this page began with, or was given since. */
let token = session.token;
let stop = () => {};

/** @param end ends what goes on beside the page, such as the stream of events. */
export function onSignOut(end) {
  stop = end;
}

/** Takes note of a token that was entered in this window. */
export function signedIn() {
  ({ token } = session);
}

/**
 * Leaves nothing to read: neither on the page, while the next one is on its way, nor in its memory, which a reload
 * empties.
 */
export function clearPage() {
  stop();
  document.body.replaceChildren();
  document.title = 'Rowhouse';
  history.replaceState(null, '');
  reload();
}

function leave() {
  token = null;
  session.forget();
  clearPage();
}

/** Forgets the token, and all that was read with it, in every window of this browser. */
export function signOut() {
  windows.postMessage('signOut');
  leave();
}

windows.addEventListener('message', ({ data }) => {
  if (data === 'signOut' && token !== null) leave();
});

// A page that the browser had put aside has heard of nothing.
addEventListener('pageshow', (event) => {
  if (event.persisted && session.token !== token) clearPage();
});
// Whatever has cleared what this browser keeps; a window that takes another token does so for a moment, too.
addEventListener('storage', () => {
  if (token !== null && session.token === null) clearPage();
});
