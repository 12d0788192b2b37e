import { api } from './api.js';
import { element } from './dom.js';
import { factsCard, itemFacts, itemNotes } from './item-facts.js';
import { members } from './json-text.js';
import { openFilled, plainBar } from './sheet.js';
import { dollars, moment, number, text } from './texts.js';
import { thumbnail } from './thumbnails.js';

const tag = (name) => element('bdi', { class: 'tag is-plain' }, name);

async function listParts(id) {
  const { subtree, createdAt, updatedAt } = await api.get(`/v1/lists/${id}?subtree=true`);
  const { itemCount, totalValueInDollars } = subtree;
  return [factsCard([
    [text('items'), number(itemCount)], [text('totalValue'), totalValueInDollars ? dollars(totalValueInDollars) : null],
    [text('createdAt'), moment(createdAt)], [text('updatedAt'), moment(updatedAt)]])];
}

async function itemParts(id) {
  const { value: item, json } = await api.tagged(`/v1/items/${id}`);
  const photos = item.photos.slice(0, 4).map((photo) => element('span', { class: 'photo' }, thumbnail(id, photo)));
  return [
    photos.length ? element('div', { class: 'photo-strip' }, ...photos) : null,
    factsCard(itemFacts(item, members(members(json).get('fields')), tag)), itemNotes(item),
  ].filter((part) => part);
}

/** Shows what a row is, without going to its screen. Space closes it again. */
export const quickLook = (row) =>
  openFilled(plainBar(row.title), () => (row.list ? listParts(row.id) : itemParts(row.id)), show, 'is-look');

function show(sheet, parts) {
  sheet.body.append(...parts);
  // Arrow keys scroll what has the focus.
  sheet.body.tabIndex = 0;
  sheet.element.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    sheet.close();
  });
}
