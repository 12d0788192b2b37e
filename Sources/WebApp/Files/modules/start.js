import { screenAt } from './address.js';
import { address, api, Disconnected } from './api.js';
import { applyAppearance } from './appearance.js';
import { introduce } from './caller.js';
import { mirrors } from './mirrors.js';
import { place } from './place.js';
import { session } from './session.js';
import { takeTexts } from './texts.js';

/** The rows that are read with the page: more than a tall window shows. */
const firstRows = 30;
/** Milliseconds to wait for the server if there is another answer to show. A network may drop all requests without an error. */
const longestWait = 4000;

/** The server's answer, or the last one if the server cannot be reached. */
async function answer() {
  const shown = screenAt(location) ?? session.entry?.screen;
  const last = session.start;
  try {
    const found = await api.get(address('/v1/start', {
      listId: shown?.listId, navigatorId: session.navigator ?? undefined, limit: firstRows,
    }), { patience: last && longestWait });
    session.start = found;
    return found;
  } catch (error) {
    const isDown = error instanceof Disconnected || error.mayPass || error.name === 'TimeoutError';
    // Another token may have been asked for.
    if (!isDown || !session.start) throw error;
    return last;
  }
}

/** Reads all that the first screen needs in one request. Resolves to the revision that it shows. */
export async function readStart() {
  const found = await answer();
  takeTexts(found.texts);
  introduce(found.me);
  applyAppearance(found.appearance);
  place.offer(found.navigator);
  if (found.list) mirrors.offer(found.list);
  return found.revision;
}
