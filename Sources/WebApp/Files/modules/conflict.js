import { element } from './dom.js';
import { text } from './texts.js';

let conflicts = 0;

/** A choice between someone else's saved value and the value typed here. */
export class Conflict {
  #take;
  #choices;
  #show;
  #fault;

  /**
   * @param options `{label, theirs, yours, show, take}`: the field's name, both values, a function that shows a value
   *   as text, and a function that gets the chosen value.
   */
  constructor({ label, theirs, yours, show, take }) {
    this.theirs = theirs;
    this.yours = yours;
    this.#take = take;
    this.#show = show;
    const id = `conflict-${(conflicts += 1)}`;
    this.#fault = element('p', { class: 'field-fault', id: `${id}-fault`, hidden: true }, text('conflictChoose'));
    const choice = (name, title, value) => element('label', { class: 'conflict-choice' },
      element('input', { type: 'radio', name: id, value: name, onchange: () => this.choose(name) }),
      element('span', { class: 'conflict-whose' }, title),
      element('bdi', { class: 'conflict-value' }, this.#shown(value)));
    this.#choices = [choice('theirs', text('conflictTheirs'), theirs), choice('yours', text('conflictYours'), yours)];
    this.element = element('fieldset', { class: 'conflict', 'aria-describedby': `${id}-fault` },
      element('legend', { class: 'unseen' }, label), ...this.#choices, this.#fault);
  }

  get #inputs() {
    return this.#choices.map((choice) => choice.querySelector('input'));
  }

  get isResolved() {
    return this.#inputs.some((input) => input.checked);
  }

  /** @param name `theirs` or `yours`. */
  choose(name) {
    this.#mark(name);
    this.#take(this[name]);
  }

  /** Makes a newly typed value the chosen one. */
  type(value) {
    this.yours = value;
    this.#choices[1].querySelector('.conflict-value').replaceChildren(this.#shown(value));
    this.#mark('yours');
  }

  #shown(value) {
    return this.#show(value) || element('i', {}, text('noValue'));
  }

  #mark(name) {
    for (const input of this.#inputs) input.checked = input.value === name;
    this.#fault.hidden = true;
  }

  /** Shows an error if nothing is chosen. */
  complain() {
    this.#fault.hidden = this.isResolved;
  }

  focus() {
    this.#inputs[0].focus();
  }
}
