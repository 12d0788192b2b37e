import { element, isRightToLeft, isStill } from './dom.js';
import { icon } from './icons.js';

/** The distance in pixels from which a finger moves on purpose. */
const slack = 10;
/** The distance in pixels from an edge of the window that belongs to the browser's gesture for Back. */
const edge = 28;
/** The part of a row's width from which a swipe acts. */
const far = 0.5;
const holdTime = 500;
/** The distance in pixels that a finger moves to select rows, while the menu is open. */
const sweep = 24;

/**
 * The gestures on rows: a swipe, a long press, a long press and a drag, a right click, and clicks with Shift, Control or
 * Command.
 *
 * Fingers are followed by touch events, because only these can keep the browser from scrolling after a press has begun.
 */
export class RowGestures {
  #list;
  #on;
  #touch = null;

  /**
   * @param list the `RowList`.
   * @param on `{isReady, swipes, menu, toggle, extend}`. `isReady()` is whether fingers make gestures. `swipes(row)` gives
   *   `{start, end}`: what a swipe to that side does, `{image, act, isGrave}` or null. `menu(row, at)` opens the menu, and
   *   resolves to its sheet. `toggle(row)` and `extend(row)` select.
   */
  constructor(list, on) {
    this.#list = list;
    this.#on = on;
    list.element.addEventListener('touchstart', (event) => this.#began(event), { passive: true });
    // A listener that may prevent scrolling must be there when the touch begins.
    list.element.addEventListener('touchmove', () => {}, { passive: false });
    list.element.addEventListener('contextmenu', (event) => this.#contextMenu(event));
    list.element.addEventListener('click', (event) => this.#clicked(event), { capture: true });
  }

  #contextMenu(event) {
    const row = this.#list.rowOf(event.target);
    if (!row) return;
    // A long press has a timer of its own: not every browser sends this event.
    if (this.#touch || event.pointerType === 'touch') return void event.preventDefault();
    event.preventDefault();
    const { left, bottom } = event.target.getBoundingClientRect();
    const isByKey = event.button !== 2;
    this.#on.menu(row, isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY });
  }

  #clicked(event) {
    const row = event.target.closest('a[data-control=main]') && this.#list.rowOf(event.target);
    const isMeant = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!row || !isMeant || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.#on.extend(row);
    else this.#on.toggle(row);
  }

  // Touches

  #began(event) {
    this.#drop();
    const row = this.#list.rowOf(event.target);
    const main = event.target.closest('[data-control=main]');
    if (!row || !main || event.touches.length > 1 || !this.#on.isReady()) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    const stop = new AbortController();
    const touch = { row, main, x, y, stop, line: main.closest('li'), phase: 'pressed', shift: 0 };
    this.#touch = touch;
    touch.timer = setTimeout(() => this.#hold(touch), holdTime);
    // The target gets all events of a touch, even when it is redrawn.
    const options = { signal: stop.signal, passive: false };
    event.target.addEventListener('touchmove', (move) => this.#moved(touch, move), options);
    event.target.addEventListener('touchend', (end) => this.#ended(touch, end), options);
    event.target.addEventListener('touchcancel', () => this.#drop(), options);
    // The menu opens under the finger. Its texts are not selected, and the browser shows no menu of its own.
    for (const kind of ['contextmenu', 'selectstart']) {
      document.addEventListener(kind, (other) => other.preventDefault(), { signal: stop.signal, capture: true });
    }
  }

  #hold(touch) {
    touch.phase = 'held';
    touch.line.classList.add('is-held');
    navigator.vibrate?.(10);
    touch.menu = this.#on.menu(touch.row, { x: touch.x, y: touch.y });
  }

  #moved(touch, event) {
    const [{ clientX, clientY }] = event.touches;
    const [dx, dy] = [clientX - touch.x, clientY - touch.y];
    if (touch.phase === 'pressed') {
      if (Math.hypot(dx, dy) < slack) return;
      clearTimeout(touch.timer);
      const isFree = touch.x > edge && touch.x < innerWidth - edge;
      if (event.touches.length > 1 || !isFree || Math.abs(dx) < 1.5 * Math.abs(dy)) return void this.#drop();
      touch.swipes = this.#on.swipes(touch.row);
      touch.phase = 'swiped';
    }
    if (event.cancelable) event.preventDefault();
    if (touch.phase === 'swiped') this.#swipe(touch, dx);
    else if (touch.phase === 'swept' || Math.hypot(dx, dy) >= sweep) this.#sweep(touch, clientY);
  }

  #sweep(touch, y) {
    if (touch.phase === 'held') {
      touch.menu.then((menu) => menu?.close());
      this.#on.toggle(touch.row);
    }
    touch.phase = 'swept';
    const { source } = this.#list;
    const row = source?.row(Math.max(0, Math.min(Math.floor(this.#list.placeAt(y)), source.length - 1)));
    if (row?.id && row !== touch.last) this.#on.extend(row);
    touch.last = row;
  }

  /** Moves the row with the finger, and shows beside it what letting go does. */
  #swipe(touch, dx) {
    const { swipes, line, main } = touch;
    const swipe = (dx > 0) === isRightToLeft() ? swipes.start : swipes.end;
    touch.swipe = swipe && Math.abs(dx) > far * line.offsetWidth ? swipe : null;
    if (touch.shown !== swipe) {
      line.querySelector('.row-swipe')?.remove();
      if (swipe) {
        line.prepend(element('span', {
          class: swipe.isGrave ? 'row-swipe is-grave' : 'row-swipe', 'aria-hidden': 'true', data: { side: dx > 0 ? 'left' : 'right' },
        }, icon(swipe.image)));
      }
      touch.shown = swipe;
    }
    line.querySelector('.row-swipe')?.classList.toggle('is-ready', touch.swipe !== null);
    touch.shift = swipe ? dx : 0;
    line.classList.add('is-swiped');
    main.style.transform = `translateX(${touch.shift}px)`;
  }

  #ended(touch, event) {
    const { phase, swipe, row } = touch;
    this.#drop();
    if (phase === 'pressed') return;
    // No click follows.
    if (event.cancelable) event.preventDefault();
    if (swipe) swipe.act(row);
  }

  /** Ends the gesture, and puts the row back. */
  #drop() {
    const touch = this.#touch;
    this.#touch = null;
    if (!touch) return;
    clearTimeout(touch.timer);
    touch.stop.abort();
    touch.line.classList.remove('is-held', 'is-swiped');
    touch.line.querySelector('.row-swipe')?.remove();
    touch.main.style.transform = '';
    if (touch.shift && !isStill()) {
      touch.main.animate([{ transform: `translateX(${touch.shift}px)` }, { transform: 'none' }], 180);
    }
  }
}
