/** Browsers cap an element's height, Firefox at about 17.8 million pixels. */
const tallest = 8_000_000;
/** So many pixels at both ends scroll as they are. */
const exact = 400_000;

/**
 * Scrolls through more than an element can be high: far jumps, as of a scroll bar's thumb, are scaled, short ones, as
 * of a finger or a wheel, are not. What is between both is set right when the scrolling rests.
 */
export class ScaledScroll {
  /** What is shown stands this much further up than its real place. */
  offset = 0;
  #last = 0;

  /** The pixels there are, and those that fit into the window. */
  constructor() {
    this.total = 0;
    this.window = 0;
  }

  /** How high the element is. */
  get height() {
    return Math.min(this.total, tallest);
  }

  get #isScaled() {
    return this.total > tallest;
  }

  /** The real place of a scroll position after a far jump. */
  #real(position) {
    if (!this.#isScaled) return position;
    if (position < exact) return position;
    if (position > tallest - exact) return this.total - (tallest - position);
    return exact + ((position - exact) * (this.total - 2 * exact)) / (tallest - 2 * exact);
  }

  /** The scroll position of a real place. */
  position(real) {
    if (!this.#isScaled || real < exact) return real;
    if (real > this.total - exact) return tallest - (this.total - real);
    return exact + ((real - exact) * (tallest - 2 * exact)) / (this.total - 2 * exact);
  }

  /**
   * The real place of a scroll position, by how it was come to. To be asked for each time that a place is needed: a
   * browser tells that it has scrolled only some time later.
   */
  follow(position) {
    const isNear = Math.abs(position - this.#last) < 4 * this.window;
    this.#last = position;
    if (!this.#isScaled) this.offset = 0;
    else if (!isNear) this.offset = this.#real(position) - position;
    const real = position + this.offset;
    return Math.max(Math.min(real, this.total), Math.min(position, 0));
  }

  /** The scroll position to be set so that a real place is shown. */
  jump(real) {
    const position = this.position(real);
    this.#last = position;
    this.offset = real - position;
    return position;
  }

  /** The position to be set while nothing scrolls, or null where it is right already. */
  rest(position) {
    if (!this.#isScaled) return null;
    const real = this.follow(position);
    const right = this.position(real);
    return Math.abs(right - position) > 2 ? this.jump(real) : null;
  }
}
