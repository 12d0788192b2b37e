import { screensAbove } from './address.js';
import { api, Disconnected } from './api.js';
import { itemToolbar, largeTitle, navigationBar } from './bar.js';
import { element, isRightToLeft, redraw } from './dom.js';
import { editItem } from './edit-sheet.js';
import { icon } from './icons.js';
import { factsCard, itemFacts, itemNotes } from './item-facts.js';
import { isFullyKnown, learned, recall, remember } from './item-known.js';
import { members } from './json-text.js';
import { isNew, kept } from './kept.js';
import { printLabels } from './labels.js';
import { link } from './link.js';
import { MoveSheet } from './move-sheet.js';
import { mirrors } from './mirrors.js';
import { attempt, take, tell } from './notices.js';
import { PhotoAdder } from './photo-adder.js';
import { removeRow } from './remove-row.js';
import { say } from './speech.js';
import { showTag } from './tags-sheet.js';
import { text } from './texts.js';
import { thumbnail } from './thumbnails.js';
import { isGone, way } from './way.js';

/** Moves the focus among the photos of a strip by arrow keys. The Tab key reaches one of them. */
function stepInStrip(strip, event) {
  const photos = [...strip.querySelectorAll('.photo')];
  const place = photos.indexOf(event.target);
  const ahead = isRightToLeft() ? -1 : 1;
  const steps = { ArrowRight: ahead, ArrowLeft: -ahead, Home: -place, End: photos.length - 1 - place };
  const next = place < 0 ? undefined : photos[place + steps[event.key]];
  if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  for (const photo of photos) photo.tabIndex = photo === next ? 0 : -1;
  next.focus();
}

/** The screen of an item: its fields, photos and contents, and the way to its neighbours. */
export class ItemScreen {
  /** The server's description of the screen. */
  #described;
  #item;
  #path;
  /** The custom fields' JSON by name. */
  #ownFields;
  #neighbours;
  #reads = 0;
  #isRead = false;
  /** Whether the item could not be read. */
  #isMissed = false;
  /** What is shown, as JSON. */
  #known;
  #adder;

  /** Makes the screen of what is known of the item, and reads the item. */
  static async load(entry) {
    const made = new ItemScreen(entry);
    const { itemId } = entry.screen;
    // What the store keeps of the item is found by its list.
    const listId = mirrors.find(itemId) ? null : kept.home(itemId);
    if (listId) await mirrors.of(listId).catch(() => {});
    const known = recall(itemId);
    if (known) made.#take(known);
    else await made.#read();
    made.#draw();
    return made;
  }

  /** Called when the screen is on the page. */
  appeared() {
    if (!this.#isRead) this.#readLater();
  }

  /** Reads the item in the background. Without a connection, that is done when the connection is back. */
  async #readLater() {
    try {
      await this.#reread();
    } catch (error) {
      if (isGone(error)) return void await attempt(() => way.isAt(this.screen) && way.giveWay(this.above));
      this.#isMissed = true;
      this.#draw();
      if (!(error instanceof Disconnected)) tell(error);
    }
  }

  constructor({ screen }) {
    this.screen = screen;
    this.element = element('section', { class: 'screen item-screen' });
    this.#adder = new PhotoAdder(this, () => this.refresh());
    const leave = kept.subscribe(() => this.#showChanges());
    const hear = ({ detail }) => detail === screen.itemId && this.#showChanges();
    learned.addEventListener('change', hear);
    this.close = () => {
      leave();
      learned.removeEventListener('change', hear);
      this.#adder.close();
    };
    this.element.addEventListener('keydown', (event) => {
      if (event.target.closest('a, button, input') || event.altKey || event.ctrlKey || event.metaKey) return;
      const arrow = { ArrowLeft: 'leftArrow', ArrowRight: 'rightArrow' }[event.key];
      if (arrow) this.#act(this.#neighbours[arrow]);
    });
  }

  /** Reads the item. Resolves to false if a later read has begun: an older response must not replace a newer one. */
  async #read() {
    const { itemId } = this.screen;
    const read = (this.#reads += 1);
    const answers = await Promise.all([
      api.get(`/v1/items/${itemId}/screen`), api.tagged(`/v1/items/${itemId}`), api.get(`/v1/items/${itemId}/neighbours`),
      api.get(`/v1/rows/${itemId}`)]);
    if (read !== this.#reads) return false;
    const [described, item, neighbours, { path }] = answers;
    remember(itemId, { described, item: item.value, json: item.json, tag: item.tag, neighbours, path });
    this.#take(recall(itemId));
    this.#isRead = true;
    // From then on it can be edited without a connection.
    kept.keepItem(itemId).catch(() => {});
    return true;
  }

  #take(known) {
    ({ described: this.#described, item: this.#item, neighbours: this.#neighbours, path: this.#path } = known);
    this.#ownFields = members(members(known.json).get('fields'));
    this.#known = JSON.stringify(known);
  }

  /** Shows changes that wait in the store. */
  #showChanges() {
    if (!this.#known) return;
    const { itemId } = this.screen;
    const isDeleted = kept.status.waiting.some(({ command }) => command.type === 'delete' && command.id === itemId);
    if (isDeleted && way.isAt(this.screen)) return void attempt(() => way.up(this.above[0]));
    const known = recall(itemId);
    if (known && JSON.stringify(known.item) !== JSON.stringify(this.#item)) {
      this.#take(known);
      this.#draw();
    }
  }

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  /** Opens the form for the item's fields. Resolves when it is open. */
  resume() {
    return editItem(this.#item.id);
  }

  update() {}

  get title() {
    return this.#described.navigationBar.title;
  }

  /** The screens above this one, the nearest first. */
  get above() {
    return screensAbove(this.#path);
  }

  /** Throws the server's problem if the item is gone. */
  async verify() {
    if (isNew(this.screen.itemId)) return;
    this.#path = (await api.get(`/v1/rows/${this.screen.itemId}`)).path;
  }

  refresh() {
    attempt(() => this.#reread());
  }

  async #reread() {
    if (isNew(this.screen.itemId)) return;
    const before = this.#known;
    if (await this.#read() && this.#known !== before) this.#draw();
  }

  /** Updates the screen after changes to the item or its list. */
  async hear({ deltas, items }) {
    const { id, listId } = this.#item;
    if (items.includes(id) || deltas.some((delta) => delta.listId === listId)) await this.#reread();
  }

  #draw() {
    const { navigationBar: bar, toolbar: tools } = this.#described;
    const scrolled = this.element.querySelector('.scroller')?.scrollTop ?? 0;
    const act = (action) => this.#act(action);
    const scroller = element('div', { class: 'scroller' },
      element('div', { class: 'page' },
        largeTitle(bar, this.element), this.#photos(), factsCard(itemFacts(this.#item, this.#ownFields, (tag) => this.#tag(tag))),
        itemNotes(this.#item), this.#rest(), this.#contents(), this.#ways()));
    redraw(this.element, [
      navigationBar(bar, act), scroller,
      itemToolbar(tools, act, element('span', { class: 'position' }, this.#neighbours.position)),
    ].filter((part) => part));
    scroller.scrollTop = scrolled;
  }

  #act(action) {
    const to = this.#neighbours[action];
    switch (action) {
      case 'back': return attempt(() => way.up({ listId: this.#item.listId }));
      case 'edit': return this.resume();
      case 'photos': return attempt(() => way.go({ itemId: this.#item.id, photo: 0 }));
      case 'previous':
      case 'next': return to ? attempt(() => this.#step(to, action)) : undefined;
      default: return undefined;
    }
  }

  async #step(to, action) {
    await way.go({ itemId: to.id }, { cause: action, replaces: true });
    say(to.title);
  }

  #photos() {
    const { id, photos } = this.#item;
    const strip = element('div', {
      class: 'photo-strip', role: 'group', 'aria-label': text('photos'), onkeydown: (event) => stepInStrip(strip, event),
    }, ...photos.map((photo, index) => link({ itemId: id, photo: index }, {
      class: 'photo', 'aria-label': text('photoNumber', { index: index + 1, count: photos.length }),
      tabindex: index ? '-1' : null,
    }, thumbnail(id, photo, this.#described.row.canEdit))));
    if (this.canAddPhotos) strip.append(...this.#adder.buttons);
    return strip.childElementCount ? strip : null;
  }

  get canAddPhotos() {
    return this.#described.row.canEdit;
  }

  /** Says that the notes and further fields are not known yet, or that they could not be read. Null if all is known. */
  #rest() {
    const { itemId } = this.screen;
    if (this.#isRead || isNew(itemId) || isFullyKnown(itemId)) return null;
    return element('p', { class: 'item-rest', role: 'status' }, text(this.#isMissed ? 'partKept' : 'loading'));
  }

  /** A tag as a button that shows all items with it. */
  #tag(tag) {
    return element('button', { class: 'tag', type: 'button', onclick: () => showTag(tag) }, element('bdi', {}, tag));
  }

  #contents() {
    const { id, contentsListId } = this.#item;
    if (!contentsListId && !this.#described.row.canEdit) return null;
    const make = async () => {
      const list = await api.post(`/v1/items/${id}/contents`);
      // The server cannot undo it, so Undo goes on with the change before.
      await mirrors.receive(list.receipt);
      await way.go({ listId: list.id });
    };
    const chevron = icon(isRightToLeft() ? 'chevron-left' : 'chevron-right');
    return element('ul', { class: 'card choices', role: 'list' }, element('li', {}, contentsListId
      ? link({ listId: contentsListId }, {}, text('contents'), chevron)
      : element('button', { type: 'button', onclick: () => attempt(make) }, text('makeContents'), chevron)));
  }

  /** Opens the sheet to move the item to another list, if it may be moved. */
  relocate() {
    const { id, listId } = this.#item;
    if (this.#described.row.canMove) new MoveSheet({ id, title: this.title }, listId);
  }

  #remove() {
    const { id, contentsListId } = this.#item;
    return removeRow({ id, title: this.title, hasMore: contentsListId !== null, inside: contentsListId }, this.#described.row.deleteLabel);
  }

  /** Buttons to print a label of the item, to move it to another list and to remove it. */
  #ways() {
    const { canMove, canDelete, deleteLabel } = this.#described.row;
    const line = (name, kind, act) => element('li', {}, element('button', { type: 'button', class: kind, onclick: act }, name));
    const lines = [
      line(text('printLabel'), null, () => printLabels({ ids: this.#item.id })),
      canMove ? line(text('moveThis'), null, () => this.relocate()) : null,
      canDelete ? line(deleteLabel, 'is-grave', () => this.#remove()) : null,
    ].filter((part) => part);
    return element('ul', { class: 'card choices', role: 'list' }, ...lines);
  }
}
