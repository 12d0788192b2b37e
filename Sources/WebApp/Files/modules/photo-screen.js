import { titleOf } from '../client/view.js';
import { screensAbove } from './address.js';
import { api, Disconnected } from './api.js';
import { navigationBar } from './bar.js';
import { element, isRightToLeft, isStill, redraw } from './dom.js';
import { icon } from './icons.js';
import { isFullyKnown, recall } from './item-known.js';
import { likelyBar } from './likely-bar.js';
import { attempt, take, tell } from './notices.js';
import { PhotoAdder } from './photo-adder.js';
import { photoSource } from './photos.js';
import { ask } from './sheet.js';
import { say } from './speech.js';
import { text } from './texts.js';
import { isGone, way } from './way.js';
import { Zoom } from './zoom.js';

/** The number of photos loaded on each side of the current one. Photos further away are unloaded. */
const ahead = 2;

/** The factors of the keys that zoom. */
const zoomKeys = { '+': 1.5, '=': 1.5, '-': 1 / 1.5, 0: 0 };

/** The screen of an item's photos, one at a time, below its bars. A tap hides the bars if the server allows it. */
export class PhotoScreen {
  #item;
  #rights;
  /** The server's description of the screen. */
  #described;
  #path;
  #place;
  /** The target of an automatic scroll. Null while a finger or a wheel scrolls. */
  #aim = null;
  #reads = 0;
  #isRead = false;
  /** Those of the photos, in order. */
  #zooms = [];
  #adder;
  /** Whether the next read shows the last photo. */
  #goesLast = false;

  /** Makes the screen of what is known of the item, and reads it. */
  static async load(entry) {
    const made = new PhotoScreen(entry);
    const { itemId } = entry.screen;
    const known = isFullyKnown(itemId) && recall(itemId);
    if (known) made.#guess(known);
    else await made.#read();
    made.#draw();
    return made;
  }

  /** Describes the screen as the server is likely to do. */
  #guess({ item, described, path }) {
    const title = titleOf(item);
    const rights = { canEdit: false };
    const navigationBar = likelyBar('browse', { title, above: title, rights, isItem: true });
    this.#take(item, described.row, { navigationBar, barTogglesOnTap: true }, path);
  }

  constructor({ screen }) {
    this.screen = screen;
    this.#place = screen.photo;
    this.element = element('section', { class: 'screen photo-screen' });
    this.#adder = new PhotoAdder(this, () => {
      this.#goesLast = true;
      this.refresh();
    });
    this.element.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.#turn(this.#place + (isRightToLeft() ? -step : step));
      if (event.key in zoomKeys && !event.ctrlKey && !event.metaKey) this.#zooms[this.#place]?.zoom(zoomKeys[event.key]);
    });
  }

  /** Reads the photos. Resolves to false if a later read has begun: an older response must not replace a newer one. */
  async #read() {
    const { itemId } = this.screen;
    const read = (this.#reads += 1);
    const answers = await Promise.all([
      api.get(`/v1/items/${itemId}`), api.get(`/v1/items/${itemId}/screen`),
      api.get(`/v1/items/${itemId}/photos/screen`), api.get(`/v1/rows/${itemId}`)]);
    if (read !== this.#reads) return false;
    const [item, { row }, described, { path }] = answers;
    this.#take(item, row, described, path);
    this.#isRead = true;
    return true;
  }

  #take(item, rights, described, path) {
    const shown = this.#item?.photos[this.#place];
    this.#item = item;
    // Keeps the current photo, wherever it is in the new order.
    if (item.photos.includes(shown)) this.#place = item.photos.indexOf(shown);
    [this.#rights, this.#described, this.#path] = [rights, described, path];
  }

  appeared() {
    this.#turn(this.#place, false);
    if (!this.#isRead) this.#readLater();
  }

  /** Reads the photos in the background. Without a connection, that is done when the connection is back. */
  async #readLater() {
    const { photos } = this.#item;
    const bars = JSON.stringify(this.#described.navigationBar);
    try {
      if (!(await this.#read())) return;
    } catch (error) {
      if (isGone(error)) await attempt(() => way.isAt(this.screen) && way.giveWay(this.above));
      else if (!(error instanceof Disconnected)) tell(error);
      return;
    }
    // Drawn again, a photo would lose its zoom.
    if (String(photos) === String(this.#item.photos) && bars === JSON.stringify(this.#described.navigationBar)) return;
    this.#draw();
    this.#turn(this.#place, false);
  }

  close() {
    this.#adder.close();
  }

  get canAddPhotos() {
    return this.#rights.canEdit;
  }

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  /** Shows the photo of another entry. */
  update({ screen }) {
    this.#turn(screen.photo, false);
  }

  get title() {
    return this.#described.navigationBar.title;
  }

  /** The screens above this one, the nearest first. */
  get above() {
    return [{ itemId: this.screen.itemId }, ...screensAbove(this.#path)];
  }

  /** Throws the server's problem if the item is gone. */
  async verify() {
    this.#path = (await api.get(`/v1/rows/${this.screen.itemId}`)).path;
  }

  refresh() {
    attempt(() => this.#reread());
  }

  async #reread() {
    if (!(await this.#read())) return;
    if (this.#goesLast) this.#place = this.#item.photos.length - 1;
    this.#goesLast = false;
    this.#draw();
    this.#turn(this.#place, false);
  }

  /** Updates the screen after changes to the item. */
  async hear({ items }) {
    if (items.includes(this.#item.id)) await this.#reread();
  }

  #draw() {
    const { id, photos } = this.#item;
    this.#place = Math.max(0, Math.min(this.#place, photos.length - 1));
    this.count = element('span', { class: 'position' });
    this.#zooms = [];
    this.pages = element('div', {
      class: 'photo-pages', tabindex: '0', role: 'group', 'aria-label': text('photos'), onscroll: () => this.#scrolled(),
    }, ...photos.map((photo, index) => {
      const image = element('img', {
        alt: text('photoNumber', { index: index + 1, count: photos.length }), draggable: 'false' });
      const page = element('div', { class: 'photo-page' }, image);
      this.#zooms.push(new Zoom(page, image, () => this.#zoomed(index, image)));
      // Some browsers cannot show every type of photo.
      image.addEventListener('error', () =>
        page.replaceChildren(element('p', { class: 'empty' }, text('photoUnreadable'))));
      return page;
    }));
    if (!photos.length) {
      this.pages.append(element('div', { class: 'empty' }, element('p', {}, text('noPhotos')),
        element('div', { class: 'photo-adders' }, ...(this.canAddPhotos ? this.#adder.buttons : []))));
    }
    for (const own of ['pointerdown', 'wheel']) {
      this.pages.addEventListener(own, () => (this.#aim = null), { passive: true });
    }
    this.pages.addEventListener('click', (event) => {
      if (this.#described.barTogglesOnTap && !event.target.closest('.photo-adder')) this.element.classList.toggle('is-bare');
    });
    const toolbar = this.#toolbar(photos.length);
    this.#showCount();
    redraw(this.element, [
      navigationBar(this.#described.navigationBar,
        (action) => (action === 'back' ? attempt(() => way.up(this.above[0])) : undefined)),
      this.pages, toolbar,
    ]);
  }

  /** Loads all pixels of a photo once it is zoomed into. What the browser cannot show stays as it is. */
  async #zoomed(index, image) {
    this.#showZoom();
    const { id, photos } = this.#item;
    const photo = photos[index];
    if (this.#zooms[index].scale === 1 || image.dataset.whole === photo) return;
    image.dataset.whole = photo;
    try {
      const whole = element('img', { src: await photoSource(id, photo, { size: null }) });
      await whole.decode();
      if (image.dataset.photo === photo) image.src = whole.src;
    } catch {
      delete image.dataset.whole;
    }
  }

  #showZoom() {
    this.#enable(this.zoomReset, (this.#zooms[this.#place]?.scale ?? 1) !== 1);
  }

  /** Enables or disables a button, if there is one. Browsers give a disabled button no keys, so the focus leaves it. */
  #enable(button, isEnabled) {
    if (!button) return;
    const hadFocus = button === document.activeElement;
    button.disabled = !isEnabled;
    if (hadFocus && !isEnabled) this.pages.focus({ preventScroll: true });
  }

  /** Loads the photos near the current one and unloads the others: all together may exceed a browser's memory. */
  #load() {
    const { id, photos } = this.#item;
    [...this.pages.querySelectorAll('.photo-page')].forEach((page, index) => {
      const image = page.querySelector('img');
      if (!image) return;
      if (Math.abs(index - this.#place) > ahead) {
        image.removeAttribute('src');
        delete image.dataset.photo;
        delete image.dataset.whole;
      } else if (image.dataset.photo !== photos[index]) {
        image.dataset.photo = photos[index];
        photoSource(id, photos[index], { canEdit: this.#rights.canEdit }).then((source) => {
          if (image.dataset.photo === photos[index]) image.src = source;
        }, () => delete image.dataset.photo);
      }
    });
  }

  #toolbar(count) {
    const { canEdit } = this.#rights;
    const button = (image, key, act) => element('button', {
      class: 'bar-button', type: 'button', 'aria-label': text(key), title: text(key), data: { action: key },
      onclick: () => attempt(act),
    }, icon(image));
    // "Earlier" points to the first photo, on the left or the right by the reading direction.
    const [start, end] = isRightToLeft() ? ['later', 'earlier'] : ['earlier', 'later'];
    const isOrdered = canEdit && count > 1;
    this.earlier = isOrdered ? button(start, 'photoEarlier', () => this.#shift(-1)) : null;
    this.later = isOrdered ? button(end, 'photoLater', () => this.#shift(1)) : null;
    // Fingers swipe.
    const [back, on] = isRightToLeft() ? ['chevron-right', 'chevron-left'] : ['chevron-left', 'chevron-right'];
    this.previous = count > 1 ? button(back, 'photoPrevious', () => this.#turn(this.#place - 1)) : null;
    this.next = count > 1 ? button(on, 'photoNext', () => this.#turn(this.#place + 1)) : null;
    for (const turning of [this.previous, this.next]) turning?.classList.add('is-for-mouse');
    this.zoomReset = button('fit', 'resetZoom', () => this.#zooms[this.#place].reset());
    return element('footer', { class: 'toolbar' },
      canEdit ? element('label', { class: 'bar-button', title: text('addPhoto') },
        this.#adder.input(text('addPhoto')), icon('plus')) : element('span'),
      element('div', { class: 'toolbar-middle' }, this.previous, this.count, this.next),
      element('div', {}, this.earlier, this.later, this.zoomReset, canEdit && count ? button('trash', 'removePhoto', () => this.#remove()) : null));
  }

  /** Swaps the current photo with the one before or after it. */
  async #shift(step) {
    const ids = [...this.#item.photos];
    const to = this.#place + step;
    if (!(to in ids)) return;
    const [moved] = ids.splice(this.#place, 1);
    ids.splice(to, 0, moved);
    await take(await api.post(`/v1/items/${this.#item.id}/photos/reorder`, { ids }), text('photoMoved'));
    await this.#reread();
    say(this.count.textContent);
  }

  async #remove() {
    // Others may change the photos while the question is open.
    const { id, photos } = this.#item;
    const photo = photos[this.#place];
    const isSure = await ask(`${text('removePhoto')}?`, {
      answer: { title: text('removePhoto'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    const receipt = await api.remove(`/v1/items/${id}/photos/${photo}`);
    await take(receipt, text('photoRemoved'));
    this.refresh();
  }

  #turn(index, isSmooth = true) {
    const page = this.pages.children[index];
    if (!page || !this.#item.photos.length) return;
    page.scrollIntoView({ behavior: isSmooth && !isStill() ? 'smooth' : 'instant', inline: 'start', block: 'nearest' });
    this.#place = index;
    this.#aim = isSmooth ? index : null;
    this.#showCount();
    if (isSmooth) say(this.count.textContent);
  }

  #scrolled() {
    const width = this.pages.clientWidth;
    if (!width || !this.#item.photos.length) return;
    const index = Math.round(Math.abs(this.pages.scrollLeft) / width);
    // Photos that an automatic scroll passes do not become the current one.
    if (index === this.#aim) this.#aim = null;
    if (this.#aim !== null || index === this.#place) return;
    this.#place = index;
    this.#showCount();
  }

  #showCount() {
    const { photos } = this.#item;
    this.count.textContent = photos.length ? text('photoNumber', { index: this.#place + 1, count: photos.length }) : '';
    for (const button of [this.earlier, this.previous]) this.#enable(button, this.#place > 0);
    for (const button of [this.later, this.next]) this.#enable(button, this.#place < photos.length - 1);
    this.#zooms.forEach((zoom, index) => index !== this.#place && zoom.scale > 1 && zoom.reset());
    this.#showZoom();
    way.note(this.screen, { screen: { ...this.screen, photo: this.#place } });
    this.#load();
  }
}
