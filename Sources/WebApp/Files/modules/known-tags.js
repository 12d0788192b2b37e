import { address, api, Disconnected, Problem } from './api.js';
import { isOffline } from './kept.js';

/** The most tags that are read: the most of a page of the API. */
const mostTags = 1000;
const mostSuggested = 5;

/** The tags that the page knows to be in use. */
let known = [];
let reading = null;

const folded = (tag) => tag.normalize().toLocaleLowerCase();

/** Reads the tags in use. Without a connection, those that are known already do. */
export function readTags() {
  if (isOffline()) return Promise.resolve();
  reading ??= api.get(address('/v1/tags', { limit: mostTags }), { isQuiet: true })
    .then(({ tags }) => (known = tags.map(({ tag }) => tag)), (error) => {
      if (!(error instanceof Problem || error instanceof Disconnected)) throw error;
    })
    .finally(() => (reading = null));
  return reading;
}

/** Remembers tags that were given to an item. */
export const noteTags = (tags = []) => (known = [...new Set([...known, ...tags])]);

/** The tag in use that differs from a typed one at most by case. Else the typed one. */
export function tagInUse(typed, others = known) {
  return others.includes(typed) ? typed : others.find((tag) => folded(tag) === folded(typed)) ?? typed;
}

/** The first tags in use that begin with what is typed, the most used ones first, without those that are chosen. */
export const suggestedTags = (typed, chosen) =>
  known.filter((tag) => folded(tag).startsWith(folded(typed)) && !chosen.includes(tag)).slice(0, mostSuggested);
