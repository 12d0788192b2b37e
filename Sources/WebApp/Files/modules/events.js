import { askForToken, base, commonFields } from './api.js';
import { delay } from './dom.js';

/** The server sends something every 15 seconds; a stream that is silent for longer is dead. */
const longestSilence = 35_000;
const longestWait = 15_000;
/** So long a window is followed that nobody sees; browsers open six connections to a server, for all windows together. */
const longestUnseen = 3000;

/**
 * Follows all changes of the inventory. `EventSource` can't send a token, so the stream is read from a `fetch`; what
 * was missed while it was broken comes as one event, by `Last-Event-ID`.
 */
export class EventStream extends EventTarget {
  #lastID = null;
  #wait = 500;
  #abort = null;
  #wakeUp = () => {};
  #isStopped = false;
  #sleepTimer = 0;
  #isAsleep = false;

  start() {
    document.addEventListener('visibilitychange', () => this.#lookUp());
    this.#lookUp();
    addEventListener('online', () => this.#wakeUp());
    addEventListener('offline', () => this.#abort?.abort());
    this.#run();
  }

  stop() {
    this.#isStopped = true;
    this.#abort?.abort();
  }

  /** Tries again at once where it was waiting to. */
  hurry() {
    this.#wakeUp();
  }

  /** Begins anew, as after something else could not reach the server; whether it can be reached is told then. */
  renew() {
    this.#abort?.abort();
  }

  /** Rests while nobody looks, and then hears of all that was missed at once. */
  #lookUp() {
    clearTimeout(this.#sleepTimer);
    if (document.hidden) {
      this.#sleepTimer = setTimeout(() => {
        this.#isAsleep = true;
        this.renew();
      }, longestUnseen);
    } else if (this.#isAsleep) {
      this.#isAsleep = false;
      this.#wakeUp();
    }
  }

  async #run() {
    while (!this.#isStopped) {
      while (this.#isAsleep) await this.#woken();
      try {
        await this.#follow();
      } catch {
        // Whatever broke it, it is begun anew.
      }
      if (this.#isStopped) return;
      if (this.#isAsleep) continue;
      this.dispatchEvent(new Event('lost'));
      await Promise.race([delay(this.#wait), this.#woken()]);
      this.#wait = Math.min(this.#wait * 2, longestWait);
    }
  }

  #woken() {
    return new Promise((done) => (this.#wakeUp = done));
  }

  async #follow() {
    this.#abort = new AbortController();
    const abort = this.#abort;
    let silence = setTimeout(() => abort.abort(), longestSilence);
    const last = this.#lastID === null ? {} : { 'Last-Event-ID': this.#lastID };
    try {
      const response = await fetch(`${base}/v1/events`, {
        headers: { ...commonFields(), ...last, Accept: 'text/event-stream' },
        signal: abort.signal, cache: 'no-store',
      });
      if (response.status === 401) return await askForToken();
      if (!response.ok) throw new Error(response.statusText);
      const isFirst = this.#lastID === null;
      this.#wait = 500;
      this.dispatchEvent(new CustomEvent('joined', { detail: { isFirst } }));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), longestSilence);
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) this.#read(block);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  /** One block of lines, as https://html.spec.whatwg.org/multipage/server-sent-events.html has it. */
  #read(block) {
    let name = 'message';
    let data = '';
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') name = value;
      else if (field === 'data') data += value;
      else if (field === 'id') this.#lastID = value;
    }
    if (data || name !== 'message') {
      this.dispatchEvent(new CustomEvent(name, { detail: data ? JSON.parse(data) : null }));
    }
  }
}
