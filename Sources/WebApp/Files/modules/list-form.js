import { Form } from './form.js';
import { isOneGlyph } from './look-editor.js';
import { text } from './texts.js';

/** The fields of a list's glyph and colour. */
export const lookFields = ({ glyph, colour } = {}) => [
  { pointer: '/glyph', label: text('glyph'), kind: 'glyph', value: glyph ?? null, hint: text('glyphHint') },
  { pointer: '/colour', label: text('colour'), kind: 'swatch', value: colour ?? null, hint: text('colourHint') },
];

/** Whether a form's glyph can be sent. Otherwise says what is wrong. */
export function checkLooks(form) {
  const glyph = form.field('/glyph');
  const isRight = glyph.value === null || isOneGlyph(glyph.value);
  glyph.complain(isRight ? null : text('glyphOne'));
  if (!isRight) glyph.input.focus();
  return isRight;
}

/** The form of a list's fields. */
export class ListForm {
  constructor(list, submit) {
    const flag = (pointer, label, value) => ({ pointer, label: text(label), kind: 'flag', value, hint: text(`${label}Hint`) });
    this.form = new Form([
      [{ pointer: '/title', label: text('title'), value: list.title },
        {
          pointer: '/itemKind', label: text('itemKind'), kind: 'choice', value: list.itemKind,
          hint: text('itemKindHint'), options: [['any', text('anyKind')], ['thing', text('thingsOnly')], ['car', text('carsOnly')]],
        }],
      lookFields(list),
      [flag('/sentinel/visible', 'sentinelVisible', list.sentinel.visible),
        { pointer: '/sentinel/text', label: text('sentinelText'), value: list.sentinel.text, hint: text('sentinelTextHint') },
        { pointer: '/deleteLabel', label: text('deleteLabel'), value: list.deleteLabel, hint: text('deleteLabelHint') }],
      [text('permissions'), flag('/permissions/add', 'mayAdd', list.permissions.add),
        flag('/permissions/edit', 'mayEdit', list.permissions.edit),
        flag('/permissions/move', 'mayMove', list.permissions.move),
        flag('/permissions/delete', 'mayDelete', list.permissions.delete)],
    ], submit);
    this.element = this.form.element;
  }

  /** A merge patch (RFC 7396) of the changed members. Null if nothing changed. */
  get patch() {
    const patch = this.form.members({ changedOnly: true });
    return Object.keys(patch).length ? patch : null;
  }

  check() {
    return checkLooks(this.form);
  }

  get canPatch() {
    return true;
  }

  get isChanged() {
    return this.form.isChanged;
  }

  /** The values by pointer. */
  get values() {
    return this.form.values;
  }

  /** What was typed, by pointer. */
  get typed() {
    return this.form.typed;
  }

  type(values) {
    this.form.type(values);
  }

  /** Copies what another form has typed since it had the `sent` values. */
  copy(old, sent) {
    this.form.copy(old.form, sent);
  }

  /** Copies what was changed in another form. Returns the conflicts with values changed elsewhere. */
  carryOver(old) {
    return this.form.carryOver(old.form);
  }

  hasSameOriginals(other) {
    return this.form.hasSameOriginals(other.form);
  }
}
