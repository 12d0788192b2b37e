import { eraseKept, waitingCount } from './kept.js';
import { session } from './session.js';
import { ask } from './sheet.js';
import { leaveSignedOut, ownRevocation, stopBackground } from './sign-out.js';
import { text } from './texts.js';

/** Removes the token, and the data read with it, in every window of this browser. Asks first, also about changes that are not saved yet. */
export async function signOut() {
  const detail = [await waitingCount() ? text('signOutAsk') : null, text('signOutDetail')].filter((part) => part).join(' ');
  const answer = { title: text('signOut'), cancel: text('cancel') };
  if (!await ask(text('signOutSure'), { detail, answer, isGrave: true })) return;
  const revoke = ownRevocation();
  session.signOut();
  stopBackground();
  revoke();
  document.body.replaceChildren();
  await eraseKept();
  leaveSignedOut();
}
