/** The tallest element used. Browsers limit the height, Firefox to about 17.8 million pixels. */
const tallest = 8_000_000;
/** The pixels at both ends that are not scaled. */
const exact = 400_000;

/**
 * Scrolls through content taller than an element can be. Far jumps, as with a scroll bar, are scaled; short ones, as
 * with a finger or a wheel, are not. The difference is corrected when scrolling stops.
 */
export class ScaledScroll {
  /** The real position minus the scroll position. */
  offset = 0;
  #last = 0;

  /** `total` is the height of the content and `window` that of the visible part, in pixels. */
  constructor() {
    this.total = 0;
    this.window = 0;
  }

  /** The height of the element. */
  get height() {
    return Math.min(this.total, tallest);
  }

  get #isScaled() {
    return this.total > tallest;
  }

  /** The real position of a scroll position after a far jump. */
  #real(position) {
    if (!this.#isScaled) return position;
    if (position < exact) return position;
    if (position > tallest - exact) return this.total - (tallest - position);
    return exact + ((position - exact) * (this.total - 2 * exact)) / (tallest - 2 * exact);
  }

  /** The scroll position of a real position. */
  position(real) {
    if (!this.#isScaled || real < exact) return real;
    if (real > this.total - exact) return tallest - (this.total - real);
    return exact + ((real - exact) * (tallest - 2 * exact)) / (this.total - 2 * exact);
  }

  /**
   * The real position of a scroll position, by the way it was reached. Call it whenever a position is needed, because a
   * browser reports scrolling late.
   */
  follow(position) {
    const isNear = Math.abs(position - this.#last) < 4 * this.window;
    this.#last = position;
    if (!this.#isScaled) this.offset = 0;
    else if (!isNear) this.offset = this.#real(position) - position;
    const real = position + this.offset;
    return Math.max(Math.min(real, this.total), Math.min(position, 0));
  }

  /** The scroll position that shows a real position. */
  jump(real) {
    const position = this.position(real);
    this.#last = position;
    this.offset = real - position;
    return position;
  }

  /** The corrected scroll position for when scrolling has stopped. Null if it is already right. */
  rest(position) {
    if (!this.#isScaled) return null;
    const real = this.follow(position);
    const right = this.position(real);
    return Math.abs(right - position) > 2 ? this.jump(real) : null;
  }
}
