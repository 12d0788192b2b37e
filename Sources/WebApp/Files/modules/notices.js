import { api, Disconnected, listeners, Problem } from './api.js';
import { element } from './dom.js';
import { mirrors } from './mirrors.js';
import { say } from './speech.js';
import { text } from './texts.js';

const shownFor = 12_000;
let lastUndo = null;

/** A short sentence at the foot of the page, with a button if there is something to do about it. */
export function notify(sentence, { action, isTrouble = false } = {}) {
  const home = document.querySelector('.toasts');
  const toast = element('div', { class: isTrouble ? 'toast is-trouble' : 'toast', role: 'group', 'aria-label': sentence },
    element('p', {}, element('bdi', {}, sentence)),
    action ? element('button', { type: 'button', onclick: () => { leave(); action.act(); } }, action.title) : null);
  let timer = 0;
  const leave = () => toast.remove();
  const wait = () => (timer = setTimeout(leave, shownFor));
  for (const event of ['pointerenter', 'focusin']) toast.addEventListener(event, () => clearTimeout(timer));
  for (const event of ['pointerleave', 'focusout']) toast.addEventListener(event, wait);
  home.replaceChildren(toast);
  wait();
  say(sentence);
}

/** Takes a receipt in: rows follow it, and the change can be undone. With a sentence, undo is offered at once. */
export async function take(receipt, sentence) {
  await mirrors.receive(receipt);
  if (receipt.undo) lastUndo = receipt.undo;
  if (!sentence) return;
  notify(sentence, receipt.undo ? { action: { title: text('undo'), act: () => attempt(() => undo(receipt.undo)) } } : {});
}

/** Takes a change back: the one of a path, or the last one that was made here. */
export async function undo(path = lastUndo) {
  if (!path) return;
  lastUndo = null;
  await take(await api.post(path));
  notify(text('undone'));
}

/** Tells of what went wrong; resolves to what `work` has, or undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(error);
    return undefined;
  }
}

/** Says what went wrong in the server's words. */
export function tell(error) {
  if (error.name === 'AbortError') return;
  if (error instanceof Disconnected) notify(text('offline'), { isTrouble: true });
  else if (error instanceof Problem) notify(error.members.title ?? error.message, { isTrouble: true });
  else throw error;
}

/** Tells of being offline as long as that is so, and when it is over. */
export class OfflineNotice {
  #element = document.querySelector('.notice');
  #isOffline = false;

  constructor(stream) {
    addEventListener('offline', () => this.#set(true));
    listeners.missed = () => this.#set(true);
    listeners.reached = () => {
      if (this.#isOffline) stream.hurry();
    };
    stream.addEventListener('lost', () => this.#set(true));
    stream.addEventListener('joined', () => this.#set(false));
  }

  #set(isOffline) {
    if (this.#isOffline === isOffline) return;
    this.#isOffline = isOffline;
    this.#element.hidden = !isOffline;
    this.#element.textContent = isOffline ? text('offline') : '';
    if (!isOffline) say(text('online'));
  }
}
