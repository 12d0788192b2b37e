import { api, Disconnected, listeners, ownPath, pauseAfterTrouble, Problem } from './api.js';
import { element, focusTitle, topmost } from './dom.js';
import { takeBack } from './kept.js';
import { mirrors } from './mirrors.js';
import { say } from './speech.js';
import { text } from './texts.js';

const shownFor = 12_000;
const toasts = document.querySelector('.toasts');
/**
 * The changes made here, the latest last: the path that undoes each, or the entry of a command of the store. An array has
 * those that are undone together. Null for one that cannot be undone.
 */
let undos = [];
/** The paths that undo the undos made here since the last other change. An array has those of undos made together. */
let redos = [];
const mostUndos = 100;
/** The groups that were undone. What was still to be added to one is not added. */
const takenBack = new WeakSet();

/** Whether a group of changes was undone. */
export const isTakenBack = (group) => takenBack.has(group);
let turns = Promise.resolve();
/** Writes whose answers were lost: `{findOut, learn}`. */
let doubts = [];
let doubtTimer = 0;

/**
 * Lets what is below the message be scrolled up. Who sees the end of a list goes on seeing it, and what has the focus stays
 * in sight.
 */
function makeRoom() {
  const scrollers = [...document.querySelectorAll('.screen:not([inert]) .scroller, .sheet-body')];
  const atEnd = scrollers.filter((each) => each.scrollHeight - each.scrollTop - each.clientHeight < 4);
  const height = toasts.offsetHeight;
  document.documentElement.classList.toggle('has-toast', height > 0);
  document.documentElement.style.setProperty('--toast-height', `${height}px`);
  if (!height) return;
  for (const scroller of atEnd) scroller.scrollTop = scroller.scrollHeight;
  const focused = document.activeElement;
  const isCovered = scrollers.some((each) => each.contains(focused))
    && focused.getBoundingClientRect().bottom > toasts.getBoundingClientRect().top;
  if (isCovered) focused.scrollIntoView({ block: 'nearest' });
}

new ResizeObserver(makeRoom).observe(toasts);

/** Shows a short message at the bottom of the page, with a detail below it and a button if there is an action. */
export function notify(sentence, { detail, action, isTrouble = false } = {}) {
  const toast = element('div', { class: isTrouble ? 'toast is-trouble' : 'toast', role: 'group', 'aria-label': sentence },
    element('p', {}, element('bdi', {}, sentence),
      detail ? element('bdi', { class: 'toast-detail' }, detail) : null),
    action ? element('button', { type: 'button', onclick: () => { leave(); action.act(); } }, action.title) : null);
  let timer = 0;
  const leave = () => {
    const hasFocus = toast.contains(document.activeElement);
    toast.remove();
    if (hasFocus) focusTitle();
  };
  const wait = () => (timer = setTimeout(leave, shownFor));
  for (const event of ['pointerenter', 'focusin']) toast.addEventListener(event, () => clearTimeout(timer));
  for (const event of ['pointerleave', 'focusout']) toast.addEventListener(event, wait);
  if (toasts.parentNode !== topmost()) topmost().append(toasts);
  toasts.replaceChildren(toast);
  wait();
  say([sentence, detail].filter((part) => part).join(' '));
}

/**
 * Applies a receipt and remembers its undo path. With a sentence, shows it with an Undo button.
 *
 * @param group an array for the changes that are undone together, the same for each of them.
 */
export async function take(receipt, sentence, group) {
  // Earlier changes come first in the order of undo. Without a connection they are found out later.
  if (doubts.length) await settle().catch(() => {});
  await accept(receipt, sentence, group);
}

async function accept(receipt, sentence, group) {
  await mirrors.receive(receipt);
  if (receipt.changed) {
    keep(receipt.undo, group);
    redos = [];
  }
  if (sentence) notify(sentence, { action: undoAction(group ?? receipt.undo) });
}

/** Remembers a command of the store, or several that are undone together. With a sentence, shows it with an Undo button. */
export function takeEntry(entry, sentence, group) {
  keep(entry, group);
  redos = [];
  if (sentence) notify(sentence, { action: undoAction(group ?? entry) });
}

function keep(path, group) {
  group?.push(path);
  undos = [...undos.filter((other) => !group || other !== group), group ?? path].slice(-mostUndos);
}

/** The changes of an entry of `undos` or `redos`, the one to undo or redo first at the start. */
const partsOf = (chosen) => [chosen].flat().reverse();

/** Removes a path or an entry, also from the group that it is in. */
function forget(part) {
  for (const changes of [undos, redos]) {
    for (const group of changes.filter((other) => Array.isArray(other) && other.includes(part))) group.splice(group.indexOf(part), 1);
  }
  [undos, redos] = [undos, redos].map((changes) => changes.filter((other) => other !== part && other?.length !== 0));
}

const undoAction = (path) => path && { title: text('undo'), act: () => attempt(() => undo(path)) };
const redoAction = (path) => path && { title: text('redo'), act: () => attempt(() => redo(path)) };

/** Whether there is a change to undo. */
export const canUndo = () => undos.length > 0;

/** Whether there is an undo to redo. */
export const canRedo = () => redos.length > 0;

/** Undoes the change with this path or entry, those of a group, or what was changed here last. Resolves to whether it did. */
export const undo = (path) => whenSure(async () => {
  const chosen = path ?? undos.at(-1);
  if (chosen === null) {
    undos.pop();
    notify(text('notUndoable'));
  }
  if (!chosen) return false;
  if (Array.isArray(chosen)) takenBack.add(chosen);
  const redoing = [];
  const then = (receipt) => {
    if (!receipt?.undo) return;
    redoing.push(receipt.undo);
    redos = [...redos.filter((other) => other !== redoing), redoing];
  };
  const isDone = await each(chosen, (part, done) => (typeof part === 'string' ? reverse(part, done) : recall(part, done)), then,
    () => notify(text('undone'), { action: redoAction(redoing.length ? redoing : null) }));
  if (!isDone) notify(text('notUndoable'));
  return isDone;
});

/**
 * Runs work on the parts of a change, and tells once what was done, also if a part fails. Stops at a part for which the work
 * resolves to false, and then resolves to false. `then` gets the answer for each part; one may come after the end.
 */
async function each(chosen, work, then, told) {
  let isOver = false;
  let count = 0;
  const done = (receipt) => {
    count += 1;
    then(receipt);
    if (isOver) told();
  };
  try {
    for (const part of partsOf(chosen)) if (await work(part, done) === false) return false;
    return true;
  } finally {
    isOver = true;
    if (count) told();
  }
}

/** Redoes the undone change with this path, those of a group, or what was undone here last. */
export const redo = (path) => whenSure(async () => {
  const chosen = path ?? redos.at(-1);
  if (!chosen) return;
  const group = [];
  await each(chosen, reverse, (receipt) => keep(receipt.undo, group),
    () => notify(text('redone'), { action: redoAction(redos.at(-1)) ?? undoAction(group) }));
});

/** Takes a command of the store back. Resolves to false if nothing is left of it to undo. */
async function recall(entry, then) {
  let receipt;
  try {
    receipt = await takeBack(entry);
  } catch (error) {
    // Otherwise older changes could not be undone.
    if (!(error instanceof Disconnected)) forget(entry);
    if (error.code === 'nothing_to_undo') return false;
    throw error;
  }
  forget(entry);
  then(receipt);
  return true;
}

/** Runs work one after the other, so that quick key presses undo each change once. */
function inTurn(work) {
  const done = turns.then(work);
  turns = done.catch(() => {});
  return done;
}

/** Runs work in turn. If it is unknown whether a write was done, only finds that out: no older write must be undone. */
function whenSure(work) {
  const isUnsure = doubts.length > 0;
  return inTurn(() => (isUnsure || doubts.length ? dispel() : work()));
}

/** Posts to an undo path, and then forgets the path. */
async function reverse(path, then) {
  const finish = async (receipt) => {
    forget(path);
    await mirrors.receive(receipt);
    then(receipt);
  };
  try {
    await finish(await api.post(ownPath(path), undefined, { canRepeat: true }));
  } catch (error) {
    // An undo that the server refuses is not offered again.
    if (error instanceof Problem) forget(path);
    doubt(error, (found) => {
      if (found) return finish(found.answer.value);
      forget(path);
      return tellOutcome(null);
    });
    throw error;
  }
}

/**
 * Remembers a write whose answer was lost. Once the server is reached again, `learn` gets what `findOut` resolves to.
 * Ignores other errors, and an error that is already known.
 */
export function doubt(error, learn = tellOutcome) {
  if (!(error instanceof Disconnected) || !error.findOut) return;
  if (!doubts.some(({ findOut }) => findOut === error.findOut)) doubts.push({ findOut: error.findOut, learn });
}

/** Tells whether a write was done, and takes its receipt. */
export async function tellOutcome(found) {
  if (!found) return notify(text('wasNotDone'), { isTrouble: true });
  const receipt = found.answer.value?.receipt ?? found.answer.value;
  return receipt ? accept(receipt, text('wasDone')) : notify(text('wasDone'));
}

/** Finds out which writes were done although their answers were lost. */
export const settle = () => inTurn(dispel);

async function dispel() {
  while (doubts.length) {
    const [first] = doubts;
    const found = await first.findOut();
    doubts = doubts.filter((other) => other !== first);
    await first.learn(found);
  }
}

/** Finds out as soon as there is a connection, and again later if that fails. */
async function settleSoon() {
  if (doubtTimer) return;
  try {
    await settle();
  } catch (error) {
    if (!(error instanceof Disconnected) && !error.mayPass) throw error;
    doubtTimer = setTimeout(() => {
      doubtTimer = 0;
      settleSoon();
    }, pauseAfterTrouble);
  }
}

/** Runs work and reports its error. Resolves to its result, or undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(error);
    return undefined;
  }
}

/** Whether the browser's database has no room, or cannot be written. */
export const isFull = (error) => error instanceof DOMException && ['QuotaExceededError', 'UnknownError'].includes(error.name);

/** Shows an error in the server's words. */
export function tell(error) {
  if (error.name === 'AbortError') return;
  doubt(error);
  if (error instanceof Disconnected) notify(text(error.findOut ? 'unsure' : 'needsConnection'), { isTrouble: true });
  else if (error instanceof Problem) {
    const { title, detail } = error.members;
    notify(title ?? error.message, { detail, isTrouble: true });
  } else if (isFull(error)) {
    notify(text('notStored'), { isTrouble: true });
  } else throw error;
}

/** Shows a notice while the page is offline, and announces when it is online again. */
export class OfflineNotice {
  #element = document.querySelector('.notice');
  #isOffline = false;

  constructor(stream) {
    addEventListener('offline', () => this.#set(true));
    listeners.missed = () => {
      // Only the stream reports when the connection is back.
      if (!this.#isOffline) stream.renew();
      this.#set(true);
    };
    listeners.reached = () => {
      if (this.#isOffline) stream.hurry();
    };
    stream.addEventListener('lost', () => this.#set(true));
    stream.addEventListener('joined', () => {
      this.#set(false);
      settleSoon();
    });
  }

  #set(isOffline) {
    if (this.#isOffline === isOffline) return;
    this.#isOffline = isOffline;
    this.#element.hidden = !isOffline;
    this.#element.textContent = isOffline ? text('offline') : '';
    if (!isOffline) say(text('online'));
  }
}
