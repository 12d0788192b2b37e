import { element, isRightToLeft, isStill } from './dom.js';
import { text } from './texts.js';

const time = 380;
const curve = 'cubic-bezier(0.32, 0.72, 0, 1)';
const wide = matchMedia('(min-width: 40rem)');

/** Whether the window has room for a list and the details of an item beside it. */
export const isWide = () => wide.matches;

/** Calls `act` when the window has become wide, or is no longer. */
export const onWidth = (act) => wide.addEventListener('change', act);

/**
 * Shows the current screen, and in a wide window the list beside it. Lists have one pane, and all other screens the
 * other. A list that is the current screen has the room of both. In a narrow window a new screen slides in from the side that matches the direction.
 *
 * A screen has an `element` and a method `close`. The element of the current one has the class `screen`, that of the
 * list beside it the class `beside`.
 */
export class Stage {
  #home;
  #lists = element('div', { class: 'pane list-pane' });
  #details = element('div', { class: 'pane detail-pane' });
  /** The current screen. */
  screen = null;
  /** The list beside it. Null in a narrow window, and for a list itself. */
  beside = null;

  constructor(home) {
    this.#home = home;
    home.append(this.#lists, this.#details);
  }

  /** The list that is visible. Null if there is none. */
  get list() {
    return this.beside ?? (this.screen?.screen.listId ? this.screen : null);
  }

  /** The list beside the current screen, if it has the focus, or else the current screen. */
  get focused() {
    return this.beside?.element.contains(document.activeElement) ? this.beside : this.screen;
  }

  /** @param cause `push`, `pop`, `next` or `previous`; any other cause has no animation. */
  show(screen, cause, given = null) {
    this.#home.querySelector('.splash')?.remove();
    const beside = isWide() ? given : null;
    const old = this.screen;
    const leaving = [old, this.beside].filter((each) => each && each !== screen && each !== beside);
    [this.screen, this.beside] = [screen, beside];
    for (const each of [beside, screen]) if (each) this.#place(each);
    this.mark();
    for (const each of leaving) {
      each.element.inert = true;
      each.close();
    }
    const isSliding = old && old !== screen && !isWide();
    for (const each of leaving) if (!isSliding || each !== old) each.element.remove();
    if (isSliding) this.#slide(old, cause);
  }

  #place(screen) {
    screen.element.classList.toggle('screen', screen === this.screen);
    screen.element.classList.toggle('beside', screen === this.beside);
    if (screen.element.isConnected) return;
    (screen.screen.listId ? this.#lists : this.#details).append(screen.element);
    screen.appeared?.();
  }

  /** Names the panes for screen readers. */
  mark() {
    const { list } = this;
    this.#home.classList.toggle('is-alone', !list);
    this.#home.classList.toggle('is-list', list === this.screen);
    if (list) this.#name(this.#lists, 'main', list.title);
    else this.#name(this.#lists);
    if (!list) this.#name(this.#details, 'main', this.screen.title);
    else if (isWide()) this.#name(this.#details, 'complementary', text('details'));
    else this.#name(this.#details);
  }

  #name(pane, role, name) {
    for (const [attribute, value] of [['role', role], ['aria-label', name]]) {
      if (value) pane.setAttribute(attribute, value);
      else pane.removeAttribute(attribute);
    }
  }

  #slide(old, cause) {
    const { screen } = this;
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
