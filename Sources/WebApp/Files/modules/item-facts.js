import { element } from './dom.js';
import { itemFields, totalOf } from './item-form.js';
import { shown } from './json-text.js';
import { dollars, moment, text } from './texts.js';

/**
 * The names and values of an item's fields. Values can be nodes, and null for nothing.
 *
 * @param own the custom fields' JSON by name.
 * @param tag makes the node of a tag.
 */
export function itemFacts(item, own, tag) {
  const areMany = item.quantity > 1 && item.valueInDollars !== null;
  // The title shows a thing's name. Notes are drawn apart.
  const facts = itemFields(item.kind, item).flat()
    .filter(({ pointer, kind }) => ['line', 'number', 'money'].includes(kind) && (item.car || pointer !== '/name'))
    .flatMap(({ pointer, label, value, shown: asText }) => {
      const fact = [label, value === null ? null : asText(value)];
      if (!areMany) return [fact];
      // Otherwise it is unclear whether the value is that of one.
      if (pointer === '/valueInDollars') return [[text('valueEach'), fact[1]]];
      return pointer === '/quantity' ? [fact, [text('totalValue'), dollars(totalOf(item.valueInDollars, item.quantity))]] : [fact];
    });
  for (const [name, value] of own) facts.push([name, shown(value)]);
  facts.push([text('tags'), item.tags.length ? item.tags.map(tag) : null]);
  // A row has no times.
  if (item.createdAt) facts.push([text('createdAt'), moment(item.createdAt)], [text('updatedAt'), moment(item.updatedAt)]);
  return facts;
}

/** A card of names and values, without those that have no value. */
export const factsCard = (facts) => element('dl', { class: 'card facts' }, ...facts
  .filter(([, value]) => value !== null && value !== undefined && value !== '')
  .map(([name, value]) => element('div', {},
    element('dt', {}, element('bdi', {}, name)),
    element('dd', {}, Array.isArray(value) ? element('span', { class: 'tags' }, ...value) : element('bdi', {}, String(value))))));

const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'’”)\]])/iu;

/** The parts of a text, in which web addresses are links. */
const withLinks = (written) => written.split(webAddress).map((part, index) => (
  index % 2 ? element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part) : part));

/** The notes of an item; null if it has none. */
export const itemNotes = ({ notes }) => (notes
  ? element('section', { class: 'card notes', 'aria-label': text('notes') },
    element('h2', {}, text('notes')), element('p', { dir: 'auto' }, ...withLinks(notes)))
  : null);
