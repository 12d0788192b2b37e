import { element } from './dom.js';
import { icon } from './icons.js';
import { text } from './texts.js';

/** The buttons that add a row: a round one above the end of the list on phones, and one in the bar on wider windows. */
export class NewButtons {
  #act;
  #inBar = null;
  #trailing;

  constructor(act) {
    this.#act = act;
    this.round = element('button', {
      class: 'new-round', type: 'button', 'aria-label': text('new'), title: text('new'), onclick: act,
    }, icon('plus'));
  }

  /** Adds the button to a bar, unless the server's bar has one. */
  enter(bar) {
    this.#inBar = bar.querySelector('[data-action=add]') ? null : element('button', {
      class: 'bar-button is-new', type: 'button', title: `${text('keyAdd')} (N)`, data: { action: 'new' }, onclick: this.#act,
    }, icon('plus'), element('bdi', {}, text('new')));
    this.#trailing = bar.querySelector('.bar-trailing');
  }

  /** Shows the round button, and the one in the bar. */
  show(isRoundShown, isBarShown) {
    this.round.hidden = !isRoundShown;
    if (isBarShown && this.#inBar) this.#trailing.prepend(this.#inBar);
    else this.#inBar?.remove();
  }
}
