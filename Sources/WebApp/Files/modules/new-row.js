import { api, Disconnected, Problem } from './api.js';
import { element, focusTitle, newID } from './dom.js';
import { icon } from './icons.js';
import { addLater, addsLater, caughtUp } from './kept.js';
import { noteTags, readTags, tagInUse } from './known-tags.js';
import { link } from './link.js';
import { attempt, doubt, isTakenBack, settle, take, takeEntry, tell, tellOutcome, undo } from './notices.js';
import { openSheets } from './open-sheets.js';
import { loadedInBackground, sheets } from './sheets.js';
import { counting, currencyName, dollars, number, text } from './texts.js';
import { hasForeignAmount, itemMembers, titleOfNew, typedLine, understood } from './typed-row.js';

/** The most rows that are added when several lines are pasted. */
const mostPasted = 200;

/** What can be typed, with a value in the inventory's currency. */
const hint = () => text('newHint', { value: dollars(12) });

/** What is told once a line is added: its name, or how many of those that were pasted with it are. */
const addedText = ({ kind, pasted }, name) => (pasted?.length
  ? text('addedMany', { what: counting(kind === 'list' ? 'countLists' : 'countItems', pasted.length + 1) })
  : text('added', { name }));

/** What was typed but not added when its screen was left, by the ids of lists. */
const drafts = new Map();
/** The lines of rows that were not added when their screen was left, by the ids of lists. */
const unfinished = new Map();
/** The rows at the end of lists that are on the page. */
const shown = new Set();

/** Whether something is typed or on its way that leaving the page would lose. */
export const hasUnsavedRows = () => drafts.size > 0 || [...shown].some((row) => row.hasUnsaved)
  || [...unfinished.values()].flat().some(({ state }) => state !== 'added');

/** Closes the rows that are typed. Returns what was not added, by the ids of lists: `{typed, lines}`. Null if nothing was. */
export function closeNewRows() {
  for (const row of [...shown]) row.close();
  const lists = new Set([...drafts.keys(), ...unfinished.keys()]);
  if (!lists.size) return null;
  const groups = [...new Set([...unfinished.values()].flat().map(({ pasted }) => pasted))];
  return Object.fromEntries([...lists].map((id) => [id, {
    typed: drafts.get(id),
    lines: (unfinished.get(id) ?? []).filter(({ state }) => state !== 'added').map(({ element: shown, row, pasted, ...line }) => (
      { ...line, group: pasted ? groups.indexOf(pasted) : null, state: line.state === 'sent' ? 'lost' : line.state })),
  }]));
}

/**
 * Takes over what `closeNewRows` has returned in a former page.
 *
 * @param isSame whether that page had the same token. Otherwise the lines wait for a press, because they are sent as those of
 *   the person who is signed in now.
 */
export function takeNewRows(rows, isSame) {
  const groups = new Map();
  const pastedIn = (group) => {
    if (group !== null && !groups.has(group)) groups.set(group, []);
    return groups.get(group);
  };
  for (const [id, { typed, lines }] of Object.entries(rows)) {
    if (typed) drafts.set(id, typed);
    if (lines.length) unfinished.set(id, lines.map(({ group, ...line }) => ({ ...line, pasted: pastedIn(group), isAgain: isSame })));
  }
}

/**
 * The end of a list, where new rows are typed. Enter adds a row, and the next one can be typed at once. Rows are sent in
 * their order. One that is not in the list yet, or that the shown view does not contain, has a line here.
 */
export class NewRow {
  #listId;
  #on;
  #kinds = null;
  #isOpen = false;
  /** The parts of the typed text that belong to the name, although they look like a number or a tag. */
  #left = new Set();
  /**
   * The lines above the field: `{id, kind, members, title, state, element, pasted}`. The `state` is `sent`, `lost`, `refused` or
   * `added`. Lines that were pasted together have the same `pasted`, and are undone together.
   */
  #lines = [];
  #turns = Promise.resolve();
  #returnTo = null;
  /** The id of the row that was added last while the field is open. */
  #last = null;

  /**
   * @param on `changed` is called when the field opens or closes. `canShow` says whether the list shows a row with an
   *   id, `show` points to it, and `focus` focuses it. `tail` is the text of the sentinel.
   */
  constructor(listId, on) {
    this.#listId = listId;
    this.#on = on;
    const id = newID();
    this.input = element('input', {
      type: 'text', id: `new-${id}`, autocomplete: 'off', enterkeyhint: 'enter', dir: 'auto',
      placeholder: hint(), 'aria-describedby': `new-${id}-parts`, oninput: () => this.#read(),
      onpaste: (event) => this.#paste(event), onkeydown: (event) => this.#pressed(event),
    });
    this.parts = element('p', { class: 'new-parts', id: `new-${id}-parts`, 'aria-live': 'polite' });
    this.segments = element('fieldset', { class: 'segments' }, element('legend', { class: 'unseen' }, text('kind')),
      ...['item', 'list'].map((kind) => element('label', {},
        element('input', {
          type: 'radio', name: `new-${id}-kind`, value: kind, checked: kind === 'item', onchange: () => this.#choose(),
          // The next thing that a person does is to type the name. Arrow keys stay at the kinds.
          onclick: (event) => event.detail && this.input.focus({ preventScroll: true }),
        }), element('span', {}, text(kind)))));
    this.form = element('form', {
      class: 'new-row', hidden: true, novalidate: true, onsubmit: (event) => {
        event.preventDefault();
        this.#submit();
      },
      onkeydown: (event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        this.end();
      },
    },
      element('div', { class: 'new-field' },
        element('label', { class: 'unseen', for: `new-${id}` }, text('newRow')), this.input,
        element('button', { class: 'plain new-add', type: 'submit' }, text('add')),
        element('button', {
          class: 'plain new-end', type: 'button', 'aria-label': text('close'), title: text('close'), onclick: () => this.end(),
        }, icon('cross'))),
      this.parts,
      element('div', { class: 'new-ways' }, this.segments,
        element('button', { class: 'plain', type: 'button', onclick: () => this.#moreDetails() }, text('moreDetails'))));
    this.heading = element('h2', { class: 'new-heading' }, text('justAdded'));
    this.list = element('ul', { role: 'list', 'aria-label': text('justAdded') });
    this.tail = element('p', { class: 'new-tail' });
    this.element = element('div', { class: 'new-rows', hidden: true }, this.heading, this.list, this.form, this.tail);
    shown.add(this);
    for (const line of unfinished.get(listId) ?? []) if (line.state !== 'added') this.#put(line);
    unfinished.delete(listId);
    for (const line of this.#lines.filter(({ state, isAgain }) => state === 'lost' && isAgain)) this.#send(line);
  }

  get isOpen() {
    return this.#isOpen;
  }

  get hasUnsaved() {
    return this.#lines.some(({ state }) => state !== 'added') || (this.#isOpen && this.input.value.trim() !== '');
  }

  /** Opens the field and focuses it. */
  open() {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#last = null;
      this.#returnTo = document.activeElement;
      this.input.value = drafts.get(this.#listId) ?? '';
      drafts.delete(this.#listId);
      this.#left.clear();
      this.#read();
      this.#draw();
      this.#on.changed();
      this.#readKinds();
    }
    this.input.focus({ preventScroll: true });
    this.reveal();
  }

  /** Closes the field. What is typed in it is dropped. */
  end() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.input.value = '';
    this.#draw();
    this.#on.changed();
    if (this.#last && this.#on.canShow(this.#last)) this.#on.focus(this.#last);
    else if (this.#returnTo?.isConnected && this.#returnTo !== document.body) this.#returnTo.focus({ preventScroll: true });
    else focusTitle();
  }

  /** Called when the screen is left. What is typed, and what is not added, waits for the next time. */
  close() {
    const open = this.#lines.filter(({ state }) => state !== 'added');
    if (open.length) unfinished.set(this.#listId, open);
    if (this.#isOpen && this.input.value.trim()) drafts.set(this.#listId, this.input.value);
    this.#isOpen = false;
    shown.delete(this);
  }

  /** Scrolls to the field. */
  reveal() {
    if (this.#isOpen) this.#on.scrollTo(this.form);
  }

  /** Removes the lines of rows that were added, because another view is shown. */
  forget() {
    this.#keepLines(({ state }) => state !== 'added');
  }

  /** Sends again what was not sent without a connection. */
  retry() {
    for (const line of this.#lines.filter(({ state }) => state === 'lost')) this.#send(line);
  }

  /** Shows a row that was added: in the list, or else as a line. */
  show({ id, title, isList }) {
    if (this.#on.canShow(id)) this.#on.show(id);
    else this.#put({ id, title, kind: isList ? 'list' : 'item', state: 'added' });
  }

  /**
   * Removes the lines of rows that the list shows by now, and of those that are in the trash again, for example after an
   * undo. `isThere` says what is known.
   */
  async check(isThere) {
    this.#keepLines(({ id, state }) => state !== 'added' || !this.#on.canShow(id));
    for (const line of this.#lines.filter(({ id, state }) => state === 'added' && !isThere(id))) {
      try {
        await api.get(`/v1/rows/${line.id}`, { isQuiet: true });
      } catch (error) {
        if ([404, 410].includes(error.status)) this.#keepLines((other) => other !== line);
      }
    }
  }

  // Typing

  async #readKinds() {
    readTags().then(() => this.#read());
    const enabled = await this.#enabledKinds();
    // Without a connection everything is allowed for now. The server refuses what is not.
    if (enabled) this.#apply(enabled);
  }

  /** The kinds of rows that may be added, read once. Null if they cannot be read now. */
  async #enabledKinds() {
    this.#kinds ??= loadedInBackground(import('./add-sheet.js')).then(({ readKinds }) => readKinds(this.#listId)).then(({ enabled }) => enabled);
    try {
      return await this.#kinds;
    } catch {
      this.#kinds = null;
      return null;
    }
  }

  #apply(enabled) {
    const mayBe = { item: enabled.some((kind) => kind !== 'list'), list: enabled.includes('list') };
    this.segments.hidden = !(mayBe.item && mayBe.list);
    if (this.segments.hidden) this.segments.querySelector(`[value=${mayBe.list ? 'list' : 'item'}]`).checked = true;
    this.#choose();
  }

  get #isList() {
    return this.segments.querySelector('[value=list]').checked;
  }

  #choose() {
    this.input.placeholder = this.#isList ? text('newListHint') : hint();
    this.#read();
  }

  /** Adds a row for each of several pasted lines. What is more than the most rows stays in the field. */
  #paste(event) {
    const lines = event.clipboardData.getData('text/plain').split(/[\r\n]+/).map((line) => typedLine(line, this.#isList)).filter((line) => line);
    if (lines.length < 2) return;
    event.preventDefault();
    const { value, selectionStart: start, selectionEnd: end } = this.input;
    lines[0] = value.slice(0, start) + lines[0];
    lines.push(lines.pop() + value.slice(end));
    const pasted = [];
    for (const line of lines.splice(0, mostPasted)) {
      this.input.value = line;
      this.#submit(undefined, pasted);
    }
    this.input.value = lines.join(' ');
    this.#read();
  }

  #pressed(event) {
    if (event.isComposing) return;
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      if (!this.segments.hidden) this.#submit(true);
    } else if (isUndo && !this.input.value) {
      event.preventDefault();
      attempt(() => undo());
    }
  }

  #understood(isList) {
    if (isList) return { name: this.input.value.trim(), parts: [] };
    const { name, parts } = understood(this.input.value, this.#left);
    return { name, parts: parts.map((part) => (part.kind === 'tags' ? { ...part, value: tagInUse(part.value) } : part)) };
  }

  /** Shows what is understood of the typed text. */
  #read() {
    const { name, parts } = this.#understood(this.#isList);
    const isForeign = !this.#isList && hasForeignAmount(name);
    const looks = JSON.stringify([parts, isForeign]);
    if (this.parts.dataset.looks === looks) return;
    this.parts.dataset.looks = looks;
    this.parts.replaceChildren(...parts.map((part) => this.#part(part)),
      isForeign ? element('span', { class: 'new-hint' }, text('foreignMoney', { currency: currencyName() })) : '');
  }

  /** A part as a button that puts it back into the name. */
  #part({ kind, raw, value }) {
    const shownAs = { quantity: `${number(value)} ×`, valueInDollars: dollars(value), tags: `#${value}` };
    const named = { quantity: 'quantity', valueInDollars: 'valueInDollars', tags: 'tags' };
    const title = text('leaveInName', { part: raw });
    return element('button', {
      class: 'new-part', type: 'button', title, 'aria-label': `${text(named[kind])}: ${raw}. ${title}`,
      onclick: () => {
        this.#left.add(raw);
        this.#read();
        this.input.focus();
      },
    }, element('bdi', {}, shownAs[kind] ?? raw), icon('cross'));
  }

  #submit(isList = this.#isList, pasted = undefined) {
    const typed = this.#understood(isList);
    if (!typed.name) return this.end();
    this.input.value = '';
    this.#left.clear();
    this.#read();
    const members = isList ? { title: typed.name } : itemMembers(typed);
    noteTags(members.tags);
    this.#last = newID();
    this.#send(this.#put({
      id: this.#last, kind: isList ? 'list' : 'item', members, title: typed.name, state: 'sent', pasted,
    }));
    this.input.focus({ preventScroll: true });
    return this.reveal();
  }

  async #moreDetails() {
    const isList = this.#isList;
    const kinds = await this.#kinds?.catch(() => null);
    await this.#openSheet(isList ? 'list' : kinds?.find((kind) => kind !== 'list'),
      isList ? { title: this.input.value.trim() } : itemMembers(this.#understood(false)), () => {
        this.input.value = '';
        this.#left.clear();
        this.#read();
      });
  }

  #openSheet(kind, members, done) {
    const values = Object.fromEntries(Object.entries(members).map(([name, value]) => [`/${name}`, value]));
    return sheets.add(this.#listId, { kind, values, added: (row) => {
      done();
      this.show(row);
      // The sheet closes next. The button that opened it may be gone.
      openSheets.top?.whenClosed.then(() => this.#isOpen && this.input.focus({ preventScroll: true }));
    } });
  }

  // Sending

  #send(line) {
    line.state = 'sent';
    this.#redraw(line);
    // An unexpected error must not keep the next rows.
    this.#turns = this.#turns.then(() => this.#post(line)).catch(reportError);
  }

  async #post(line) {
    const isList = line.kind === 'list';
    const isUnwanted = () => line.pasted && isTakenBack(line.pasted);
    if (isUnwanted()) return this.#drop(line);
    try {
      if (addsLater(this.#listId)) {
        takeEntry(await addLater(this.#listId, isList, { id: line.id, ...line.members }), addedText(line, line.title), line.pasted);
        return this.#finish(line);
      }
      const kinds = isList || line.body ? null : await this.#enabledKinds();
      // The outcome of an earlier attempt comes first.
      await settle();
      if (line.state !== 'sent') return;
      // The same at each attempt, also in the next page, so that the server repeats its answer if it has done it before.
      const body = line.body ?? (isList ? { id: line.id, parentId: this.#listId, ...line.members }
        : { id: line.id, kind: kinds?.find((kind) => kind !== 'list'), ...line.members });
      if (isList || kinds) line.body = body;
      const made = await api.post(isList ? '/v1/lists' : `/v1/lists/${this.#listId}/items`, body, { idempotencyKey: line.id });
      await take(made.receipt, addedText(line, titleOfNew(made)), line.pasted);
      if (isUnwanted()) {
        // The undo came while this one was on its way.
        await undo(made.receipt.undo);
        return this.#drop(line);
      }
      await caughtUp(made.receipt.revision);
      this.#finish(line);
    } catch (error) {
      doubt(error, async (found) => {
        if (!found) return shown.has(line.row) ? undefined : tellOutcome(null);
        await tellOutcome(found);
        return this.#finish(line);
      });
      line.state = error instanceof Problem ? 'refused' : 'lost';
      line.fault = error instanceof Problem ? error.members.errors?.[0]?.detail ?? error.message : text('offline');
      if (shown.has(line.row)) line.row.#redraw(line);
      else tell(error);
      if (!(error instanceof Disconnected || error instanceof Problem)) throw error;
    }
  }

  #finish(line) {
    line.state = 'added';
    if (shown.has(line.row)) line.row.#showAdded(line);
  }

  #showAdded(line) {
    if (this.#on.canShow(line.id)) {
      this.#keepLines((other) => other !== line);
      this.#on.show(line.id);
    } else this.#redraw(line);
    this.reveal();
  }

  // Lines

  #put(line) {
    // The row that shows it, which changes when its screen is left and opened again.
    line.row = this;
    this.#lines.push(line);
    line.element = element('li', { class: 'new-line' });
    this.list.append(line.element);
    this.#redraw(line);
    return line;
  }

  #redraw(line) {
    const { id, kind, title, state } = line;
    const name = element('bdi', { class: 'row-title' }, title);
    const button = (label, act) => element('button', { class: 'plain', type: 'button', onclick: act }, label);
    const drop = () => this.#drop(line);
    line.element.dataset.state = state;
    line.element.replaceChildren(...({
      sent: () => [name],
      added: () => [link(kind === 'list' ? { listId: id } : { itemId: id }, { class: 'row-main' }, name)],
      lost: () => [name, button(text('tryAgain'), () => this.#send(line)), button(text('discard'), drop)],
      refused: () => [name, button(text('moreDetails'), () => this.#openSheet(kind, line.members, drop)),
        button(text('discard'), drop)],
    })[state]());
    if ((state === 'lost' || state === 'refused') && line.fault) line.element.append(element('p', { class: 'field-fault', role: 'alert' }, line.fault));
    this.#draw();
  }

  #drop(line) {
    if (shown.has(line.row)) line.row.#keepLines((other) => other !== line);
  }

  #keepLines(isKept) {
    for (const line of this.#lines.filter((other) => !isKept(other))) line.element.remove();
    this.#lines = this.#lines.filter(isKept);
    this.#draw();
  }

  #draw() {
    this.form.hidden = !this.#isOpen;
    this.element.hidden = !this.#isOpen && !this.#lines.length;
    this.heading.hidden = !this.#lines.some(({ state }) => state === 'added');
    this.list.hidden = !this.#lines.length;
    this.tail.textContent = this.#on.tail() ?? '';
    this.tail.hidden = !this.#isOpen || !this.tail.textContent;
  }
}
