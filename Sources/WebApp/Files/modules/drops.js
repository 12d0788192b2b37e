import { api } from './api.js';
import { give } from './kept.js';
import { attempt, take, takeEntry, tell } from './notices.js';

/** How often a drop is sent while others change the list. */
const attempts = 4;

/** Moves rows of a list to other places in it, one after the other. */
export class Drops {
  #mirror;
  /** Resolves when the drops so far have been sent. */
  #turns = Promise.resolve();

  constructor(mirror) {
    this.#mirror = mirror;
  }

  /** Moves a row at once, and then to the place that the server returns. Resolves to that place. */
  async drop(id, to) {
    const mirror = this.#mirror;
    if (mirror.isKept) {
      return attempt(async () => {
        takeEntry(await give((store) => store.move(id, mirror.id, to)));
        return mirror.indexOf(id);
      });
    }
    const shown = mirror.indexOf(id);
    const above = to > 0 ? mirror.row(Math.min(to > shown ? to : to - 1, mirror.count - 1))?.id : undefined;
    const move = () => this.#inTurn(() => this.#send({ id, shown, to, above }));
    try {
      await mirror.optimistically({ id, to }, move);
    } catch (error) {
      tell(error);
      await attempt(() => mirror.catchUp());
      return undefined;
    }
    return mirror.indexOf(id);
  }

  #inTurn(work) {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  /** @param drop `{id, shown, to, above}`: `above` is the row that is above the place of the drop. */
  async #send({ id, shown, to, above }) {
    const mirror = this.#mirror;
    let found;
    /** The move by the rows on the server. */
    const move = () => {
      const from = found ?? mirror.confirmedIndexOf(id) ?? shown;
      const place = above && mirror.confirmedIndexOf(above);
      return { id, from, to: place === undefined ? to : place + (place < from ? 1 : 0) };
    };
    for (let turn = 1; ; turn += 1) {
      // In a list that changes all the time, the indices are good enough.
      const fields = turn < attempts - 1 ? { 'If-Match': `"${mirror.revision}"` } : {};
      try {
        return await take(await api.post(`/v1/lists/${mirror.id}/move-row`, move(), { fields }));
      } catch (error) {
        if (turn === attempts) throw error;
        // Others have changed the list, and the page has not heard of it.
        if (error.status === 412) await mirror.receive(error.members.delta);
        // Someone else has moved the row meanwhile: moves it from its new index.
        else if (error.code === 'row_moved' && error.members.index !== null) found = error.members.index;
        else throw error;
      }
    }
  }
}
