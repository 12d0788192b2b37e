import { Disconnected, pauseAfterTrouble, Problem } from './api.js';
import { Mirror } from './mirror.js';

const mostKept = 24;

/** The mirrors of the lists that were looked at lately. */
class Mirrors {
  #mirrors = new Map();
  /** The lists of which something was heard that could not be fetched then. */
  #missed = new Set();
  #timer = 0;

  /** A list's rows, read from the server where they are not known yet. */
  async of(id) {
    // It is there to hear of changes before it has been read, or those of just then would be missed.
    const mirror = this.#mirrors.get(id) ?? new Mirror(id);
    this.#mirrors.delete(id);
    this.#mirrors.set(id, mirror);
    if (this.#mirrors.size > mostKept) this.#mirrors.delete(this.#mirrors.keys().next().value);
    try {
      await mirror.whenRead();
    } catch (error) {
      this.#mirrors.delete(id);
      throw error;
    }
    return mirror;
  }

  /** Brings what is known of lists up to a receipt, or an event. */
  async receive({ deltas = [] }) {
    await this.#each(deltas, (delta) => this.#mirrors.get(delta.listId)?.receive(delta), (delta) => delta.listId);
  }

  /** After a time without events. */
  async catchUp() {
    await this.#each([...this.#mirrors.values()], (mirror) => mirror.catchUp(), (mirror) => mirror.id);
  }

  /** Fetches what could not be fetched when it was heard of. */
  async loadMissed() {
    const missed = [...this.#missed];
    this.#missed.clear();
    await this.#each(missed, (id) => this.#mirrors.get(id)?.load(), (id) => id);
  }

  /** Reads everything that is known anew. */
  async reload() {
    await this.#each([...this.#mirrors.values()], (mirror) => mirror.load(), (mirror) => mirror.id);
  }

  /** A stream that was lost tells when to; one that goes on does not. */
  #tryLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.loadMissed(), pauseAfterTrouble);
  }

  async #each(things, work, id) {
    await Promise.all(things.map(async (thing) => {
      try {
        await work(thing);
      } catch (error) {
        const isTrouble = error instanceof Problem && error.mayPass;
        // What is gone need not be known any more; what can't be reached is caught up with later.
        if (isTrouble || error instanceof Disconnected) this.#missed.add(id(thing));
        else if (error instanceof Problem) this.#mirrors.delete(id(thing));
        else throw error;
        if (isTrouble) this.#tryLater();
      }
    }));
  }
}

export const mirrors = new Mirrors();
