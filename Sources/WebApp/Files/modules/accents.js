import { mixed, standardTints, tintOnPage } from './appearance.js';
import { element } from './dom.js';
import { text } from './texts.js';

/** The buttons' tints by the names of their texts. Each has a contrast of at least 5.8 on white. The first is the default. */
const buttons = {
  blue: standardTints.button, teal: '#0B6666', green: '#2B6B33', ochre: '#7A5200', red: '#A3272B', pink: '#9B2468',
  violet: '#6442A6', graphite: '#48525C',
};

/** The tints of an accent: very light bars, and titles that are almost black. */
function tintsOf(button) {
  if (button === standardTints.button) return standardTints;
  const bar = mixed(button, '#ffffff', 0.94).toUpperCase();
  return { navigationBar: bar, toolbar: bar, tabBar: bar, button, title: mixed(button, '#14171a', 0.75).toUpperCase() };
}

/** A choice of tints by the names of their accents. */
export class AccentPicker {
  #accents = Object.entries(buttons).map(([name, button]) => ({ name, tints: tintsOf(button) }));

  /** @param choose called with the tints of the chosen accent. */
  constructor(choose) {
    for (const accent of this.#accents) {
      accent.input = element('input', { type: 'radio', name: 'accent', onchange: () => choose(accent.tints) });
    }
    this.element = element('fieldset', { class: 'card accents' },
      element('legend', { class: 'unseen' }, text('accent')),
      ...this.#accents.map(({ name, tints, input }) => element('label', { style: { '--tint': tintOnPage(tints.button) } },
        input, element('span', {}, text(name)))));
  }

  /** Marks the accent that has exactly these tints, if there is one. */
  mark(tints) {
    for (const accent of this.#accents) {
      accent.input.checked = Object.entries(accent.tints).every(([tint, colour]) => tints[tint] === colour);
    }
  }
}
