import { mayEdit } from './caller.js';
import { adopt, formerStores } from './kept.js';
import { eraseStore } from './stores.js';

/**
 * The changes and notices that wait in this browser in the stores of other tokens for this inventory. Those tokens were
 * revoked or have expired. They may have been those of another person, so the present user chooses what becomes of the
 * changes. Dispatches `change` when their number may have changed.
 */
class Former extends EventTarget {
  /** How many changes wait. */
  waiting = 0;
  /** How many notices there are, of changes that were sent. */
  told = 0;
  #names = [];
  /** Tell that another window has taken over or erased a store. */
  #channels = [];

  /**
   * Finds the stores. Changes that were made while the server needed no token are sent without a question: the browser then
   * had one user for the server, who has signed in since.
   */
  async look() {
    const stores = await formerStores();
    const isOwn = ({ isOfNobody }) => isOfNobody && this.canSend;
    const others = stores.filter((store) => !isOwn(store));
    for (const channel of this.#channels) channel.close();
    this.#names = others.map(({ name }) => name);
    this.#channels = this.#names.map((name) => new BroadcastChannel(name));
    for (const channel of this.#channels) channel.onmessage = ({ data }) => data === null && this.look();
    this.waiting = others.reduce((sum, { waiting }) => sum + waiting, 0);
    this.told = others.reduce((sum, { told }) => sum + told, 0);
    this.dispatchEvent(new Event('change'));
    for (const { name } of stores.filter(isOwn)) await adopt(name);
  }

  /** How many there are of both. */
  get count() {
    return this.waiting + this.told;
  }

  /** The server refuses whole batches of a token that may only read, and the store would stop. */
  get canSend() {
    return mayEdit();
  }

  /** Sends the changes as those of who is signed in now, and shows the notices. */
  adopt = () => this.#each(adopt);

  /** Erases them. */
  discard = () => this.#each(eraseStore);

  async #each(work) {
    try {
      for (const name of this.#names) await work(name);
    } finally {
      await this.look();
    }
  }
}

export const former = new Former();
