import { api, Disconnected, listeners } from './api.js';
import { caller } from './caller.js';
import { copyable } from './copyable.js';
import { deviceName } from './device-name.js';
import { element } from './dom.js';
import { Form } from './form.js';
import { reload } from './history.js';
import { eraseFormer } from './kept.js';
import { notify, tell } from './notices.js';
import { keepTyped } from './row-acts.js';
import { session } from './session.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { stopBackground } from './sign-out.js';
import { text } from './texts.js';

/** A sheet that stays open until the token was seen. */
class ProtectionSheet extends Sheet {
  isRequired = false;
}

/** Offers to protect a server without tokens, once in each browser. */
export function offerProtection() {
  if (!caller().canProtect || session.wasOfferedProtection) return false;
  session.wasOfferedProtection = true;
  notify(text('protectOffer'), { action: { title: text('protect'), act: () => showProtection() } });
  return true;
}

/**
 * Opens the sheet that makes the first token of the server.
 *
 * @param listId the list to share afterwards.
 */
export function showProtection(listId = null) {
  const form = new Form([[{ pointer: '/name', label: text('deviceName'), value: deviceName() }]], () => sheet.act('protect'));
  const sheet = new ProtectionSheet(
    plainBar(text('protect'), { action: 'protect', title: text('protectNow'), image: 'check', enabled: true }),
    [listId ? element('p', { class: 'ask-detail' }, text('protectFirst')) : null,
      element('p', { class: 'ask-detail' }, text('protectDetail')), form.element].filter((part) => part),
    { protect, close });
  /** Whether the token is shown, and was not copied. */
  let isUnkept = false;
  /** Resolves when what was kept without a token is erased. */
  let erased = null;

  async function protect() {
    // The server ends the page's streams and refuses its requests. Nothing may reload the page until the token was seen.
    stopBackground();
    listeners.askForToken = () => new Promise(() => {});
    sheet.hasUnsaved = () => true;
    sheet.whenClosed.then(() => erased).then(() => {
      keepTyped();
      return reload();
    });
    try {
      const { token } = await api.post('/v1/tokens', { ...form.members(), role: 'admin' }, { isMinor: true, isOnce: true });
      session.keepToken(token, true);
      session.newDeviceName = form.field('/name').value;
      session.sharing = listId;
      erased = eraseFormer(null);
      show(token);
    } catch (error) {
      sheet.hasUnsaved = () => false;
      if (error instanceof Disconnected) {
        // The server may be protected, and then refuses a second attempt. The page that is loaded next finds out.
        sheet.bar = plainBar(text('protect'));
        form.remark(text('protectLost'));
      } else if (!form.show(error)) tell(error);
    }
  }

  function show(token) {
    sheet.isRequired = true;
    sheet.bar = plainBar(text('protect'));
    sheet.body.replaceChildren(
      element('p', { class: 'ask-detail', role: 'status' }, text('protectKeep')), copyable(text('token'), token, () => (isUnkept = false)));
    isUnkept = true;
  }

  async function close() {
    const isSure = !isUnkept || await ask(text('protectAsk'), {
      detail: text('protectAskDetail'), answer: { title: text('close'), cancel: text('back') } });
    if (isSure) sheet.close();
  }
}
