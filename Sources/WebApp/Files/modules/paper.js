import { ancestors } from './ancestors.js';
import { address, api } from './api.js';
import { delay, element } from './dom.js';
import { filled, isWorking, kept } from './kept.js';
import { dollars, moment, number, text } from './texts.js';
import { thumbnailSource } from './thumbnails.js';
import { shownWaiting } from './waiting.js';
import { way } from './way.js';

/** The most rows that are printed. */
const mostRows = 2000;
const mostPhotos = 300;
const photosAtOnce = 4;
/** Milliseconds to wait for photos. Those that take longer are not printed. */
const longestWait = 15_000;
/** The most rows of a page of the API. */
const pageSize = 1000;
/** The ancestors that a heading names. */
const mostAncestors = 3;

/** What the next print shows, if it was made for that. */
let prepared = null;
/** The addresses of the photos on the paper. */
let sources = [];

/** A list and the lists below it, as the store has them: `{title, above, rows}`. Empty if it does not have the list. */
function keptSections(listId) {
  const sections = [];
  const open = isWorking() ? [{ listId, above: [] }] : [];
  let count = 0;
  while (open.length && count <= mostRows) {
    const { listId: id, above } = open.pop();
    const rows = kept.rows(id)?.filter((row) => row.id);
    if (!rows) continue;
    const { title } = kept.list(id);
    sections.push({ title, above, rows });
    count += rows.length + 1;
    const below = rows.map((row) => (row.list ? row.id : row.item.contentsListId)).filter((each) => each);
    open.push(...below.reverse().map((each) => ({ listId: each, above: [...above, title].slice(-mostAncestors) })));
  }
  return sections;
}

/** The first rows of a list that the store does not have. */
async function readSections(listId) {
  const { title } = await api.get(`/v1/lists/${listId}`);
  const rows = [];
  let page;
  // A page ends at a number of bytes too.
  do {
    page = await api.get(address(`/v1/lists/${listId}/rows`, { limit: pageSize, offset: rows.length, sentinel: false }));
    rows.push(...page.rows);
  } while (page.rows.length && rows.length < page.count && rows.length <= mostRows);
  return [{ title, above: [], rows }];
}

const inCents = (value) => Math.round(value * 100);

/** A line of the table, with a place for the photo. */
function line({ id, title, item }, photos) {
  const { serialNumber, quantity, valueInDollars, photo } = item;
  const frame = element('td', { class: 'paper-photo' });
  if (photo && photos.length < mostPhotos) photos.push({ frame, id, photo });
  return element('tr', {},
    frame, element('td', {}, element('bdi', {}, title)), element('td', {}, element('bdi', {}, serialNumber ?? '')),
    element('td', {}, number(quantity)),
    ...(valueInDollars === null ? [element('td'), element('td')]
      : [element('td', {}, dollars(valueInDollars)), element('td', {}, dollars(inCents(valueInDollars) * quantity / 100))]));
}

/** Makes the page of sections. Adds to `photos` which ones go where: `{frame, id, photo}`. */
function paperOf(sections, photos) {
  let left = mostRows;
  let cents = 0;
  let count = 0;
  let isCut = false;
  const parts = sections.map(({ title, above, rows }) => {
    const all = rows.filter(({ item }) => item);
    const items = all.slice(0, left);
    left -= items.length;
    isCut ||= items.length < all.length;
    count += items.length;
    for (const { item } of items) cents += inCents(item.valueInDollars ?? 0) * item.quantity;
    const heading = above.length ? element('h2', {}, element('bdi', {}, title), ' ', element('small', {}, ancestors(above))) : null;
    return element('section', {}, heading, items.length ? element('table', {},
      element('thead', {}, element('tr', {}, element('td'),
        ...['name', 'serialNumber', 'quantity', 'valueEach', 'totalValue'].map((key) => element('th', { scope: 'col' }, text(key))))),
      element('tbody', {}, ...items.map((row) => line(row, photos)))) : null);
  });
  return element('article', { class: 'paper' },
    element('h1', {}, element('bdi', {}, sections[0].title)),
    element('p', {}, text('printedOn', { time: moment(Date.now()) })), ...parts,
    isCut ? element('p', {}, text('labelsMost', { count: number(mostRows) })) : null,
    element('dl', {},
      ...[['items', number(count)], ['totalValue', dollars(cents / 100)]].map(([key, value]) =>
        element('div', {}, element('dt', {}, text(key)), element('dd', {}, value)))));
}

/** Puts a page in the place of the last one. Null for none. */
function place(paper) {
  document.querySelector('body > .paper')?.remove();
  for (const source of sources) URL.revokeObjectURL(source);
  sources = [];
  if (paper) document.body.append(paper);
}

async function showPhoto({ frame, id, photo }) {
  const source = await thumbnailSource(id, photo);
  if (!source) return;
  sources.push(source);
  const image = element('img', { src: source, alt: '' });
  await image.decode();
  frame.append(image);
}

/** Shows the photos that can be read in time. */
async function showPhotos(photos) {
  const rest = [...photos];
  const work = async () => {
    for (let next; (next = rest.shift());) await showPhoto(next).catch(() => {});
  };
  await Promise.race([Promise.all(Array.from({ length: photosAtOnce }, work)), delay(longestWait)]);
  rest.length = 0;
}

/** Prints a list and the lists below it that the store has: photos, names, serial numbers, quantities and values. */
export async function printList(listId) {
  await shownWaiting(Promise.race([filled(), delay(longestWait)]));
  const found = keptSections(listId);
  const photos = [];
  const paper = paperOf(found.length ? found : await readSections(listId), photos);
  place(paper);
  await shownWaiting(showPhotos(photos));
  prepared = paper;
  print();
}

/** The browser's own command prints a list too, without photos, which cannot be waited for then. */
addEventListener('beforeprint', () => {
  const isPrepared = prepared?.isConnected;
  prepared = null;
  if (isPrepared) return;
  const { listId } = way.now?.screen ?? {};
  const found = listId ? keptSections(listId) : [];
  place(found.length ? paperOf(found, []) : null);
});
