import { isRightToLeft, isStill } from './dom.js';

const time = 380;
const curve = 'cubic-bezier(0.32, 0.72, 0, 1)';

/** Shows one screen at a time. A new screen slides in from the side that matches the direction. */
export class Stage {
  #home;
  /** The current screen, which has an `element` and a method `close`. */
  screen = null;

  constructor(home) {
    this.#home = home;
  }

  /** @param cause `push`, `pop`, `next` or `previous`; any other cause has no animation. */
  show(screen, cause) {
    const old = this.screen;
    this.screen = screen;
    this.#home.append(screen.element);
    screen.appeared?.();
    if (!old) return;
    old.element.inert = true;
    old.close();
    const leave = () => old.element.remove();
    const way = { push: 1, pop: -1, next: 1, previous: -1 }[cause];
    if (!way || isStill()) {
      leave();
      if (way) screen.element.animate([{ opacity: 0 }, { opacity: 1 }], 120);
      return;
    }
    const sign = isRightToLeft() ? -1 : 1;
    const far = { transform: `translateX(${100 * sign}%)` };
    const near = { transform: `translateX(${-30 * sign}%)`, filter: 'brightness(0.85)' };
    const rest = { transform: 'none', filter: 'none' };
    const [upper, lower] = way > 0 ? [screen.element, old.element] : [old.element, screen.element];
    upper.classList.add('is-above');
    const options = { duration: time, easing: curve };
    const frames = way > 0 ? [[far, rest], [rest, near]] : [[rest, far], [near, rest]];
    lower.animate(frames[1], options);
    upper.animate(frames[0], options).finished.then(() => {
      upper.classList.remove('is-above');
      leave();
    }, leave);
  }
}
