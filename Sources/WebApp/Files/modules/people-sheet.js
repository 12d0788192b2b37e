import { api } from './api.js';
import { caller } from './caller.js';
import { element, refill } from './dom.js';
import { Form } from './form.js';
import { attempt, tell } from './notices.js';
import { showProtection } from './protect-sheet.js';
import { roleName, showShare } from './share-sheet.js';
import { ask, choices, openFilled, plainBar, Sheet } from './sheet.js';
import { dayOf, moment, text } from './texts.js';

/** Shows the tokens of the inventory, to rename and revoke them, and the open invitations. */
export const showPeople = () => openFilled(plainBar(text('people')), () => read(), show);

/** Reads the tokens, the open invitations, and the titles of their lists by id, except for those that are known. */
async function read(titles = new Map()) {
  const [{ tokens }, { invitations }] = await Promise.all([api.get('/v1/tokens'), api.get('/v1/invitations')]);
  await Promise.all([...new Set([...tokens, ...invitations].map(({ listId }) => listId))].filter((id) => id && !titles.has(id)).map(async (id) => {
    titles.set(id, await api.get(`/v1/lists/${id}`).then(({ title }) => title, () => null));
  }));
  return { tokens, invitations, titles };
}

function show(sheet, found) {
  const list = element('ul', { class: 'card entries', role: 'list' });
  const links = element('ul', { class: 'card entries', role: 'list' });
  const linksTitle = element('h3', {}, text('openLinks'));
  const ways = [caller().canProtect
    ? { title: text('protect'), act: showProtection } : { title: text('invite'), act: () => showShare(caller().rootListId) }];
  sheet.body.append(caller().canProtect ? element('p', { class: 'ask-detail' }, text('protectOffer')) : '',
    list, linksTitle, links, ...choices([ways], () => sheet));
  /** The tokens that are shown. */
  let known = [];

  const { titles } = found;

  const drawAgain = async () => draw(await read(titles));

  function draw({ tokens, invitations }) {
    known = tokens;
    const isOwn = ({ id }) => id === caller().tokenId;
    refill(list, [...tokens.filter(isOwn), ...tokens.filter((token) => !isOwn(token))].map(line));
    list.hidden = !tokens.length;
    refill(links, invitations.map(linkLine));
    linksTitle.hidden = links.hidden = !invitations.length;
  }

  /** What a token or an invitation gives access to. */
  const access = ({ role, listId, expiresAt }) => [
    roleName(role), listId ? titles.get(listId) : null, expiresAt ? text('endsAt', { time: moment(expiresAt) }) : null];

  function line(token) {
    const { id, name, createdAt, lastUsedAt } = token;
    const isOwn = id === caller().tokenId;
    const use = [
      text('madeOn', { time: dayOf(createdAt) }), lastUsedAt ? text('lastUsed', { time: dayOf(lastUsedAt) }) : text('neverUsed')];
    return entry(isOwn ? element('span', { class: 'own-mark' }, text('thisDevice')) : null, name, [access(token), use],
      way(text('rename'), () => rename(token)), way(text('revoke'), () => attempt(() => revoke(token, isOwn)), true));
  }

  const linkLine = (invitation) => entry(null, invitation.name ?? text('link'),
    [access(invitation), [text('openUntil', { time: moment(invitation.acceptBy) })]],
    way(text('withdraw'), () => attempt(() => withdraw(invitation)), true));

  const way = (title, act, isGrave = false) =>
    element('button', { class: isGrave ? 'plain is-grave' : 'plain', type: 'button', onclick: act }, title);

  const entry = (mark, title, lines, ...ways) => element('li', {},
    element('div', { class: 'row-texts' }, mark, element('bdi', { class: 'row-title' }, title),
      ...lines.map((facts) => element('span', { class: 'row-detail' },
        ...facts.filter((fact) => fact).flatMap((fact, index) => [index ? ' · ' : null, element('bdi', {}, fact)])))),
    element('div', { class: 'entry-ways' }, ...ways));

  async function withdraw({ id }) {
    try {
      await api.remove(`/v1/invitations/${id}`, { canRepeat: true });
    } catch (error) {
      // Somebody has accepted it, or it has expired.
      if (error.status !== 404) throw error;
    }
    await drawAgain();
  }

  function rename({ id, name }) {
    const form = new Form([[{ pointer: '/name', label: text('name'), value: name }]], () => naming.act('save'));
    const naming = new Sheet(
      plainBar(text('rename'), { action: 'save', title: text('save'), image: 'check', enabled: true }), form.element, {
        save: async () => {
          try {
            await api.patch(`/v1/tokens/${id}`, form.members(), { canRepeat: true });
            naming.close();
            await drawAgain();
          } catch (error) {
            if (!form.show(error)) tell(error);
          }
        },
      });
    naming.hasUnsaved = () => form.isChanged;
    form.focus();
  }

  const managesPeople = ({ role, listId, expiresAt }) =>
    ['owner', 'admin'].includes(role) && !listId && !(expiresAt && Date.parse(expiresAt) < Date.now());

  /** What else the revocation of the own token does, with the key of its text. */
  function endOf(token) {
    const others = known.filter(({ id }) => id !== token.id);
    if (!managesPeople(token) || others.some(managesPeople)) return 'revokeOwn';
    return others.length ? 'revokeLastOwner' : 'revokeLast';
  }

  async function revoke(token, isOwn) {
    const { id, name } = token;
    const isSure = await ask(text('revokeAsk', { name }), {
      detail: isOwn ? text(endOf(token)) : undefined, answer: { title: text('revoke'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    await api.remove(`/v1/tokens/${id}`, { canRepeat: true });
    await drawAgain();
  }
  draw(found);
}
