import { api, address } from './api.js';
import { hasSidebar } from './dom.js';
import { ListTarget } from './list-target.js';
import { say } from './speech.js';
import { number, text } from './texts.js';

/** The distance in pixels from an edge at which dragging scrolls the list. */
const edge = 64;
const fastest = 18;
/** The distance in pixels at which a press of the mouse on a row becomes a drag. */
const slack = 6;

/**
 * Lets people drag rows by their grips with a mouse, a finger or keys. The server says where a row would land; `drop`
 * resolves to where it has landed. Beside a sidebar, a mouse drags rows without grips, too, and onto other lists.
 */
export class Drag {
  #list;
  #scroller;
  #drop;
  #give;
  #groupOf;
  #refused;
  #held = null;
  #frame = 0;

  /**
   * @param list the `RowList`.
   * @param drop moves the row with an id to an index, and resolves to its final index.
   * @param give moves a row to another list.
   * @param groupOf the rows that are dragged with a row, `{name, id}`, where `id` is of the row that the server is asked about.
   *   They are dragged only onto other lists. Null for a row alone.
   * @param refused is called if a pointer tries to drag a row that cannot be moved.
   */
  constructor(list, scroller, drop, give, groupOf, refused) {
    this.#groupOf = groupOf;
    this.#refused = refused;
    this.#list = list;
    this.#scroller = scroller;
    this.#drop = drop;
    this.#give = give;
    list.element.addEventListener('pointerdown', (event) => this.#pressed(event));
    list.element.addEventListener('keydown', (event) => this.#typed(event), { capture: true });
    list.element.addEventListener('focusout', (event) => {
      // Moving redraws rows, which loses the focus without a new target. A real move of the focus cancels the drag.
      if (this.#held?.isKeys && event.relatedTarget && !this.#list.element.contains(event.relatedTarget)) this.#cancel();
    });
  }

  // By pointer

  #pressed(event) {
    if (event.button !== 0 || this.#held) return;
    const grip = event.target.closest('[data-control=grip]');
    const link = event.target.closest('a[data-control=main], .is-selected [data-control=main]');
    if (grip) {
      event.preventDefault();
      this.#grab(event, grip);
    } else if (link && event.pointerType === 'mouse' && hasSidebar()) {
      this.#await(event, link);
    }
  }

  /** Waits to see whether a press on a link becomes a drag. */
  #await(event, link) {
    const stop = new AbortController();
    addEventListener('pointermove', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - event.clientX, clientY - event.clientY) < slack) return;
      stop.abort();
      // The end of the drag is no click.
      const noClick = (click) => {
        click.preventDefault();
        click.stopPropagation();
      };
      addEventListener('click', noClick, { capture: true });
      addEventListener('pointerup', () => setTimeout(() => removeEventListener('click', noClick, { capture: true })), { once: true });
      if (link.isConnected) this.#grab(event, link);
    }, { signal: stop.signal });
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => stop.abort(), { signal: stop.signal });
  }

  #grab(event, grip) {
    const item = grip.closest('li');
    if (!this.#lift(item.dataset.key, false)) return;
    const held = this.#held;
    held.pointer = event.pointerId;
    held.grabbedAt = event.clientY - item.getBoundingClientRect().top;
    [held.x, held.y] = [event.clientX, event.clientY];
    if (hasSidebar()) held.target = new ListTarget(held.group ?? held);
    grip.setPointerCapture(event.pointerId);
    const moved = (move) => {
      if (move.pointerId === held.pointer) [held.x, held.y] = [move.clientX, move.clientY];
    };
    const ended = (end) => {
      if (end.pointerId !== held.pointer || this.#held !== held) return;
      held.stopListening();
      if (end.type === 'pointerup') this.#letGo();
      else this.#cancel();
    };
    const escaped = (press) => {
      if (press.key === 'Escape') {
        press.preventDefault();
        this.#cancel();
      }
    };
    addEventListener('pointermove', moved);
    addEventListener('pointerup', ended);
    addEventListener('pointercancel', ended);
    addEventListener('keydown', escaped, { capture: true });
    held.stopListening = () => {
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', ended);
      removeEventListener('pointercancel', ended);
      removeEventListener('keydown', escaped, { capture: true });
    };
    this.#follow(held);
  }

  /** In each frame, keeps the row under the pointer and scrolls the list at its edges. */
  #follow(held) {
    if (this.#held !== held) return;
    // The screen was closed, for example because its list was deleted.
    if (!this.#list.source) return void this.#end();
    this.#frame = requestAnimationFrame(() => this.#follow(held));
    const isAway = held.target?.follow(held.x, held.y) ?? false;
    this.#list.elementOf(held.id)?.classList.toggle('is-away', isAway);
    if (isAway || held.group) return;
    const bounds = this.#scroller.getBoundingClientRect();
    const over = held.y > bounds.bottom - edge ? held.y - (bounds.bottom - edge)
      : held.y < bounds.top + edge ? held.y - (bounds.top + edge) : 0;
    if (over) this.#scroller.scrollTop += Math.sign(over) * Math.min(fastest, Math.abs(over) / 3);
    const top = this.#list.placeAt(held.y - held.grabbedAt);
    this.#propose(Math.max(0, Math.min(Math.round(top), this.#list.source.length - 1)));
    const row = this.#list.elementOf(held.id);
    row?.classList.add('is-lifted');
    const listTop = this.#list.element.getBoundingClientRect().top;
    row?.style.setProperty('transform', `translateY(${held.y - held.grabbedAt - listTop}px)`);
  }

  // By keys

  #typed(event) {
    const grip = event.target.closest('[data-control=grip]');
    if (!grip) return;
    const id = grip.closest('li').dataset.key;
    const isSwitch = event.key === ' ' || event.key === 'Enter';
    if (!this.#held) {
      if (!isSwitch || !this.#lift(id, true)) return;
      this.#take(event);
      this.#list.elementOf(id).classList.add('is-lifted');
      say(text('lifted', { name: this.#held.name }));
      return;
    }
    if (!this.#held.isKeys) return;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#list.rowHeight) - 1);
    const end = this.#list.source.length;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -end, End: end };
    if (isSwitch) {
      this.#take(event);
      this.#letGo();
    } else if (event.key === 'Escape') {
      this.#take(event);
      this.#cancel();
    } else if (event.key in steps) {
      this.#take(event);
      this.#step(steps[event.key]);
    }
  }

  #take(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  async #step(step) {
    const held = this.#held;
    if (!this.#list.source) return void this.#end();
    const last = this.#list.source.length - 1;
    await this.#propose(Math.max(0, Math.min(held.to + step, last)));
    if (this.#held !== held || !this.#list.source) return;
    const top = held.to * this.#list.rowHeight;
    const window = this.#scroller.clientHeight - 2 * this.#list.rowHeight;
    if (top < this.#list.top) this.#list.top = top;
    else if (top > this.#list.top + window) this.#list.top = top - window;
    say(text('overPlace', {
      name: held.name, index: number(held.to + 1), count: number(this.#list.source.count) }));
  }

  // Both

  #lift(id, isKeys) {
    const source = this.#list.source;
    const from = source.indexOf(id);
    const row = from === undefined ? undefined : source.row(from);
    if (!row?.canMove) {
      if (row && !isKeys) this.#refused();
      return false;
    }
    const group = this.#groupOf(row);
    this.#held = { id, isKeys, name: row.title, from, to: from, asked: null, question: null, group };
    this.#list.element.classList.add('is-dragging');
    return true;
  }

  /** Opens the gap at a place, then where the server says that the row would land. */
  async #propose(to) {
    const held = this.#held;
    held.from = this.#list.source.indexOf(held.id);
    // Someone else has removed the row.
    if (held.from === undefined) return this.#cancel();
    if (held.asked === to) return;
    held.asked = to;
    this.#openGap(held, to);
    if (held.question) return held.isKeys ? held.question : undefined;
    held.question = this.#ask(held).finally(() => (held.question = null));
    if (held.isKeys) await held.question;
  }

  async #ask(held) {
    const list = this.#list.source.id;
    for (let asked = null; this.#held === held && held.asked !== asked;) {
      asked = held.asked;
      try {
        const target = await api.get(
          address(`/v1/lists/${list}/move-target`, { from: held.from, to: asked }));
        if (this.#held === held && held.asked === asked) this.#openGap(held, target.to);
      } catch {
        // The drop reports the error.
      }
    }
  }

  #openGap(held, to) {
    if (held.to === to && this.#list.gap) return;
    held.to = to;
    this.#list.gap = { id: held.id, to, isHeld: !held.isKeys };
  }

  async #letGo() {
    const isAway = this.#held.target?.follow(this.#held.x, this.#held.y);
    const list = isAway ? this.#held.target.list : null;
    if ((isAway || this.#held.group) && !list) return void this.#cancel();
    const held = this.#end();
    if (list) {
      this.#list.gap = null;
      return void (await this.#give({ id: held.id, title: held.name }, list));
    }
    if (!this.#list.source) return;
    const row = this.#list.elementOf(held.id);
    row?.classList.add('is-landing');
    this.#list.gap = null;
    if (held.asked === null || held.asked === held.from) {
      this.#list.refresh({ isAnimated: true });
    } else {
      const index = await this.#drop(held.id, held.asked);
      if (index !== undefined) {
        say(text('dropped', {
          name: held.name, index: number(index + 1), count: number(this.#list.source?.count ?? 0) }));
      }
    }
    setTimeout(() => row?.classList.remove('is-landing'), 300);
  }

  #cancel() {
    if (!this.#held) return;
    const held = this.#end();
    this.#list.gap = null;
    this.#list.refresh({ isAnimated: true });
    say(text('putBack', { name: held.name }));
  }

  #end() {
    const held = this.#held;
    this.#held = null;
    cancelAnimationFrame(this.#frame);
    held.stopListening?.();
    held.target?.end();
    this.#list.elementOf(held.id)?.classList.remove('is-lifted', 'is-away');
    this.#list.element.classList.remove('is-dragging');
    return held;
  }
}
