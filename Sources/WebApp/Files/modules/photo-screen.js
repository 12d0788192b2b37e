import { api } from './api.js';
import { navigationBar } from './bar.js';
import { element, isRightToLeft, isStill, redraw } from './dom.js';
import { icon } from './icons.js';
import { attempt, take } from './notices.js';
import { addPhoto, photoSource } from './photos.js';
import { place } from './place.js';
import { ask } from './sheet.js';
import { say } from './speech.js';
import { text } from './texts.js';

/** An item's photos, one at a time on the whole screen; a tap takes the bars away where the server says so. */
export class PhotoScreen {
  #item;
  #rights;
  #place = 0;

  static async load(entry) {
    const made = new PhotoScreen();
    await made.#read(entry);
    made.#place = entry.state?.photo ?? 0;
    made.#draw(entry);
    return made;
  }

  constructor() {
    this.element = element('section', { class: 'screen photo-screen' });
    this.element.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.#turn(this.#place + (isRightToLeft() ? -step : step));
    });
  }

  async #read({ itemId }) {
    const [item, screen] = await Promise.all([api.get(`/v1/items/${itemId}`), api.get(`/v1/items/${itemId}/screen`)]);
    this.#item = item;
    this.#rights = screen.row;
  }

  appeared() {
    this.#turn(this.#place, false);
  }

  close() {}

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  update(entry) {
    this.#draw(entry);
    this.#turn(this.#place, false);
  }

  refresh() {
    attempt(() => this.#reread());
  }

  async #reread() {
    await this.#read(this.entry);
    this.update(this.entry);
  }

  /** What others have changed. */
  hear({ items }) {
    if (items.includes(this.#item.id)) this.refresh();
  }

  #draw(entry) {
    this.entry = entry;
    const { id, photos } = this.#item;
    this.#place = Math.max(0, Math.min(this.#place, photos.length - 1));
    this.count = element('span', { class: 'position' });
    this.pages = element('div', { class: 'photo-pages', onscroll: () => this.#scrolled() }, ...photos.map((photo, index) => {
      const image = element('img', { alt: text('photoNumber', { index: index + 1, count: photos.length }) });
      const page = element('div', { class: 'photo-page' }, image);
      // Not every browser reads every kind of photo.
      image.addEventListener('error', () =>
        page.replaceChildren(element('p', { class: 'empty' }, text('photoUnreadable'))));
      photoSource(id, photo).then((source) => (image.src = source), () => {});
      return page;
    }));
    if (!photos.length) this.pages.append(element('p', { class: 'empty' }, text('noPhotos')));
    this.pages.addEventListener('click', () => {
      if (entry.barTogglesOnTap) this.element.classList.toggle('is-bare');
    });
    const toolbar = this.#toolbar(photos.length);
    this.#showCount();
    redraw(this.element, [
      navigationBar(entry.navigationBar, (action) => (action === 'back' ? attempt(() => place.pop()) : undefined)),
      this.pages, toolbar,
    ]);
  }

  #toolbar(count) {
    const { canEdit } = this.#rights;
    const button = (image, key, act) => element('button', {
      class: 'bar-button', type: 'button', 'aria-label': text(key), title: text(key), data: { action: key },
      onclick: () => attempt(act),
    }, icon(image));
    // Earlier is where the first photo is, whichever way one reads.
    const [start, end] = isRightToLeft() ? ['later', 'earlier'] : ['earlier', 'later'];
    const isOrdered = canEdit && count > 1;
    this.earlier = isOrdered ? button(start, 'photoEarlier', () => this.#shift(-1)) : null;
    this.later = isOrdered ? button(end, 'photoLater', () => this.#shift(1)) : null;
    return element('footer', { class: 'toolbar' },
      canEdit ? this.#adder() : element('span'),
      element('div', { class: 'toolbar-middle' }, this.earlier, this.count, this.later),
      canEdit && count ? button('trash', 'removePhoto', () => this.#remove()) : element('span'));
  }

  /** Has a photo change places with the one before it, or behind it. */
  async #shift(step) {
    const ids = [...this.#item.photos];
    const to = this.#place + step;
    if (!(to in ids)) return;
    const [moved] = ids.splice(this.#place, 1);
    ids.splice(to, 0, moved);
    await take(await api.post(`/v1/items/${this.#item.id}/photos/reorder`, { ids }));
    this.#place = to;
    await this.#reread();
    say(this.count.textContent);
  }

  #adder() {
    const input = element('input', {
      type: 'file', accept: 'image/*', class: 'unseen', 'aria-label': text('addPhoto'),
      onchange: () => attempt(async () => {
        for (const file of input.files) await addPhoto(this.#item.id, file);
        this.#place = this.#item.photos.length;
        this.refresh();
      }),
    });
    return element('label', { class: 'bar-button', title: text('addPhoto') }, input, icon('plus'));
  }

  async #remove() {
    const isSure = await ask(`${text('removePhoto')}?`, {
      answer: { title: text('removePhoto'), cancel: text('cancel') }, isGrave: true });
    if (!isSure) return;
    const receipt = await api.remove(`/v1/items/${this.#item.id}/photos/${this.#item.photos[this.#place]}`);
    await take(receipt, text('photoRemoved'));
    this.refresh();
  }

  #turn(index, isSmooth = true) {
    const page = this.pages.children[index];
    if (!page || !this.#item.photos.length) return;
    page.scrollIntoView({ behavior: isSmooth && !isStill() ? 'smooth' : 'instant', inline: 'start', block: 'nearest' });
    this.#place = index;
    this.#showCount();
    if (isSmooth) say(this.count.textContent);
  }

  #scrolled() {
    const width = this.pages.clientWidth;
    if (!width || !this.#item.photos.length) return;
    const index = Math.round(Math.abs(this.pages.scrollLeft) / width);
    if (index === this.#place) return;
    this.#place = index;
    this.#showCount();
  }

  #showCount() {
    const { photos } = this.#item;
    this.count.textContent = photos.length ? text('photoNumber', { index: this.#place + 1, count: photos.length }) : '';
    if (this.earlier) this.earlier.disabled = this.#place === 0;
    if (this.later) this.later.disabled = this.#place === photos.length - 1;
  }
}
