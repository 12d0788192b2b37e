import { api, base, Disconnected } from './api.js';
import { deviceName } from './device-name.js';
import { element } from './dom.js';
import { Form } from './form.js';
import { reload } from './history.js';
import { eraseFormer, eraseKept, waitingCount } from './kept.js';
import { tell } from './notices.js';
import { session } from './session.js';
import { roleName } from './share-sheet.js';
import { ownRevocation } from './sign-out.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

/** Asks whether to accept an invitation, and signs in with it. Resolves when it is accepted or declined. */
export function askInvitation(code) {
  const isSignedIn = session.token !== null;
  return new Promise((resolve) => {
    const form = new Form([[{ pointer: '/deviceName', label: text('deviceName'), value: deviceName() }]], () => sheet.act('accept'));
    const access = element('p', { class: 'ask-detail' });
    const sheet = new Sheet(
      plainBar(text('invited'), { action: 'accept', title: text('accept'), image: 'check', enabled: true }),
      [access, element('p', { class: 'ask-detail' }, text('invitedDetail')),
        isSignedIn ? element('p', { class: 'ask-detail is-warning' }, text('invitedAgain')) : null, form.element].filter((part) => part),
      { accept });
    sheet.whenClosed.then(resolve);
    form.focus();
    preview();

    /** Says what the invitation gives access to, unless the server cannot be reached. */
    async function preview() {
      try {
        const { title, role } = await api.post('/v1/invitations/preview', { code }, { isMinor: true });
        access.textContent = text('invitedTo', { list: title, access: roleName(role) });
      } catch (error) {
        if (error.code !== 'invitation_invalid') return;
        // It may have been used, also by this person on another device. Nothing that is typed here would help.
        sheet.bar = plainBar(text('invited'));
        sheet.body.replaceChildren(element('p', { class: 'ask-detail', role: 'alert' }, error.message));
        sheet.element.querySelector('[data-action=close]').focus();
      }
    }

    async function accept() {
      if (isSignedIn && await waitingCount() && !await ask(text('signOutAsk'), {
        answer: { title: text('accept'), cancel: text('cancel') }, isGrave: true })) return;
      try {
        const { token } = await api.post('/v1/invitations/accept', { code, ...form.members() }, { isMinor: true, isOnce: true });
        const name = form.field('/deviceName').value;
        if (isSignedIn) {
          await eraseKept();
          const revoke = ownRevocation();
          session.signOut(token, name);
          revoke();
        } else {
          session.keepToken(token, true, true);
          session.newDeviceName = name;
          await eraseFormer(null);
        }
        sheet.close();
        if (isSignedIn) reload(`${base}/`);
      } catch (error) {
        if (error.code === 'invitation_invalid') form.remark(error.message);
        // The code works once, and no call gives the token again.
        else if (error instanceof Disconnected) form.remark(text('acceptLost'));
        else if (!form.show(error)) tell(error);
      }
    }
  });
}
