import { session } from './session.js';

/**
 * Clears this window if another one has signed out or cleared the stored data. The window that signs out erases the stores
 * of all windows: one that was suspended meanwhile could erase what somebody has typed after signing in again.
 *
 * @param clear removes what the window shows, and loads a page again. Its argument: whether somebody has signed out.
 */
export function followSignOut(clear) {
  function follow() {
    if (session.isSignedOut) {
      session.forgetOwn();
      clear(true);
    } else if (session.token !== null && session.keptToken === null) {
      clear(false);
    }
  }
  addEventListener('storage', follow);
  // A page restored from the browser's cache has received no events.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    follow();
    if (session.keptToken !== session.token) clear(false);
  });
}
