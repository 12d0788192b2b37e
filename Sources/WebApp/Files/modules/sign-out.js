import { reload } from './history.js';
import { session } from './session.js';

let stop = () => {};

/** @param end ends what goes on beside the page, such as the stream of events. */
export function onSignOut(end) {
  stop = end;
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

/** Forgets the token, and all that was read with it, in every window of this browser. */
export function signOut() {
  session.signOut();
  clearPage();
}

/** Forgets the same where another window has signed out, or has cleared what this browser keeps. */
function follow() {
  if (session.isSignedOut) {
    const wasSignedIn = session.token !== null;
    session.forgetOwn();
    if (wasSignedIn) clearPage();
  } else if (session.token !== null && session.keptToken === null) {
    clearPage();
  }
}

addEventListener('storage', follow);
// A page that the browser had put aside has heard of nothing.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  follow();
  if (session.keptToken !== session.token) clearPage();
});
