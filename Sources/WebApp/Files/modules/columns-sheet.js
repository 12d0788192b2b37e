import { element } from './dom.js';
import { Form } from './form.js';
import { plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

/** What a column can be, by the key of its text. */
const meanings = [
  ['', 'columnField'], ['name', 'name'], ['quantity', 'quantity'], ['valueInDollars', 'valueInDollars'],
  ['serialNumber', 'serialNumber'], ['tags', 'tags'], ['notes', 'notes'], ['location', 'columnLocation'], ['ignore', 'columnIgnore'],
];

/**
 * Asks what columns of a table are. Resolves to an object with the names of columns and what they are, without those that become
 * fields. Null if the question was left.
 *
 * @param names the names of the columns.
 * @param hasName whether another column has the names of the items. Otherwise the first column is offered as this one.
 */
export async function matchColumns(names, hasName) {
  let columns = null;
  const pointer = (place) => `/${place}`;
  const form = new Form([names.map((name, place) => ({
    pointer: pointer(place), label: name, kind: 'choice', value: place === 0 && !hasName ? 'name' : '',
    options: meanings.map(([meaning, key]) => [meaning, text(key)]),
  }))], () => sheet.act('match'));
  const sheet = new Sheet(
    plainBar(text('matchColumns'), { action: 'match', title: text('placeContinue'), image: 'check', enabled: true }),
    [element('p', { class: 'ask-detail' }, text('matchColumnsHint')), form.element], {
      match: () => {
        const chosen = names.map((name, place) => [name, form.field(pointer(place)).input.value]);
        columns = Object.fromEntries(chosen.filter(([, meaning]) => meaning));
        sheet.close();
      },
    });
  await sheet.whenClosed;
  return columns;
}
