import { Problem } from './api.js';
import { element } from './dom.js';
import { Form } from './form.js';
import { isTurned, keyOf, orderTypes, sortTitle } from './list-view.js';
import { tell } from './notices.js';
import { segments } from './segments.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

const sorts = ['title', 'serialNumber', 'valueInDollars', 'totalValueInDollars', 'quantity', 'createdAt', 'updatedAt'];
/** A sheet with the views of a list's rows. Each choice is shown at once. */
export class OrderSheet {
  #choice;
  #choose;
  #home = element('div', { class: 'order-choices' });
  #above;
  #turns = Promise.resolve();

  /**
   * @param choice a `ListView`'s choice; empty for the manual order.
   * @param choose shows a choice, and resolves when its first rows have loaded.
   */
  constructor(choice, choose) {
    this.#choice = choice;
    this.#choose = choose;
    this.#above = new Form(
      [[{ pointer: 'sections', label: text('sectionsAbove'), kind: 'number', value: choice.above ?? null,
        hint: null }]], () => this.#divide());
    this.#above.field('sections').input.placeholder = text('sectionsNone');
    this.#above.element.addEventListener('change', () => this.#divide());
    this.#draw();
    this.sheet = new Sheet(plainBar(text('order')), [
      this.#home, element('h3', {}, text('sections')), this.#above.element]);
  }

  #draw() {
    const focused = document.activeElement?.closest('.order-choices') ? document.activeElement : null;
    const label = focused?.textContent;
    const key = keyOf(this.#choice);
    const own = { title: text('ownOrder'), isChosen: !key, stays: true, act: () => this.#set({ sort: undefined }) };
    const [list] = choices([[own, ...sorts.map((sort) => ({
      title: sortTitle(sort), isChosen: sort === key, stays: true,
      act: () => this.#set({ sort: isTurned(this.#choice) ? `-${sort}` : sort }),
    }))]], () => this.sheet);
    this.#home.replaceChildren(
      list,
      key ? segments('direction', text('order'), [[false, 'ascending'], [true, 'descending']],
        isTurned(this.#choice), (turned) => this.#set({ sort: turned ? `-${key}` : key })) : '',
      segments('type', text('everything'), orderTypes, this.#choice.type, (type) => this.#set({ type })));
    if (!focused) return;
    [...this.#home.querySelectorAll('button, input')]
      .find((other) => (other.name ? other.name === focused.name && other.checked : other.textContent === label))?.focus();
  }

  #divide() {
    const field = this.#above.field('sections');
    if ((this.#choice.above ?? null) === field.value) return;
    this.#set({ above: field.value ?? undefined });
  }

  /** Applies changes one after the other, because each extends the choice that the last one left. */
  #set(change) {
    this.#turns = this.#turns.then(() => this.#apply(change));
  }

  async #apply(change) {
    const choice = { ...this.#choice, ...change };
    const field = this.#above.field('sections');
    try {
      await this.#choose(choice);
      this.#choice = choice;
      field.complain(null);
      this.#draw();
    } catch (error) {
      const fault = error instanceof Problem && error.members.errors?.find(({ parameter }) => parameter === 'sections');
      if (fault) field.complain(fault.detail);
      else tell(error);
    }
  }
}
