import { address, api, isLocal } from './api.js';
import { caller } from './caller.js';
import { copyable } from './copyable.js';
import { element } from './dom.js';
import { Form } from './form.js';
import { kept } from './kept.js';
import { tell } from './notices.js';
import { showProtection } from './protect-sheet.js';
import { choices, plainBar, readFor, Sheet } from './sheet.js';
import { moment, text } from './texts.js';

const roles = ['reader', 'editor', 'owner'];
const day = 86_400_000;
/** The pause between two looks whether a link was used, in milliseconds. */
const look = 3_000;
/** The days until the access ends, by the names of their texts. */
const times = [['never', ''], ['inADay', 1], ['inAWeek', 7], ['inAMonth', 30], ['inAYear', 365]];

/** Whether the caller may invite others. */
export const mayShare = () => ['owner', 'admin'].includes(caller().role);

/** The name of a role for people. */
export const roleName = (role) => text(`role${role[0].toUpperCase()}${role.slice(1)}`);

/** Opens the sheet that makes an invitation to a list, as a link and a QR code. */
export async function showShare(listId) {
  // An invitation to an open server would lock out everyone else.
  if (caller().canProtect) return showProtection(listId);
  const list = kept?.list(listId) ?? await readFor(() => api.get(`/v1/lists/${listId}`));
  if (!list) return undefined;
  const isEverything = list.parentId === null;
  const title = isEverything ? text('shareEverything', { inventory: list.title }) : text('share');
  const warning = () => (isLocal() ? [element('p', { class: 'ask-detail is-warning' }, text('shareLocal'))] : []);
  const detail = () => (isEverything ? [] : [element('p', { class: 'ask-detail' }, text('shareList', { list: list.title }))]);
  const most = caller().role === 'admin' ? roles.length : roles.indexOf(caller().role) + 1;
  const form = new Form([[
    { pointer: '/name', label: text('invitee') },
    { pointer: '/role', label: text('mayDo'), kind: 'choice', value: 'editor', options: roles.slice(0, most).map((role) => [role, roleName(role)]) },
    { pointer: '/days', label: text('accessEnds'), kind: 'choice', value: '', options: times.map(([key, days]) => [String(days), text(key)]) },
  ]], () => sheet.act('create'));
  const sheet = new Sheet(
    plainBar(title, { action: 'create', title: text('createLink'), image: 'check', enabled: true }),
    [...detail(), element('p', { class: 'ask-detail' }, text('shareDetail')), ...warning(), form.element],
    { create });
  form.focus();
  return undefined;

  async function create() {
    const { days, ...members } = form.members();
    if (days) members.expiresAt = new Date(Date.now() + days * day).toISOString();
    try {
      // Without a repetition, because each call makes another invitation.
      show(await api.post(address('/v1/invitations', { origin: location.origin }), { ...members, listId }, { isMinor: true, isOnce: true }));
    } catch (error) {
      if (!form.show(error)) tell(error);
    }
  }

  function show({ id, link, qrCode, acceptBy }) {
    sheet.bar = plainBar(title);
    const state = element('p', { class: 'ask-detail', role: 'status' }, text('shareReady', { time: moment(acceptBy) }));
    const way = [
      ...warning(),
      element('img', { class: 'qr-code', src: `data:image/svg+xml,${encodeURIComponent(qrCode)}`, alt: text('qrCode') }),
      copyable(text('link'), link)];
    sheet.body.replaceChildren(
      ...detail(), state, ...way, ...choices([[{ title: text('createAnother'), act: () => showShare(listId) }]], () => sheet));
    const timer = setInterval(watch, look);
    sheet.whenClosed.then(() => clearInterval(timer));

    /** Says so once the link is of no use any more. */
    async function watch() {
      const open = await api.get('/v1/invitations', { isQuiet: true }).catch(() => null);
      if (!open || open.invitations.some((each) => each.id === id)) return;
      clearInterval(timer);
      state.textContent = text(Date.now() < Date.parse(acceptBy) ? 'linkUsed' : 'linkEnded');
      for (const part of way) part.remove();
    }
  }
}
