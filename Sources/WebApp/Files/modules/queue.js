import { isObject } from '../client/view.js';
import { element, refill, saveFile } from './dom.js';
import { former } from './former.js';
import { written } from './json-text.js';
import { kept, takeBack } from './kept.js';
import { attempt } from './notices.js';
import { canPutBack, putBack } from './put-back.js';
import { ask, plainBar, Sheet } from './sheet.js';
import { counting, moment, number, text } from './texts.js';
import { giveBack } from './theirs.js';

/** Milliseconds after which a change that has no answer is shown as one that waits. */
const shownAfter = 2000;

/** The text keys of commands. */
const actions = { moveRows: 'didMoveRow', delete: 'didDeleteRow', restore: 'didRestoreRow' };
const actionOf = ({ type }) => text(actions[type] ?? `did${type[0].toUpperCase()}${type.slice(1)}`);

const isPhoto = ({ command }) => command.type === 'addPhoto';

/** The values that a command contains, by the names of their fields. */
const valuesOf = ({ item, list, patch }) =>
  Object.entries(item ?? list ?? patch ?? {}).filter(([name]) => name !== 'id' && name !== 'createdAt');

/** A part of a value as a text. */
const part = (value) => (value === null ? '–' : typeof value === 'object' ? written(value) : String(value));

function shown(value) {
  if (value === null || value === undefined || value === '') return element('i', {}, text('noValue'));
  if (Array.isArray(value)) return value.map(part).join(', ');
  return isObject(value) ? Object.entries(value).map(([name, member]) => `${name}: ${part(member)}`).join(', ') : part(value);
}

/** The name of a command's field. */
const nameOf = (field) => text(field === 'sentinel' ? 'sentinelText' : field);

const fact = (name, ...values) => element('span', { class: 'row-detail' }, `${name}: `, element('bdi', {}, ...values));

/** What became of a command: why it was refused, or what others have changed. */
function outcome(notice) {
  const { command, outcome: name, problem, overwritten = {} } = notice;
  if (name === 'refused') {
    return [isPhoto(notice) ? photoView(notice) : null,
      element('p', { class: 'field-fault' }, [problem.title, problem.detail].filter((line) => line).join(' · ')),
      ...valuesOf(command).map(([field, value]) => fact(nameOf(field), shown(value)))];
  }
  const fields = Object.entries(overwritten);
  if (!fields.length) return [element('span', { class: 'row-detail' }, text('bothKept'))];
  return fields.map(([field, theirs]) => element('div', { class: 'both-values', role: 'group', 'aria-label': nameOf(field) },
    element('span', { class: 'row-subjects' }, nameOf(field)),
    fact(text('conflictTheirs'), shown(theirs)), fact(text('conflictYours'), shown(command.patch?.[field]))));
}

/** Whether a notice shows values of others that the command has replaced. */
const hasTheirs = ({ overwritten = {} }) => Object.keys(overwritten).length > 0;

const photoHeight = 64;

/** A small view of a photo that only the store has. It stays empty if the browser cannot show the photo. */
function photoView({ command: { id } }) {
  const image = element('img', { alt: '', height: photoHeight, hidden: true });
  attempt(async () => {
    const photo = await kept.photo(id);
    // Another window has dismissed it.
    if (!photo) return;
    const source = URL.createObjectURL(photo);
    image.onload = image.onerror = ({ type }) => {
      image.hidden = type === 'error';
      URL.revokeObjectURL(source);
    };
    image.src = source;
  });
  return image;
}

/** Saves a photo that only the store has as a file. */
async function savePhoto({ command: { id }, title }) {
  const photo = await kept.photo(id);
  saveFile(photo, photo.name ?? title);
}

const formerCount = () => text('formerCount', { count: number(former.count) });

const button = (key, act) => element('button', { class: 'plain', type: 'button', onclick: () => attempt(act) }, text(key));

/** Erases the changes of an earlier sign-in, after a question. */
async function discardFormer() {
  const answer = { title: text('discard'), cancel: text('cancel') };
  if (await ask(text('formerDiscard'), { detail: formerCount(), answer, isGrave: true })) await former.discard();
}

/** The line of the changes of an earlier sign-in. It does not show what they contain: another person may have made them. */
function formerLine() {
  const [detail, act] = !former.waiting ? ['formerTold', 'show'] : former.canSend ? ['formerDetail', 'send'] : ['formerForReaders', null];
  const line = element('li', {},
    element('div', { class: 'row-texts' },
      element('span', { class: 'row-title' }, formerCount()), element('span', { class: 'row-detail' }, text(detail))),
    element('div', { class: 'entry-ways' }, button('discard', discardFormer), act ? button(act, take) : null));

  async function take() {
    for (const each of line.querySelectorAll('button')) each.disabled = true;
    await former.adopt();
  }

  return line;
}

/**
 * Shows the changes that wait for a connection, those that were refused, those that met changes of others, and how many
 * wait since an earlier sign-in.
 */
export function showQueue() {
  const [waiting, told, earlier] = [1, 2, 3].map(() => element('ul', { class: 'card entries', role: 'list' }));
  const empty = element('p', { class: 'empty' }, text('waitingNone'));
  const sheet = new Sheet(plainBar(text('ownChanges')), [earlier, told, waiting, empty]);
  const line = (entry, details, ...buttons) => element('li', {},
    element('div', { class: 'row-texts' },
      element('span', { class: 'row-title' }, actionOf(entry.command)),
      entry.title ? element('span', { class: 'row-subjects' }, element('bdi', {}, entry.title)) : null,
      ...details, element('span', { class: 'row-detail' }, moment(entry.time))),
    element('div', { class: 'entry-ways' }, ...buttons));

  /** The notices whose values cannot be given back. */
  const lost = new Set();

  /** Gives a field the values that others gave it before. */
  async function useTheirs(notice) {
    try {
      await giveBack(notice);
    } catch (error) {
      if (error.status === 409) lost.add(notice.id);
      draw();
      throw error;
    }
    await kept.dismiss(notice);
  }

  function theirsButton(notice) {
    if (!hasTheirs(notice)) return null;
    const made = button('useTheirs', () => useTheirs(notice));
    made.disabled = lost.has(notice.id);
    return made;
  }

  /** The notices whose commands are being made again. */
  const underWay = new Set();

  function putBackButton(notice) {
    const made = button('restoreAgain', async () => {
      underWay.add(notice.id);
      made.disabled = true;
      try {
        await putBack(notice);
      } finally {
        underWay.delete(notice.id);
        draw();
      }
    });
    made.disabled = underWay.has(notice.id);
    return made;
  }

  function draw() {
    const notices = [...kept.refused, ...kept.notices];
    refill(told, notices.map((notice) => line(notice, outcome(notice), theirsButton(notice),
      canPutBack(notice) ? putBackButton(notice) : null,
      isPhoto(notice) ? button('save', () => savePhoto(notice)) : null,
      button(hasTheirs(notice) ? 'keepYours' : 'dismiss', () => kept.dismiss(notice)))));
    refill(waiting, kept.status.waiting.map((entry) => line(entry, [],
      entry.state === 'waiting' ? button('takeBack', () => takeBack(entry)) : null)));
    told.hidden = !notices.length;
    waiting.hidden = !kept.status.waiting.length;
    drawEmpty();
  }

  function drawFormer() {
    refill(earlier, former.count ? [formerLine()] : []);
    earlier.hidden = !former.count;
    drawEmpty();
  }

  const drawEmpty = () => (empty.hidden = ![earlier, told, waiting].every(({ hidden }) => hidden));

  draw();
  drawFormer();
  former.addEventListener('change', drawFormer);
  sheet.whenClosed.then(() => former.removeEventListener('change', drawFormer));
  sheet.whenClosed.then(kept.subscribe(draw));
}

/** Shows in the page how many changes wait or were refused. A press shows them. */
export function markQueue() {
  const button = element('button', { type: 'button', onclick: showQueue });
  const mark = element('div', { class: 'queue-mark', role: 'status', hidden: true }, button);
  document.querySelector('.stage').before(mark);
  let timer = 0;
  const draw = (isLate = false) => {
    const { connection, waiting } = kept.status;
    const told = kept.refused.length + kept.notices.length;
    const isWaiting = waiting.length > 0 && (connection !== 'online' || isLate);
    clearTimeout(timer);
    if (waiting.length && !isWaiting) timer = setTimeout(draw, shownAfter, true);
    mark.hidden = !told && !isWaiting && !former.count;
    const parts = [former.count ? formerCount() : null, told ? counting('toldChanges', told) : null,
      isWaiting ? counting('waitingCount', waiting.length) : null];
    const sentence = parts.filter((part) => part).join(' · ');
    if (button.textContent !== sentence) button.textContent = sentence;
  };
  kept.subscribe(() => draw());
  former.addEventListener('change', () => draw());
  draw();
  attempt(() => former.look());
}
