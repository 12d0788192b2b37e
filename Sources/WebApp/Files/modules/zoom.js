/** The highest scale, and the one of a double tap. */
const most = 8;
const doubled = 2.5;
/** Milliseconds between the taps of a double tap, and the pixels that a finger may move in a tap. */
const tapTime = 300;
const tapMove = 10;

/** Scales and moves a photo on its page: by two fingers, a double tap or click, the wheel, and by calls. */
export class Zoom {
  scale = 1;
  /** The distance of the photo's centre from that of the page, in pixels. */
  #x = 0;
  #y = 0;
  /** The fingers, or the mouse, on the page: places by the pointers' ids. */
  #pointers = new Map();
  /** Whether the pointers have moved since the first of them came. */
  #hasMoved = false;
  #lastTap = { at: -Infinity };
  #page;
  #image;
  #changed;

  /** @param changed is called after each change of the scale. */
  constructor(page, image, changed) {
    [this.#page, this.#image, this.#changed] = [page, image, changed];
    page.addEventListener('wheel', (event) => this.#turned(event), { passive: false });
    // Otherwise the browser would take two fingers for a scroll, and end their events.
    page.addEventListener('touchstart', (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    page.addEventListener('pointerdown', (event) => this.#down(event));
    page.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) page.addEventListener(end, (event) => this.#up(event));
    page.addEventListener('dblclick', (event) => {
      // Browsers that send it for fingers, too, send it just after the tap.
      if (event.timeStamp - this.#lastTap.at > 2 * tapTime) this.#toggle(event);
    });
    // A drag is no tap.
    page.addEventListener('click', (event) => this.#hasMoved && event.stopPropagation(), { capture: true });
  }

  reset() {
    this.#set(1, 0, 0);
  }

  /** Multiplies the scale. The point of the photo at a place of the window stays there. */
  zoom(factor, place = this.#centre()) {
    if (!this.#image.naturalWidth) return;
    const scale = Math.min(most, Math.max(1, this.scale * factor));
    const { x, y } = this.#fromCentre(place);
    const grown = scale / this.scale;
    this.#set(scale, x - (x - this.#x) * grown, y - (y - this.#y) * grown);
  }

  #centre() {
    const { left, top, width, height } = this.#page.getBoundingClientRect();
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }

  #fromCentre({ clientX, clientY }) {
    const centre = this.#centre();
    return { x: clientX - centre.clientX, y: clientY - centre.clientY };
  }

  /** Moves no further than to the photo's edges. */
  #set(scale, x, y) {
    const { clientWidth, clientHeight } = this.#page;
    const { naturalWidth, naturalHeight } = this.#image;
    const fit = Math.min(clientWidth / naturalWidth, clientHeight / naturalHeight) || 1;
    const limit = (length, room) => Math.max(0, (length * fit * scale - room) / 2);
    const within = (value, most) => Math.min(most, Math.max(-most, value));
    const isNew = scale !== this.scale;
    this.scale = scale;
    this.#x = within(x, limit(naturalWidth, clientWidth));
    this.#y = within(y, limit(naturalHeight, clientHeight));
    this.#image.style.transform = scale === 1 ? '' : `translate(${this.#x}px, ${this.#y}px) scale(${scale})`;
    this.#page.classList.toggle('is-zoomed', scale > 1);
    if (isNew) this.#changed();
  }

  #toggle(place) {
    if (this.scale > 1) this.reset();
    else this.zoom(doubled, place);
  }

  #turned(event) {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    // Sideways the wheel turns pages. Fingers that pinch on a trackpad are a wheel with Ctrl.
    if (isSideways && this.scale === 1 && !event.ctrlKey) return;
    event.preventDefault();
    if (isSideways && !event.ctrlKey) return void this.#set(this.scale, this.#x - event.deltaX, this.#y);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : 30 * event.deltaY;
    this.zoom(Math.exp(pixels * (event.ctrlKey ? -0.01 : -0.002)), event);
  }

  #down(event) {
    if (!this.#pointers.size) this.#hasMoved = false;
    this.#pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY, first: event });
    if (this.scale > 1 || this.#pointers.size > 1) this.#page.setPointerCapture(event.pointerId);
  }

  #move(event) {
    // A mouse may be released outside of the page.
    if (!event.buttons) this.#pointers.delete(event.pointerId);
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.#grip();
    if (distance(pointer.first, event) > tapMove || this.#pointers.size > 1) this.#hasMoved = true;
    [pointer.clientX, pointer.clientY] = [event.clientX, event.clientY];
    const now = this.#grip();
    if (now.width && before.width) this.zoom(now.width / before.width, before);
    if (this.scale > 1) this.#set(this.scale, this.#x + now.clientX - before.clientX, this.#y + now.clientY - before.clientY);
  }

  /** The middle of the pointers, and the distance between the first two. */
  #grip() {
    const [one, other = one] = this.#pointers.values();
    return {
      clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2, width: distance(one, other) };
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#hasMoved) return;
    if (event.type !== 'pointerup' || event.pointerType !== 'touch') return;
    const isSecond = event.timeStamp - this.#lastTap.at < tapTime && distance(this.#lastTap, event) < 3 * tapMove;
    if (isSecond) this.#toggle(event);
    this.#lastTap = { at: event.timeStamp, clientX: event.clientX, clientY: event.clientY };
  }
}

const distance = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
