import { navigationBar } from './bar.js';
import { element, topmost } from './dom.js';
import { keepWayBack } from './history.js';
import { attempt } from './notices.js';
import { text } from './texts.js';

let headings = 0;
let isOpening = false;

/** Reads what a sheet is to show, or tells why it can't; a second tap in the meantime asks for nothing. */
export async function readFor(work) {
  if (isOpening) return undefined;
  isOpening = true;
  try {
    return await attempt(work);
  } finally {
    isOpening = false;
  }
}

/** What stands on the bar of a sheet that no screen of the server describes. */
export const plainBar = (title, trailing = null) => ({
  leading: trailing ? { action: 'cancel', title: text('cancel'), image: 'cross', enabled: true } : null,
  title,
  titleFits: true,
  prompt: null,
  trailing: trailing ?? { action: 'close', title: text('close'), image: 'cross', enabled: true },
});

/** A modal sheet above the screen, with a bar and content. */
export class Sheet {
  static #open = [];

  /** Whether something was typed into any that would be lost. */
  static get hasUnsaved() {
    return Sheet.#open.some((sheet) => sheet.hasUnsaved());
  }

  /** The one on top. */
  static get top() {
    // One that is closed is told of that a moment later.
    return Sheet.#open.findLast((sheet) => sheet.element.open);
  }

  #heading = `sheet-${(headings += 1)}`;
  #closed;
  #actions;
  #isBusy = false;
  #isMeant = false;
  /** Whether something was typed that would be lost. */
  hasUnsaved = () => false;
  #returnTo = document.activeElement;

  /**
   * @param bar as the server describes one, or a `plainBar`.
   * @param content nodes.
   * @param actions what the buttons do, by their actions; `cancel` leaves it, `close` closes it.
   */
  constructor(bar, content, actions = {}, kind = '') {
    this.#actions = { cancel: () => this.leave(), close: () => this.close(), ...actions };
    this.body = element('div', { class: 'sheet-body' }, ...[content].flat());
    this.element = element('dialog', { class: `sheet ${kind}`, 'aria-labelledby': this.#heading });
    this.bar = bar;
    this.element.append(this.body);
    this.element.addEventListener('close', () => {
      // By the gesture that leads back on a phone, the second time in a row.
      if (!this.#isMeant && (this.isRequired || this.hasUnsaved())) {
        this.element.showModal();
        this.leave();
        return;
      }
      Sheet.#open.splice(Sheet.#open.indexOf(this), 1);
      this.element.remove();
      // What was said in here goes on being shown.
      for (const shared of this.element.querySelectorAll('.toasts, .spoken')) topmost().append(shared);
      this.#closed();
      if (this.#returnTo?.isConnected) this.#returnTo.focus({ preventScroll: true });
      keepWayBack();
    });
    // By Escape, the browser's way back, or the gesture that leads back on a phone.
    this.element.addEventListener('cancel', (event) => {
      if (event.target !== this.element || !(this.isRequired || this.hasUnsaved())) return;
      event.preventDefault();
      if (!this.isRequired) this.#discard();
    });
    this.element.addEventListener('pointerdown', (event) => {
      if (event.target === this.element) this.leave();
    });
    this.whenClosed = new Promise((done) => (this.#closed = done));
    document.body.append(this.element);
    Sheet.#open.push(this);
    this.element.showModal();
    keepWayBack();
  }

  /** Whether it stays until it has been answered. */
  get isRequired() {
    return false;
  }

  set bar(bar) {
    const old = this.element.querySelector(':scope > header');
    const made = navigationBar(bar, (action) => this.act(action), { level: 2, id: this.#heading });
    if (old) old.replaceWith(made);
    else this.element.prepend(made);
  }

  /** Does what a button of the bar does; while that takes its time, nothing is done twice. */
  async act(action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.element.setAttribute('aria-busy', 'true');
    try {
      await this.#actions[action]?.();
    } finally {
      this.#isBusy = false;
      this.element.removeAttribute('aria-busy');
    }
  }

  /** Closes it as Escape does: not without asking, where something would be lost. */
  leave() {
    if (this.element.dispatchEvent(new Event('cancel', { cancelable: true }))) this.close();
  }

  async #discard() {
    if (await this.isGivenUp()) this.close();
  }

  /** Asks whether what was typed may be lost, where something was; resolves to whether it may. */
  async isGivenUp() {
    return !this.hasUnsaved() || ask(text('discardAsk'), {
      answer: { title: text('discard'), cancel: text('keepEditing') }, isGrave: true });
  }

  close() {
    this.#isMeant = true;
    this.element.close();
  }
}

// Left to itself, a browser lets the second Escape in a row through, whatever the first one was answered.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !Sheet.top) return;
  event.preventDefault();
  Sheet.top.leave();
});

/** A question with one answer that does something; resolves to whether it was chosen. */
export function ask(question, { detail, answer, isGrave = false }) {
  return new Promise((resolve) => {
    let isChosen = false;
    const sheet = new Sheet(
      { leading: null, title: question, titleFits: true, prompt: null, trailing: null },
      [
        detail ? element('p', { class: 'ask-detail' }, element('bdi', {}, detail)) : null,
        element('div', { class: 'ask-answers' },
          element('button', {
            class: isGrave ? 'is-grave' : 'is-main', type: 'button', data: { answer: 'yes' },
            onclick: () => {
              isChosen = true;
              sheet.close();
            },
          }, answer.title),
          element('button', { type: 'button', autofocus: true, data: { answer: 'no' }, onclick: () => sheet.close() },
            answer.cancel)),
      ].filter((part) => part), {}, 'is-question');
    sheet.whenClosed.then(() => resolve(isChosen));
  });
}

/** Entries to press, in groups; those that are null are left out. */
export function choices(groups, sheet) {
  return groups.map((entries) => entries.filter((entry) => entry)).filter((entries) => entries.length)
    .map((entries) => element('ul', { class: 'card choices', role: 'list' }, ...entries.map((entry) =>
      element('li', {}, element('button', {
        type: 'button', 'aria-pressed': entry.isChosen === undefined ? null : String(entry.isChosen),
        onclick: () => {
          if (!entry.stays) sheet()?.close();
          entry.act();
        },
      }, element('bdi', {}, entry.title), entry.value ? element('bdi', { class: 'choice-value' }, entry.value) : null)))));
}
