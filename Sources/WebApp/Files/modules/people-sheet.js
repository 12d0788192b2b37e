import { api } from './api.js';
import { caller } from './caller.js';
import { element, refill } from './dom.js';
import { Form } from './form.js';
import { attempt, tell } from './notices.js';
import { showProtection } from './protect-sheet.js';
import { roleName, showShare } from './share-sheet.js';
import { ask, choices, plainBar, Sheet } from './sheet.js';
import { dayOf, moment, text } from './texts.js';

/** Shows the tokens of the inventory, to rename and revoke them. */
export async function showPeople() {
  const list = element('ul', { class: 'card entries', role: 'list' });
  const ways = [caller().canProtect
    ? { title: text('protect'), act: showProtection } : { title: text('invite'), act: () => showShare(caller().rootListId) }];
  const sheet = new Sheet(plainBar(text('people')), [
    caller().canProtect ? element('p', { class: 'ask-detail' }, text('protectOffer')) : '', list, ...choices([ways], () => sheet)]);
  /** The titles of lists by id. */
  const titles = new Map();

  async function draw() {
    const { tokens } = await api.get('/v1/tokens');
    await Promise.all([...new Set(tokens.map(({ listId }) => listId))].filter((id) => id && !titles.has(id)).map(async (id) => {
      titles.set(id, await api.get(`/v1/lists/${id}`).then(({ title }) => title, () => null));
    }));
    const isOwn = ({ id }) => id === caller().tokenId;
    refill(list, [...tokens.filter(isOwn), ...tokens.filter((token) => !isOwn(token))].map(line));
    list.hidden = !tokens.length;
  }

  function line(token) {
    const { id, name, role, listId, createdAt, lastUsedAt, expiresAt } = token;
    const isOwn = id === caller().tokenId;
    const access = [roleName(role), listId ? titles.get(listId) : null, expiresAt ? text('endsAt', { time: moment(expiresAt) }) : null];
    const use = [
      text('madeOn', { time: dayOf(createdAt) }), lastUsedAt ? text('lastUsed', { time: dayOf(lastUsedAt) }) : text('neverUsed')];
    return element('li', {},
      element('div', { class: 'row-texts' },
        isOwn ? element('span', { class: 'own-mark' }, text('thisDevice')) : null,
        element('bdi', { class: 'row-title' }, name),
        ...[access, use].map((facts) => element('span', { class: 'row-detail' },
          ...facts.filter((fact) => fact).flatMap((fact, index) => [index ? ' · ' : null, element('bdi', {}, fact)])))),
      element('div', { class: 'entry-ways' },
        element('button', { class: 'plain', type: 'button', onclick: () => rename(token) }, text('rename')),
        element('button', { class: 'plain is-grave', type: 'button', onclick: () => attempt(() => revoke(token, isOwn)) }, text('revoke'))));
  }

  function rename({ id, name }) {
    const form = new Form([[{ pointer: '/name', label: text('name'), value: name }]], () => naming.act('save'));
    const naming = new Sheet(
      plainBar(text('rename'), { action: 'save', title: text('save'), image: 'check', enabled: true }), form.element, {
        save: async () => {
          try {
            await api.patch(`/v1/tokens/${id}`, form.members(), { canRepeat: true });
            naming.close();
            await draw();
          } catch (error) {
            if (!form.show(error)) tell(error);
          }
        },
      });
    naming.hasUnsaved = () => form.isChanged;
    form.focus();
  }

  async function revoke({ id, name }, isOwn) {
    const isSure = await ask(text('revokeAsk', { name }), {
      detail: isOwn ? text('revokeOwn') : undefined, answer: { title: text('revoke'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    await api.remove(`/v1/tokens/${id}`, { canRepeat: true });
    await draw();
  }

  await attempt(draw);
}
