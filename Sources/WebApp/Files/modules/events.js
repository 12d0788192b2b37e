import { askForToken, base, commonFields } from './api.js';
import { delay } from './dom.js';

/** The server sends something every 15 seconds. A stream that is silent for longer is dead. */
const longestSilence = 35_000;
const longestWait = 15_000;
/** Milliseconds until a hidden window stops its stream: a browser opens six connections to a server in all windows. */
const longestUnseen = 3000;

/**
 * Follows all changes of the inventory. It reads a `fetch` response, because `EventSource` cannot send a token. After a
 * lost connection, `Last-Event-ID` gets all missed changes as one event.
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

  /** Reconnects now instead of waiting. */
  hurry() {
    this.#wakeUp();
  }

  /** Reconnects, for example after another request failed. This shows whether the server can be reached. */
  renew() {
    this.#abort?.abort();
  }

  /** Stops the stream while the window is hidden. Later it gets all missed changes at once. */
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
        // Any error ends the stream, which is then started again.
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

  /** Reads one block of lines (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
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
