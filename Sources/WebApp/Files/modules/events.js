import { EventParser } from '../client/rowhouse.js';
import { askForToken, base, commonFields } from './api.js';
import { delay } from './dom.js';

/** The server sends something every 15 seconds. A stream that is silent for longer is dead. */
const longestSilence = 35_000;
const longestWait = 15_000;
/** Milliseconds until a hidden window stops its stream: a browser opens at most six connections to a server, for all windows together. */
const longestUnseen = 3000;

/**
 * Follows all changes of the inventory. It reads a `fetch` response, because `EventSource` cannot send a token. After a
 * lost connection, `Last-Event-ID` gets all missed changes as one event.
 */
export class EventStream extends EventTarget {
  #parser;
  #wait = 500;
  #abort = null;
  #wakeUp = () => {};
  #isStopped = false;
  #sleepTimer = 0;
  #isAsleep = false;

  /** @param revision what the page shows already. Later changes are sent as soon as the stream is open. */
  start(revision) {
    this.#parser = new EventParser(String(revision));
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
    const { lastID } = this.#parser;
    this.#parser.restart();
    try {
      const response = await fetch(`${base}/v1/events`, {
        headers: { ...commonFields(), 'Last-Event-ID': lastID, Accept: 'text/event-stream' },
        signal: abort.signal, cache: 'no-store',
      });
      if (response.status === 401) return await askForToken();
      if (!response.ok) throw new Error(response.statusText);
      this.#wait = 500;
      this.dispatchEvent(new Event('joined'));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), longestSilence);
        for (const { name, data } of this.#parser.feed(value)) {
          this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(data) }));
        }
      }
    } finally {
      clearTimeout(silence);
    }
  }
}
