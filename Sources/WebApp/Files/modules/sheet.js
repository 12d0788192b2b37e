import { navigationBar } from './bar.js';
import { element, topmost } from './dom.js';
import { sheetsChanged } from './history.js';
import { isOffline } from './kept.js';
import { attempt } from './notices.js';
import { openSheets } from './open-sheets.js';
import { placeAtButton } from './popover.js';
import { text } from './texts.js';

let headings = 0;
/** The last two presses, the last one first. */
let presses = [];

addEventListener('pointerdown', (event) => (presses = [event, presses[0]]), { capture: true });

/** Whether the last press belongs to a double click. */
function isDoubleClick() {
  const [last, first] = presses;
  return Boolean(first) && last.timeStamp - first.timeStamp < 500
    && Math.hypot(last.clientX - first.clientX, last.clientY - first.clientY) < 8;
}
let isOpening = false;

/** Reads the data of a sheet, or reports the error. Ignores further taps meanwhile. */
export async function readFor(work) {
  if (isOpening) return undefined;
  isOpening = true;
  try {
    return await attempt(work);
  } finally {
    isOpening = false;
  }
}

/** The bar of a sheet without a screen on the server. */
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
  #isBusy = false;
  /** The button that leaves the sheet, if it was pressed while the sheet was busy. */
  #wayOut = null;
  #isMeant = false;
  /** Whether the sheet has unsaved input. */
  hasUnsaved = () => false;
  /** How `sheets` opens it again with what was typed: `{sheet, id, given}`. Null if that is not possible. */
  draft = () => null;
  /** What had the focus before. */
  #returnTo = document.activeElement;
  /** The row that it was in, and which of the row's controls it was, to find it if the row was drawn again. */
  #returnTarget = { key: this.#returnTo?.closest('li')?.dataset.key, control: this.#returnTo?.dataset?.control };

  /**
   * @param bar a bar from the server, or a `plainBar`.
   * @param content the nodes of the sheet.
   * @param actions the functions of the buttons by action. `cancel` leaves the sheet, `close` closes it.
   */
  constructor(bar, content, actions = {}, kind = '') {
    this.#actions = { cancel: () => this.leave(), close: () => this.close(), ...actions };
    this.body = element('div', { class: 'sheet-body' }, ...[content].flat());
    this.element = element('dialog', { class: `sheet ${kind}`, 'aria-labelledby': this.#heading });
    this.bar = bar;
    this.element.append(this.body);
    this.element.addEventListener('close', () => {
      // Closed by a repeated Back gesture on a phone, which a page cannot prevent.
      if (!this.#isMeant && (this.isRequired || this.hasUnsaved())) {
        this.element.showModal();
        this.leave();
        return;
      }
      openSheets.remove(this);
      this.element.remove();
      // Messages stay visible.
      for (const shared of this.element.querySelectorAll('.toasts, .spoken')) topmost().append(shared);
      this.#closed();
      this.#giveFocusBack();
      sheetsChanged();
    });
    // Closed by Escape, the Back button, or the Back gesture on a phone.
    this.element.addEventListener('cancel', (event) => {
      if (event.target !== this.element || !(this.isRequired || this.hasUnsaved())) return;
      event.preventDefault();
      if (!this.isRequired) this.#discard();
    });
    this.element.addEventListener('pointerdown', (event) => {
      // The second press of a double click on the button that opened it is no wish to leave.
      if (event.target === this.element && !isDoubleClick()) this.leave();
    });
    this.whenClosed = new Promise((done) => (this.#closed = done));
    document.body.append(this.element);
    openSheets.add(this);
    this.element.showModal();
    if (!/is-(question|token|context)/.test(kind)) placeAtButton(this.element);
    sheetsChanged();
  }

  #giveFocusBack() {
    const { key, control } = this.#returnTarget;
    const isSame = (node) => node.closest('li')?.dataset.key === key;
    const target = this.#returnTo?.isConnected || !control ? this.#returnTo
      : [...document.querySelectorAll(`li[data-key] [data-control="${control}"]`)].find(isSame);
    target?.focus({ preventScroll: true });
  }

  /** Whether the sheet stays open until it has an answer. */
  get isRequired() {
    return false;
  }

  set bar(bar) {
    const old = this.element.querySelector(':scope > header');
    const made = navigationBar(bar, (action) => this.act(action), { level: 2, id: this.#heading });
    if (old) old.replaceWith(made);
    else this.element.prepend(made);
  }

  /** Runs the work of a button. Ignores further presses until it is done, except for those that leave the sheet. */
  async act(action, work = this.#actions[action]) {
    if (this.#isBusy) {
      if (['cancel', 'close'].includes(action)) this.#wayOut = action;
      return;
    }
    this.#isBusy = true;
    this.#wayOut = null;
    this.element.setAttribute('aria-busy', 'true');
    try {
      await work?.();
    } finally {
      this.#isBusy = false;
      this.element.removeAttribute('aria-busy');
    }
    // Something that went wrong is read first, unless there is a question before the sheet closes.
    const hasTold = this.body.querySelector('[role=alert]:not([hidden])') !== null;
    if (this.#wayOut && this.element.open && (this.hasUnsaved() || !hasTold)) this.act(this.#wayOut);
  }

  /** Runs the work of saving. Nothing can be typed meanwhile, because it would not be saved. */
  async held(work) {
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.body.inert = true;
    try {
      return await work();
    } finally {
      this.body.inert = false;
      if (focused?.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true });
    }
  }

  /** Closes the sheet, after a question if there is unsaved input. */
  leave() {
    if (this.element.dispatchEvent(new Event('cancel', { cancelable: true }))) this.close();
  }

  async #discard() {
    if (await this.mayDiscard()) this.close();
  }

  /** Asks whether unsaved input may be discarded. Resolves to true if it may, or there is none. */
  async mayDiscard() {
    return !this.hasUnsaved() || ask(text('discardAsk'), {
      answer: { title: text('discard'), cancel: text('keepEditing') }, isGrave: true });
  }

  close() {
    this.#isMeant = true;
    this.element.close();
  }
}

// By default, browsers close a dialog at the second Escape in a row, even if the first was prevented.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !openSheets.top) return;
  event.preventDefault();
  openSheets.top.leave();
});

/**
 * Opens a sheet at once, and fills it when its content was read. If that fails, closes it and reports the error.
 *
 * @param show fills the sheet: `(sheet, content) => …`. It is not called if the sheet was closed meanwhile.
 */
export async function openFilled(bar, read, show, kind) {
  const open = (...content) => new Sheet(bar, content, {}, kind);
  // Without a connection, a sheet would close again at once.
  const early = isOffline() ? null : open(element('p', { class: 'empty is-late', role: 'status' }, text('loading')));
  let content;
  try {
    content = await attempt(read);
  } finally {
    if (content === undefined && early?.element.open) early.close();
  }
  if (content === undefined || early?.element.open === false) return;
  const sheet = early ?? open();
  sheet.body.replaceChildren();
  show(sheet, content);
}

/** Asks a question with one action. Resolves to whether it was chosen. */
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

/** Lists of entries to press, in groups. Null entries are skipped. */
export function choices(groups, sheet) {
  return groups.map((entries) => entries.filter((entry) => entry)).filter((entries) => entries.length)
    .map((entries) => element('ul', { class: 'card choices', role: 'list' }, ...entries.map((entry) =>
      element('li', {}, element('button', {
        type: 'button', class: entry.isGrave ? 'is-grave' : null, data: entry.key ? { entry: entry.key } : {},
        'aria-pressed': entry.isChosen === undefined ? null : String(entry.isChosen),
        onclick: () => {
          if (!entry.stays) sheet()?.close();
          entry.act();
        },
      }, element('bdi', {}, entry.title), entry.value ? element('bdi', { class: 'choice-value' }, entry.value) : null)))));
}
