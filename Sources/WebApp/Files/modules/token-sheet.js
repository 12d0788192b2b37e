import { element } from './dom.js';
import { Form } from './form.js';
import { invitationIn } from './invitation.js';
import { session } from './session.js';
import { Sheet } from './sheet.js';
import { text } from './texts.js';

class TokenSheet extends Sheet {
  get isRequired() {
    return true;
  }
}

/**
 * Asks for a token. The sheet stays open until there is one, or the link of an invitation was pasted.
 *
 * Resolves to the code of the invitation; null for a token.
 *
 * @param isWrong whether the last token was refused.
 */
export function askToken(isWrong) {
  return new Promise((resolve) => {
    const form = new Form([[
      { pointer: '/token', label: text('token') },
      { pointer: '/keep', label: text('tokenKeep'), kind: 'flag', value: true },
    ]], () => sheet.act('signIn'));
    const { input } = form.field('/token');
    input.type = 'password';
    input.autocomplete = 'current-password';
    const sheet = new TokenSheet({
      leading: null, title: text('signIn'), titleFits: true, prompt: null,
      trailing: { action: 'signIn', title: text('signIn'), image: 'check', enabled: true },
    }, [
      element('p', { class: 'ask-detail' }, text('tokenAsk')), form.element,
      ...['tokenWhat', 'tokenNone'].map((key) =>
        element('p', { class: 'ask-detail' }, text(key, { people: text('people'), share: text('share') }))),
    ], { signIn: submit }, 'is-token');
    if (isWrong) form.remark(text('tokenWrong'));
    form.focus();

    function submit() {
      const token = input.value.trim();
      if (!token) return input.focus();
      const code = invitationIn(token);
      if (code) {
        sheet.close();
        return resolve(code);
      }
      session.keepToken(token, form.field('/keep').value);
      sheet.close();
      return resolve(null);
    }
  });
}
