import { reload } from './history.js';
import { session } from './session.js';

let stop = () => {};

/** @param end stops background work, such as the event stream. */
export function onSignOut(end) {
  stop = end;
}

/**
 * Removes all data from the page while the next one is loading, and from memory, which a reload empties.
 */
export function clearPage() {
  stop();
  document.body.replaceChildren();
  document.title = 'Rowhouse';
  history.replaceState(null, '');
  reload();
}

/** Removes the token, and the data read with it, in every window of this browser. */
export function signOut() {
  session.signOut();
  clearPage();
}

/** Clears this window if another one has signed out or cleared the stored data. */
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
// A page restored from the browser's cache has received no events.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  follow();
  if (session.keptToken !== session.token) clearPage();
});
