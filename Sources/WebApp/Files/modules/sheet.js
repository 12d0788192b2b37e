import { navigationBar } from './bar.js';
import { element } from './dom.js';
import { text } from './texts.js';

let headings = 0;

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
  #heading = `sheet-${(headings += 1)}`;
  #closed;
  #actions;
  #returnTo = document.activeElement;

  /**
   * @param bar as the server describes one, or a `plainBar`.
   * @param content nodes.
   * @param actions what the buttons do, by their actions; `cancel` and `close` close.
   */
  constructor(bar, content, actions = {}, kind = '') {
    this.#actions = { cancel: () => this.close(), close: () => this.close(), ...actions };
    this.body = element('div', { class: 'sheet-body' }, ...[content].flat());
    this.element = element('dialog', { class: `sheet ${kind}`, 'aria-labelledby': this.#heading });
    this.bar = bar;
    this.element.append(this.body);
    this.element.addEventListener('close', () => {
      this.element.remove();
      this.#closed();
      if (this.#returnTo?.isConnected) this.#returnTo.focus({ preventScroll: true });
    });
    // A press beside the sheet closes it where nothing is lost by that.
    this.element.addEventListener('pointerdown', (event) => {
      if (event.target === this.element && !this.element.querySelector('form')) this.close();
    });
    this.whenClosed = new Promise((done) => (this.#closed = done));
    document.body.append(this.element);
    this.element.showModal();
  }

  set bar(bar) {
    const old = this.element.querySelector(':scope > header');
    const act = (action) => this.#actions[action]?.();
    const made = navigationBar(bar, act, { level: 2, id: this.#heading });
    if (old) old.replaceWith(made);
    else this.element.prepend(made);
  }

  close() {
    this.element.close();
  }
}

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
