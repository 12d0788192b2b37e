import { element, newID } from './dom.js';
import { text } from './texts.js';

/** Things of a household and a garage. */
const glyphs = '🏠 🛋️ 🛏️ 🍳 🛁 🧺 🚪 🪴 🧰 🔧 🔌 💡 🚗 🚲 ⛺ 🧳 📦 🗄️ 📚 💻 📱 📷 🎮 🎸 🎨 ⚽ 🧸 👕 👟 💍 🍷 💊 🐾 🎄 🧾'.split(' ');

const colours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'grey'];

/** Radio buttons that look like tiles. `choices` are `{value, label, face}`, and a null value stands for none. */
function tiles(choices, chosen) {
  const group = newID();
  return choices.map(({ value, label, face }) => element('label', { class: 'look-choice', title: face.textContent ? null : label },
    element('input', { type: 'radio', name: group, value: value ?? '', 'aria-label': label, onchange: () => chosen(value) }), face));
}

/** Checks the radio button of a value, if there is one. */
function check(home, value) {
  for (const input of home.querySelectorAll('[type=radio]')) input.checked = input.value === (value ?? '');
}

const face = (glyph, colour = '') => element('span', { class: 'tile', 'aria-hidden': 'true', data: { colour } }, glyph);

/** Whether a text is one character as readers see it. Without a way to tell, the server decides. */
export const isOneGlyph = (value) => !Intl.Segmenter || [...new Intl.Segmenter().segment(value)].length === 1;

/** Edits a list's glyph: a line for any character, and some to choose from. */
export class GlyphEditor {
  input = element('input', { type: 'text', autocomplete: 'off', maxlength: 20, oninput: () => check(this.element, this.value) });
  element = element('div', { class: 'glyph-editor' }, this.input,
    element('div', { class: 'look-choices', role: 'radiogroup', 'aria-label': text('glyphs') },
      ...tiles(glyphs.map((glyph) => ({ value: glyph, label: glyph, face: face(glyph) })), (glyph) => this.#choose(glyph))));

  constructor(glyph) {
    this.value = glyph;
  }

  get value() {
    return this.input.value.trim() || null;
  }

  set value(glyph) {
    this.input.value = glyph ?? '';
    check(this.element, glyph);
  }

  #choose(glyph) {
    this.value = glyph;
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Edits a list's colour. */
export class ColourEditor {
  element = element('div', { class: 'look-choices', role: 'radiogroup' }, ...tiles([null, ...colours].map((colour) => (
    { value: colour, label: text(colour ?? 'noColour'), face: face('', colour ?? '') })), (colour) => this.#choose(colour)));
  input = this.element;
  #value;

  constructor(colour) {
    this.value = colour;
  }

  get value() {
    return this.#value;
  }

  set value(colour) {
    this.#value = colour;
    check(this.element, colour);
  }

  #choose(colour) {
    this.#value = colour;
    this.element.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
