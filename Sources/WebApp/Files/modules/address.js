import { address, base } from './api.js';

/**
 * The addresses of screens: `/l/ID` is a list, `/i/ID` an item, `/i/ID/photos/2` its second photo, `/about` the
 * description of the server. The parameters of a list are its view and its search: `?sort=-value&q=tea`.
 *
 * A screen is `{listId, view, search}`, `{itemId}`, `{itemId, photo}` or `{about: true}`. A `view` is `{sort, type,
 * above}` with the API's names, and empty for the manual order. A `search` is `{words, isEverywhere}`. `photo` begins
 * at 0.
 */

/** The API's names of sorts by their names in addresses. */
const sorts = {
  title: 'title', serial: 'serialNumber', value: 'valueInDollars', total: 'totalValueInDollars', quantity: 'quantity',
  added: 'createdAt', changed: 'updatedAt',
};

/** A sort with its names replaced by those of the other side. Undefined for an unknown one. */
function renamed(sort, names) {
  const [, sign, name] = /^(-?)(.*)$/.exec(sort ?? '');
  return names[name] && sign + names[name];
}

const inAddresses = Object.fromEntries(Object.entries(sorts).map(([name, own]) => [own, name]));

/** The path of a screen, which names it whatever its view, its search and its photo are. */
export function pathOf({ listId, itemId, photo }) {
  if (listId) return `${base}/l/${listId}`;
  if (!itemId) return `${base}/about`;
  return `${base}/i/${itemId}${photo === undefined ? '' : '/photos'}`;
}

/** The address of a screen, without the origin. */
export function addressOf(screen) {
  const path = pathOf(screen);
  if (screen.photo !== undefined) return `${path}/${screen.photo + 1}`;
  const { view = {}, search = {} } = screen;
  return address(path, {
    sort: renamed(view.sort, inAddresses), type: view.type, above: view.above,
    q: search.words || undefined, in: search.words && search.isEverywhere ? 'all' : undefined,
  });
}

/** The screen at an address. Null for another one, such as the first page. Ignores unknown parameters. */
export function screenAt({ pathname, search }) {
  const [kind, id, photos, number] = pathname.slice(base.length).toLowerCase().split('/').filter((part) => part);
  if (kind === 'about') return { about: true };
  if (kind === 'i' && id) {
    return photos ? { itemId: id, photo: Math.max(0, (Number.parseInt(number, 10) || 1) - 1) } : { itemId: id };
  }
  if (kind !== 'l' || !id) return null;
  const given = new URLSearchParams(search);
  const above = Number(given.get('above'));
  const type = given.get('type');
  return {
    listId: id,
    view: {
      sort: renamed(given.get('sort'), sorts), type: ['list', 'item'].includes(type) ? type : undefined,
      above: given.has('above') && Number.isFinite(above) ? above : undefined,
    },
    search: { words: given.get('q') ?? '', isEverywhere: given.get('in') === 'all' },
  };
}

/** The screens above a list or an item, the nearest first, from the path that the API gives for it. */
export const screensAbove = (path) =>
  path.slice(0, -1).reverse().map(({ type, id }) => (type === 'list' ? { listId: id } : { itemId: id }));

/** Whether two screens show the same thing, whatever their view, their search and their photo are. */
export const isSameScreen = (one, other) => pathOf(one) === pathOf(other);
