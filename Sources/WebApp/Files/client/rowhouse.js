/**
 * A client of Rowhouse for browsers and Node.js 20 or newer. It needs no other file.
 *
 * Calls resolve to the server's JSON, as described at `/docs` on every server. They take ids first, then the body, then
 * options: `signal`, `timeout`, `ifMatch`, `idempotencyKey`, and the call's query parameters.
 */

/** A reason why a call failed. A call that its `signal` aborts throws the signal's reason instead. */
export class RowhouseError extends Error {
  name = 'RowhouseError';

  /**
   * @param options `code`: the problem's code, `unreachable` (no answer arrived; a write may have been done anyway) or
   *   `unreadable` (the answer is not from Rowhouse). `status`: 0 without an answer. `problem`: the parsed problem
   *   (RFC 9457), or null. `retryAfter`: the seconds that the server asks to wait, or null.
   */
  constructor(message, { code, status = 0, problem = null, retryAfter = null, cause }) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.detail = problem?.detail ?? null;
    /** The errors of fields and parameters: `{pointer}` or `{parameter}`, with `detail`. */
    this.errors = problem?.errors ?? [];
  }

  /** Whether a later attempt may succeed. */
  get isTemporary() {
    return this.code === 'unreachable' || this.status === 429 || this.status >= 500;
  }

  /** Whether what the call names does not exist, or no longer does. */
  get isMissing() {
    return this.code === 'not_found' || this.code === 'in_trash';
  }
}

const answersThatPass = new Set([429, 502, 503, 504]);
export const usualRetries = { attempts: 4, firstDelay: 200, longestDelay: 10_000 };
/** Milliseconds for an export, an import, or a photo. */
const transferTimeout = 300_000;
/** The server sends something every 15 seconds. A stream that is silent for longer is dead. */
const longestSilence = 35_000;
const pageSize = 1000;
/** A timer for a longer time would fire at once. */
const longestTimer = 2 ** 31 - 1;

export class Rowhouse {
  #options;

  /**
   * @param url the server's URL, without `/v1`. Left out in a browser: the server that served this file.
   * @param options `token`; `inventory`: an id, for an administrator's token; `language`: for texts in answers, in the
   *   form of `Accept-Language`; `fetch`: a replacement for the global one; `timeout`: milliseconds for each attempt of
   *   a call (30,000); `retries`: `{attempts, firstDelay, longestDelay}` with delays in milliseconds.
   */
  constructor(url = new URL('..', import.meta.url).href, options = {}) {
    const { token = null, inventory = null, language = null, fetch, timeout = 30_000, retries } = options;
    const { protocol, href } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError('Pass the URL of a server, like http://127.0.0.1:8080.');
    this.url = href.replace(/[?#].*$/, '').replace(/\/+$/, '');
    this.#options = {
      token, inventory, language, timeout, retries: { ...usualRetries, ...retries },
      // Browsers refuse a call of `fetch` on another object than the window.
      fetch: fetch ?? ((...parameters) => globalThis.fetch(...parameters)),
    };
  }

  /** The same server with other options, such as `{language: 'ar'}`. */
  with(options) {
    return new Rowhouse(this.url, { ...this.#options, ...options });
  }

  // The server

  about(options) {
    return this.#get('/v1/about', options);
  }

  /** The properties of the token that the calls use. */
  me(options) {
    return this.#get('/v1/me', options);
  }

  tokens(options) {
    return this.#get('/v1/tokens', options);
  }

  /**
   * Creates a token. Sent once, because the server does not store the answer. If no answer arrives, look for the
   * token's name in `tokens()` and revoke it before you create another one.
   */
  createToken(draft, options) {
    return this.#write('POST', '/v1/tokens', draft, { ...options, idempotencyKey: null });
  }

  /** Renames a token. */
  renameToken(token, name, options) {
    return this.#write('PATCH', at`/v1/tokens/${token}`, { name }, { ...options, idempotencyKey: null });
  }

  /**
   * Makes a link and a QR code that sign one device in, once and within five minutes. `draft` is `{role, listId, name,
   * expiresAt}`. Sent once, because the server does not store the answer. The server must have a token already.
   */
  invite(draft, options) {
    return this.#write('POST', '/v1/invitations', draft, { ...options, origin: this.#origin, idempotencyKey: null });
  }

  /** The open invitations to tokens that the caller could revoke. */
  invitations(options) {
    return this.#get('/v1/invitations', options);
  }

  /** Withdraws an invitation. Sent once: a repeated call would find none. */
  withdrawInvitation(invitation, options) {
    return this.#write('DELETE', at`/v1/invitations/${invitation}`, undefined, { ...options, idempotencyKey: null });
  }

  /** What an invitation gives access to. Needs no token, and does not use the invitation up. */
  previewInvitation(code, options) {
    return this.#write('POST', '/v1/invitations/preview', { code }, { ...options, idempotencyKey: null });
  }

  /**
   * Accepts an invitation, and resolves to the token. Needs no token. Sent once, because a code works once. `deviceName`
   * may be left out if the invitation has a name.
   */
  acceptInvitation(code, deviceName, options) {
    return this.#write('POST', '/v1/invitations/accept', { code, deviceName }, { ...options, idempotencyKey: null });
  }

  /** Revokes a token. Sent once: a repeated call would find no token. */
  revokeToken(token, options) {
    return this.#write('DELETE', at`/v1/tokens/${token}`, undefined, { ...options, idempotencyKey: null });
  }

  inventories(options) {
    return this.#get('/v1/inventories', options);
  }

  inventory(inventory, options) {
    return this.#get(at`/v1/inventories/${inventory}`, options);
  }

  /** Creates an inventory. Sent once: if no answer arrives, look at `inventories()`. */
  createInventory(draft, options) {
    return this.#write('POST', '/v1/inventories', draft, { ...options, idempotencyKey: null });
  }

  editInventory(inventory, patch, options) {
    return this.#write('PATCH', at`/v1/inventories/${inventory}`, patch, options);
  }

  // Lists

  /** The lists of the root list, or of `parentId`. With `subtree: true` all lists below it. */
  lists(options) {
    return this.#get('/v1/lists', options);
  }

  list(list = 'root', options) {
    return this.#get(at`/v1/lists/${list}`, options);
  }

  createList(draft, options) {
    return this.#write('POST', '/v1/lists', draft, options);
  }

  editList(list, patch, options) {
    return this.#write('PATCH', at`/v1/lists/${list}`, patch, options);
  }

  /** The steps from the root list down to a list. */
  listPath(list, options) {
    return this.#get(at`/v1/lists/${list}/path`, options);
  }

  /** The list or the item at a path of titles, such as `/Garage/Shelf 2`. */
  resolve(path, options) {
    return this.#get('/v1/resolve', { ...options, path });
  }

  // Rows

  /**
   * One page of a list's rows. `limit`, `offset` or `after` choose it; `sort`, `type`, `q` and `sections` make it a
   * page of a view. With `revision`, a list that has changed since is refused with `list_moved_on`.
   */
  rows(list = 'root', options) {
    return this.#get(at`/v1/lists/${list}/rows`, options);
  }

  /**
   * All rows of a list or of a view, page by page, without the sentinel. Throws `list_moved_on` if the list changes
   * meanwhile.
   */
  async *eachRow(list = 'root', options = {}) {
    let offset = 0;
    let revision = null;
    for (;;) {
      const page = await this.rows(list, { limit: pageSize, ...options, sentinel: false, offset, revision });
      yield* page.rows;
      offset += page.rows.length;
      revision = page.revision;
      if (!page.rows.length || offset >= (page.matched ?? page.count)) return;
    }
  }

  /** A row's index, and the path down to it. */
  place(row, options) {
    return this.#get(at`/v1/rows/${row}`, options);
  }

  /**
   * Moves a row within its list. `to` counts after the row is taken out. With `id`, another row at `from` is refused
   * (`row_moved`).
   */
  moveRow(list, { from, to, id }, options) {
    return this.#write('POST', at`/v1/lists/${list}/move-row`, { from, to, id }, options);
  }

  /** The index at which a moved row would land. */
  moveTarget(list, { from, to }, options) {
    return this.#get(at`/v1/lists/${list}/move-target`, { ...options, from, to });
  }

  /** Moves a row to `position` in its list, or in the list `listId`. */
  move(row, { listId, position }, options) {
    return this.#write('POST', at`/v1/rows/${row}/move`, { listId, position }, options);
  }

  /** Moves the rows `ids` of any lists to one `position` in a list, in this order. */
  moveRows(list, { ids, position }, options) {
    return this.#write('POST', at`/v1/lists/${list}/move-rows`, { ids, position }, options);
  }

  /** Reorders a list: `{ids}` has each row's id once, or `{sort}` is `title`, `-valueInDollars` and so on. */
  reorder(list, order, options) {
    return this.#write('POST', at`/v1/lists/${list}/reorder`, order, options);
  }

  /** Makes several changes of a list's rows as one change: `{deletes, inserts, moves, updates}`. */
  batch(list, batch, options) {
    return this.#write('POST', at`/v1/lists/${list}/batch`, batch, options);
  }

  /** Deletes a row. A list with rows needs `recursive: true`, and so does an item whose contents have rows. */
  deleteRow(row, options) {
    return this.#write('DELETE', at`/v1/rows/${row}`, undefined, options);
  }

  /** Deletes the row at an index. With `id` in the options, another row there is refused (`row_moved`). */
  deleteRowAt(list, index, options) {
    return this.#write('DELETE', at`/v1/lists/${list}/rows/${index}`, undefined, options);
  }

  /** A list's delta since a revision of the inventory, in `deltas`. Throws `resync` if the revision is too old. */
  changes(list, since, options) {
    return this.#get(at`/v1/lists/${list}/changes`, { ...options, since });
  }

  // Offline

  /**
   * Does the commands of a client that was offline, each once, however often they are sent: `{clientId, commands}`. Send
   * commands without an outcome again.
   */
  sync(batch, options) {
    return this.#write('POST', '/v1/sync', batch, options);
  }

  // Items

  item(item, options) {
    return this.#get(at`/v1/items/${item}`, options);
  }

  /** The items with exactly this `serialNumber`, `tag` or `'field.NAME'`: pass one of them in the options. */
  findItems(options) {
    return this.#get('/v1/items', options);
  }

  createItem(list, draft, options) {
    return this.#write('POST', at`/v1/lists/${list}/items`, draft, options);
  }

  /** Changes the given members of an item (RFC 7396). Null clears one. */
  editItem(item, patch, options) {
    return this.#write('PATCH', at`/v1/items/${item}`, patch, options);
  }

  /** Replaces all details of an item. Pass it as it was read, with your changes. */
  replaceItem(item, options) {
    return this.#write('PUT', at`/v1/items/${item.id}`, item, options);
  }

  /** Creates the contents list of an item, or returns the existing one. */
  makeContents(item, options) {
    return this.#write('POST', at`/v1/items/${item}/contents`, undefined, options);
  }

  neighbours(item, options) {
    return this.#get(at`/v1/items/${item}/neighbours`, options);
  }

  // Photos

  photos(item, options) {
    return this.#get(at`/v1/items/${item}/photos`, options);
  }

  /** Adds a photo: a `Blob`, a `File`, or bytes. The server detects its type. */
  addPhoto(item, photo, options) {
    return this.#send('POST', at`/v1/items/${item}/photos`, photo, 'application/octet-stream',
      { id: newID(), timeout: transferTimeout, ...options });
  }

  /** Adds a rendition of a photo. `size` is 96, 208 or 1280; `makeRenditions` makes them. */
  addRendition(item, photo, size, rendition, options) {
    return this.#send('PUT', at`/v1/items/${item}/photos/${photo}/renditions/${size}`, rendition,
      'application/octet-stream', { timeout: transferTimeout, ...options });
  }

  /** A photo's file as a `Blob`. With `size`, its smallest rendition of at least this size, if there is one. */
  photo(item, photo, options) {
    return this.#get(at`/v1/items/${item}/photos/${photo}`, { timeout: transferTimeout, ...options }, 'blob');
  }

  /** A QR code with the address of an item in the web app, as an SVG document in a `Blob`. */
  itemLabel(item, options) {
    return this.#get(at`/v1/items/${item}/label`, { ...options, origin: this.#origin }, 'blob');
  }

  /** A QR code with the address of a list in the web app, as an SVG document in a `Blob`. */
  listLabel(list, options) {
    return this.#get(at`/v1/lists/${list}/label`, { ...options, origin: this.#origin }, 'blob');
  }

  get #origin() {
    return new URL(this.url).origin;
  }

  reorderPhotos(item, ids, options) {
    return this.#write('POST', at`/v1/items/${item}/photos/reorder`, { ids }, options);
  }

  deletePhoto(item, photo, options) {
    return this.#write('DELETE', at`/v1/items/${item}/photos/${photo}`, undefined, options);
  }

  // Search

  /** Searches all texts for words, of which the last may be incomplete. */
  search(q, options) {
    return this.#get('/v1/search', { ...options, q });
  }

  /** The tags in use, or those that begin with `prefix`. */
  tags(options) {
    return this.#get('/v1/tags', options);
  }

  // History

  /** One page of the log of changes, newest first. */
  log(options) {
    return this.#get('/v1/changes', options);
  }

  /** Undoes a change by its revision. */
  undo(revision, options) {
    return this.#write('POST', at`/v1/changes/${revision}/undo`, undefined, options);
  }

  /** The deleted rows that can be restored. */
  trash(options) {
    return this.#get('/v1/trash', options);
  }

  /** Restores a deleted row to its old place, or to `position` in `listId`. */
  restore(row, { listId, position } = {}, options = {}) {
    return this.#write('POST', at`/v1/trash/${row}/restore`, { listId, position }, options);
  }

  /** Deletes a row in the trash for good. */
  purge(row, options) {
    return this.#write('DELETE', at`/v1/trash/${row}`, undefined, options);
  }

  // Export and import

  /** Everything, or the list `listId` with everything below it, as a `ReadableStream` of JSON lines. */
  export(options) {
    return this.#get('/v1/export', { timeout: transferTimeout, ...options }, 'stream');
  }

  /**
   * Imports an export, all or nothing. `data` is a `Blob`, a string, bytes, or a `ReadableStream`, which is sent once.
   * Browsers send streams only over HTTP/2, so pass them a `File` or a `Blob`.
   */
  import(data, options) {
    return this.#send('POST', '/v1/import', data, 'application/x-ndjson', { timeout: transferTimeout, ...options });
  }

  /** A list's items as a `ReadableStream` of comma-separated values. With `subtree: true` those of all lists below, too. */
  exportTable(list, options) {
    return this.#get(at`/v1/lists/${list}/rows.csv`, { timeout: transferTimeout, ...options }, 'stream');
  }

  /**
   * Changes and creates items of a list from a table, all or nothing. `data` is as in `import`.
   *
   * @param options `columns`: what columns are, by their names in the first line of the table.
   */
  importTable(list, data, { columns, ...options } = {}) {
    return this.#send('POST', at`/v1/lists/${list}/rows.csv`, data, 'text/csv',
      { timeout: transferTimeout, columns: columns && JSON.stringify(columns), ...options });
  }

  // Events

  /**
   * The events of a list, or of the inventory, as they arrive: objects with a `type` of `position`, `change`, `resync`
   * or `gone`, and the members of the event's data. After a lost connection the stream resumes after the last event.
   * It ends after `gone`, throws if the server refuses it, and throws the signal's reason if `signal` aborts it.
   *
   * @param options `list`; `since`: the revision after which to start, now if left out; `signal`; `lost`: a function that
   *   is called each time that the connection is lost or fails.
   */
  async *events({ list, since, signal, lost } = {}) {
    const path = list === undefined ? '/v1/events' : at`/v1/lists/${list}/events`;
    const parser = new EventParser(since === undefined ? null : String(since));
    let failures = 0;
    let hasConnected = false;
    for (;;) {
      let asked = 0;
      try {
        for await (const event of this.#connection(path, parser, signal)) {
          hasConnected = true;
          failures = 0;
          if (!['position', 'change', 'resync', 'gone'].includes(event.name)) continue;
          yield { type: event.name, ...parsed(event.data, 0) };
          if (event.name === 'gone') return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof RowhouseError)) throw error;
        // The list was deleted while the stream was disconnected.
        if (hasConnected && error.isMissing) return void (yield { type: 'gone' });
        // An answer of 200 that is no stream is, for example, the login page of a network.
        const isPage = error.code === 'unreadable' && error.status >= 200 && error.status < 300;
        if (!error.isTemporary && !isPage) throw error;
        asked = error.retryAfter ?? 0;
      }
      lost?.();
      failures += 1;
      const usual = Math.max(200, backoff(failures, this.#options.retries));
      await delay(Math.max(usual, parser.retry ?? 0, 1000 * Math.min(asked, 300)), signal);
    }
  }

  /** The events of one connection, until it ends. */
  async *#connection(path, parser, signal) {
    const abort = linked(signal);
    const silent = () => abort.stop(new RowhouseError('The event stream is silent.', { code: 'unreachable' }));
    /** A reader that takes its time must not look like a silent server. */
    const arriving = async (promise) => {
      const timer = setTimeout(silent, longestSilence);
      try {
        return await promise;
      } catch (error) {
        throw noAnswer(error, abort.signal);
      } finally {
        clearTimeout(timer);
      }
    };
    parser.restart();
    try {
      const last = parser.lastID === null ? {} : { 'Last-Event-ID': parser.lastID };
      const response = await arriving(this.#options.fetch(this.url + path, {
        headers: { ...this.#fields(), ...last, Accept: 'text/event-stream' }, signal: abort.signal, cache: 'no-store',
      }));
      if (!response.ok || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        throw await arriving(refusal(response));
      }
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (;;) {
        const { value, done } = await arriving(reader.read());
        if (done) return;
        yield* parser.feed(decoder.decode(value, { stream: true }));
      }
    } finally {
      abort.stop();
    }
  }

  // Requests

  /**
   * Sends any call, for those that have no method here.
   *
   * A read is repeated after a lost connection, or if the server says that it is busy. So is a write that has an
   * idempotency key, because the server then does it once. A body that is a stream is sent once.
   *
   * @param path the path with its query, such as `/v1/appearance`.
   * @param options `json` or `body` with `contentType`; `headers`; `answer`: `json` (the default), `blob` or `stream`;
   *   `ifMatch`: a revision or an entity tag; `idempotencyKey`: your own key, or null for calls that take none;
   *   `timeout`; `signal`.
   */
  async request(method, path, options = {}) {
    const {
      json, body = json === undefined ? undefined : writeJSON(json), contentType = 'application/json',
      headers = {}, answer = 'json', ifMatch, idempotencyKey = newID(), timeout = this.#options.timeout, signal,
    } = options;
    const isRead = method === 'GET' || method === 'HEAD';
    const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream;
    const fields = { ...this.#fields(), ...headers };
    if (body !== undefined) fields['Content-Type'] = contentType;
    if (ifMatch !== undefined) fields['If-Match'] = /^\d+$/.test(ifMatch) ? `"${ifMatch}"` : ifMatch;
    if (!isRead && idempotencyKey !== null) fields['Idempotency-Key'] = idempotencyKey;
    const init = {
      method, headers: new Headers(fields), body, ...(isStream ? { duplex: 'half' } : {}),
      // Some browsers keep the token beside an answer in their cache.
      ...(this.#options.token ? { cache: 'no-store' } : {}),
    };
    const mayRepeat = isRead || (idempotencyKey !== null && !isStream);
    const { retries } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#attempt(path, init, answer, timeout, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof RowhouseError) || !mayRepeat || attempt >= retries.attempts) throw error;
        // The server sends `Retry-After` with every status for which a retry is likely to help.
        const canPass = error.code === 'unreachable' || error.retryAfter !== null || answersThatPass.has(error.status);
        const asked = 1000 * (error.retryAfter ?? 0);
        // An earlier attempt than the server asks for would only add to its load.
        if (!canPass || asked > retries.longestDelay) throw error;
        await delay(Math.max(backoff(attempt, retries), asked), signal);
      }
    }
  }

  async #attempt(path, init, answer, timeout, signal) {
    const abort = linked(signal);
    const late = new RowhouseError(`No answer arrived within ${timeout} milliseconds.`, { code: 'unreachable' });
    const timer = setTimeout(() => abort.stop(late), Math.min(timeout, longestTimer));
    let isStreaming = false;
    try {
      const response = await this.#options.fetch(this.url + path, { ...init, signal: abort.signal });
      if (!response.ok) throw await refusal(response);
      if (answer === 'blob') return await response.blob();
      isStreaming = answer === 'stream';
      if (isStreaming) return response.body;
      const text = await response.text();
      return text ? parsed(text, response.status) : undefined;
    } catch (error) {
      throw noAnswer(error, abort.signal);
    } finally {
      clearTimeout(timer);
      // A stream that is still being read can be aborted by the caller.
      if (!isStreaming) abort.unlink();
    }
  }

  #fields() {
    const { token, inventory, language } = this.#options;
    const fields = {};
    if (token) fields.Authorization = `Bearer ${token}`;
    if (inventory) fields['Rowhouse-Inventory'] = inventory;
    if (language) fields['Accept-Language'] = language;
    return fields;
  }

  #get(path, options = {}, answer = 'json') {
    const { signal, timeout, ...query } = options;
    return this.request('GET', withQuery(path, query), { signal, timeout, answer });
  }

  #write(method, path, json, { signal, timeout, ifMatch, idempotencyKey, ...query } = {}) {
    return this.request(method, withQuery(path, query), { json, signal, timeout, ifMatch, idempotencyKey });
  }

  #send(method, path, body, contentType, { signal, timeout, ifMatch, idempotencyKey, ...query }) {
    return this.request(
      method, withQuery(path, query), { body, contentType, signal, timeout, ifMatch, idempotencyKey });
  }
}

/** A path whose values stay one segment each. */
function at(texts, ...ids) {
  for (const id of ids) {
    const isSegment = ['string', 'number'].includes(typeof id) && /^[\w-]+$/.test(id);
    if (!isSegment) throw new TypeError(`Not an id or an index: ${id}`);
  }
  return String.raw({ raw: texts }, ...ids);
}

/** A path with a query, without undefined and null values. */
export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

/**
 * A number that JavaScript would round, such as 9007199254740993 in a custom field. It is a `Number` object with the
 * rounded value. The client sends its text.
 */
export class ExactNumber extends Number {
  /** @param text the number in JSON. */
  constructor(text) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new TypeError(`Not a number of JSON: ${text}`);
    super(text);
    this.text = text;
  }

  /** A page may have two copies of this module. */
  static [Symbol.hasInstance](value) {
    return value instanceof Number && typeof value.text === 'string';
  }

  toString() {
    return this.text;
  }
}

/** Begins the strings that stand for exact numbers while JSON is read or written. No other string begins so. */
const mark = newID();
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Matches JSON with a long number. Only such a number may be rounded. */
const longNumber = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE])/;

/** The digits of a number without zeros at both ends, and the exponent of the last digit. */
function decimal(text) {
  const [digits, exponent = 0] = text.toLowerCase().split('e');
  const [whole, fraction = ''] = digits.replace('-', '').split('.');
  const significant = (whole + fraction).replace(/^0+/, '');
  let end = significant.length;
  while (significant[end - 1] === '0') end -= 1;
  return end && `${significant.slice(0, end)}e${Number(exponent) - fraction.length + significant.length - end}`;
}

/** Parses JSON like `JSON.parse`. Numbers that JavaScript would round become `ExactNumber`. */
export function parseJSON(text) {
  if (!longNumber.test(text)) return JSON.parse(text);
  const isRounded = (number) => decimal(number) !== decimal(String(Number(number)));
  const marked = text.replace(stringOrNumber, (part) => (part[0] !== '"' && isRounded(part) ? `"${mark}${part}"` : part));
  return JSON.parse(marked, (_, value) => (
    typeof value === 'string' && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value));
}

/** Writes JSON like `JSON.stringify`, and an `ExactNumber` as its text. */
export function writeJSON(value) {
  const text = JSON.stringify(value, function (name, member) {
    return this[name] instanceof ExactNumber ? mark + this[name].text : member;
  });
  return text?.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

function parsed(text, status) {
  try {
    return parseJSON(text);
  } catch (cause) {
    throw new RowhouseError("The server's answer is not JSON.", { code: 'unreadable', status, cause });
  }
}

/** The error of an answer that is not successful. */
async function refusal(response) {
  const { status, headers } = response;
  const text = await response.text();
  const after = headers.get('Retry-After');
  const seconds = /^\d+$/.test(after ?? '') ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  const retryAfter = Number.isNaN(seconds) ? null : Math.max(0, seconds);
  if (headers.get('Content-Type')?.startsWith('application/problem+json')) {
    const problem = parsed(text, status);
    return new RowhouseError(problem.detail ?? problem.title, { code: problem.code, status, problem, retryAfter });
  }
  return new RowhouseError(
    `The answer with status ${status} is not from Rowhouse.`, { code: 'unreadable', status, retryAfter });
}

/** The error to throw for one of `fetch`, which tells a lost connection only by a `TypeError`. */
function noAnswer(error, signal) {
  if (error instanceof RowhouseError) return error;
  if (signal.aborted) return signal.reason;
  return new RowhouseError('The server was not reached.', { code: 'unreachable', cause: error });
}

/** A signal that aborts with another one, or by `stop`. */
function linked(signal) {
  const abort = new AbortController();
  const pass = () => abort.abort(signal.reason);
  if (signal?.aborted) pass();
  signal?.addEventListener('abort', pass, { once: true });
  const unlink = () => signal?.removeEventListener('abort', pass);
  return { signal: abort.signal, unlink, stop: (reason) => (unlink(), abort.abort(reason)) };
}

/** Milliseconds before the next attempt. Clients that lost their connections together must not return together. */
export const backoff = (failures, { firstDelay, longestDelay }) =>
  Math.min(firstDelay * 2 ** Math.min(failures - 1, 16), longestDelay) * (0.5 + Math.random() / 2);

/** Resolves after this time. Throws the reason of a signal that is aborted before. */
export function delay(milliseconds, signal) {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const stop = () => (clearTimeout(timer), fail(signal.reason));
    const timer = setTimeout(() => (signal?.removeEventListener('abort', stop), done()), milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A random UUID. `crypto.randomUUID` exists only on secure pages. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Parses an event stream as its text arrives
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
 */
export class EventParser {
  /** Milliseconds that the server wants before a new connection; null if it has not said. */
  retry = null;
  #rest = '';
  #endsInReturn = false;
  #pendingID;
  #name = '';
  #data = [];

  /** @param lastID the id to resume after: that of the last complete block. Null: none. */
  constructor(lastID = null) {
    this.lastID = lastID;
    this.#pendingID = lastID;
  }

  /** Prepares for a new connection. The server sends a block again that was cut off. */
  restart() {
    [this.#rest, this.#endsInReturn, this.#pendingID, this.#name, this.#data] = ['', false, this.lastID, '', []];
  }

  /** The events that this text completes: `{name, data, id}`. */
  feed(text) {
    // The carriage return before has already ended the line.
    const lines = (this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    if (text) this.#endsInReturn = text.endsWith('\r');
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop();
    const events = [];
    for (const line of lines) {
      if (line) this.#take(line);
      else this.#endBlock(events);
    }
    return events;
  }

  #take(line) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#pendingID = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
  }

  #endBlock(events) {
    this.lastID = this.#pendingID;
    if (this.#data.length) {
      events.push({ name: this.#name || 'message', data: this.#data.join('\n'), id: this.lastID });
    }
    [this.#name, this.#data] = ['', []];
  }
}

// Deltas

/** The number of ascending `values` below `limit`. */
function countBelow(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The free place with `rank` free places before it. `taken` has the other places, ascending. */
function free(taken, rank) {
  // The number of taken places before the result grows with it, so bisection finds it.
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (taken[middle] - middle <= rank) low = middle + 1;
    else high = middle;
  }
  return rank + low;
}

const ascending = (left, right) => left - right;
const indicesLeft = (delta) => [...delta.deletes, ...delta.moves.map((move) => move.from)];
const indicesTaken = (delta) => [...delta.inserts.map((insert) => insert.index), ...delta.moves.map((move) => move.to)];

/**
 * The rows after a delta. `rows` is a map from index to row, which may lack rows that were not read, and stays
 * unchanged. Rows keep their member `index` as it was.
 */
export function applyDelta(delta, rows) {
  const leaving = indicesLeft(delta).sort(ascending);
  const taken = indicesTaken(delta).sort(ascending);
  const deleted = new Set(delta.deletes);
  const destinations = new Map(delta.moves.map((move) => [move.from, move.to]));
  const after = new Map();
  for (const [index, row] of rows) {
    if (deleted.has(index)) continue;
    after.set(destinations.get(index) ?? free(taken, index - countBelow(leaving, index)), row);
  }
  for (const { index, row } of [...delta.inserts, ...delta.reloadsAfter]) after.set(index, row);
  return after;
}

/** Whether a delta can be applied to a list with `count` rows. */
export function deltaFits(delta, count) {
  const areBelow = (limit, indices) => indices.every((index) => index >= 0 && index < limit);
  const areOnce = (indices) => new Set(indices).size === indices.length;
  const before = [...indicesLeft(delta), ...delta.reloads];
  const after = indicesTaken(delta);
  return delta.countBefore === count && count - delta.deletes.length + delta.inserts.length === delta.countAfter
    && areOnce(before) && areBelow(count, before) && areOnce(after) && areBelow(delta.countAfter, after)
    && areBelow(delta.countAfter, delta.reloadsAfter.map((reload) => reload.index));
}

/**
 * Whether a delta shows everything that changed. Changes of the sentinel and of permissions affect rows that no delta
 * contains.
 */
const tellsAll = (delta) => !delta.list || ['sentinel', 'can', 'permissions'].every((name) => !(name in delta.list));

/**
 * A list's rows, kept equal to the server's. It has all of them.
 *
 *     const mirror = new ListMirror(rowhouse, 'root');
 *     mirror.subscribe((update) => show(update));
 *     await mirror.start();
 *
 * Subscribers get updates in the order of the list's changes. An update has the `rows` after it (with the sentinel, if
 * the list shows it), the `list`, its `revision`, and a `type`:
 *
 * - `all`: show all rows again.
 * - `batch`: apply this batch update of a table view: `deletes`, `inserts`, `moves`, `reloads`. `deletes`, `moves.from`
 *   and `reloads` are indices before it, `inserts` and `moves.to` indices after it. Then refresh the rows at the
 *   indices `reconfigures`, which moved and changed.
 * - `gone`: the list was deleted, or the token no longer sees it. This is the last update.
 * - `failed`: the server refused to go on, and `error` says why. This is the last update. `start` begins again.
 */
export class ListMirror {
  #rowhouse;
  #listeners = new Set();
  #abort = null;
  #turns = Promise.resolve();
  #rows = new Map();
  #sentinel = null;
  #shown = [];

  /** @param rowhouse a `Rowhouse`, or an `OfflineStore` of `offline.js`. */
  constructor(rowhouse, list = 'root') {
    this.#rowhouse = rowhouse;
    this.id = list;
    /** The list's own fields; null before the first update. Its total is that of the last complete read. */
    this.list = null;
  }

  /** All rows; empty before the first update. */
  get rows() {
    return this.#shown;
  }

  /** The list's revision; null before the first update. */
  get revision() {
    return this.list?.revision ?? null;
  }

  /** Calls a function with each update. Returns a function that ends this. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Reads the list, then follows it until `stop`. Throws if it cannot be read. A list that an `OfflineStore` has not kept
   * yet is read when there is a network.
   */
  async start() {
    if (this.#abort) return;
    const abort = new AbortController();
    this.#abort = abort;
    const isStore = this.#rowhouse.keep !== undefined;
    try {
      await (isStore ? this.#watch(abort.signal) : this.#inTurn(() => this.#load()));
    } catch (error) {
      if (this.#abort === abort) this.stop();
      throw error;
    }
    if (!isStore) this.#follow(abort.signal);
  }

  stop() {
    this.#abort?.abort(stopped());
    this.#abort = null;
  }

  /** Applies the receipt of a write of your own, without waiting for its event. Resolves when it is applied. */
  absorb(receipt) {
    if (this.#rowhouse.keep) return this.#rowhouse.reached(receipt.revision);
    return this.#reliably(() => this.#take(receipt.deltas));
  }

  /** Takes the updates of a store. */
  async #watch(signal) {
    const store = this.#rowhouse;
    const { id } = await store.keep(this.id);
    signal.throwIfAborted();
    const leave = store.subscribe(({ lists }) => {
      const update = lists.get(id);
      this.list = store.list(id) ?? this.list;
      if (!update) return;
      this.#shown = update.rows;
      if (update.type === 'gone') this.#end(update);
      else this.#notify(update);
    });
    signal.addEventListener('abort', leave, { once: true });
    [this.list, this.#shown] = [store.list(id), store.rows(id)];
    this.#notify({ type: 'all' });
  }

  async #follow(signal) {
    try {
      for await (const event of this.#rowhouse.events({ list: this.list.id, since: this.revision, signal })) {
        if (event.type === 'change') await this.#reliably(() => this.#take(event.deltas));
        else if (event.type === 'resync') await this.#reliably(() => this.#load());
        else if (event.type === 'gone') this.#end({ type: 'gone' });
      }
    } catch (error) {
      // The list may be gone before its stream has begun.
      if (!signal.aborted) this.#end(error.isMissing ? { type: 'gone' } : { type: 'failed', error });
    }
  }

  #end(update) {
    this.stop();
    this.#notify(update);
  }

  /** Runs work one after the other, because each depends on the rows that the last one left. */
  #inTurn(work) {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  /** Runs work in turn, and again until the server is reached. */
  #reliably(work) {
    return this.#inTurn(async () => {
      const signal = this.#abort?.signal;
      for (let failures = 1; signal && !signal.aborted; failures += 1) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof RowhouseError)) throw error;
          if (error.isMissing) return this.#end({ type: 'gone' });
          if (!error.isTemporary) return this.#end({ type: 'failed', error });
          const asked = 1000 * Math.min(error.retryAfter ?? 0, 300);
          await delay(Math.max(backoff(failures, usualRetries), asked), signal).catch(() => {});
        }
      }
    });
  }

  async #take(deltas) {
    for (const delta of deltas) {
      if (delta.listId !== this.list.id) continue;
      if (delta.resync) await this.#load();
      else if (delta.toRevision <= this.revision) continue;
      // A receipt arrived before the stream's event, or the event before the receipt.
      else if (delta.fromRevision !== this.revision) await this.#catchUp();
      else await this.#apply(delta);
    }
  }

  /** Aborted by `stop`. Throws if there was no start since. */
  get #signal() {
    if (!this.#abort) throw stopped();
    return this.#abort.signal;
  }

  async #catchUp() {
    const signal = this.#signal;
    let answer;
    try {
      answer = await this.#rowhouse.changes(this.list.id, this.revision, { signal });
    } catch (error) {
      if (error.code !== 'resync') throw error;
      return this.#load();
    }
    signal.throwIfAborted();
    for (const delta of answer.deltas) {
      if (delta.resync) await this.#load();
      else if (delta.toRevision > this.revision) await this.#apply(delta);
    }
  }

  async #apply(delta) {
    if (!tellsAll(delta) || !deltaFits(delta, this.list.rowCount)) return this.#load();
    this.#rows = applyDelta(delta, this.#rows);
    this.list = changedList(this.list, delta);
    const moved = new Set(delta.moves.map((move) => move.to));
    this.#show({
      type: 'batch', deletes: delta.deletes, inserts: delta.inserts.map((insert) => insert.index), moves: delta.moves,
      reloads: delta.reloads,
      reconfigures: delta.reloadsAfter.map((reload) => reload.index).filter((index) => moved.has(index)),
    });
  }

  /** Reads the whole list at one revision. */
  async #load() {
    const signal = this.#signal;
    const read = await readList(this.#rowhouse, this.list?.id ?? this.id, signal);
    signal.throwIfAborted();
    [this.list, this.#rows, this.#sentinel] = [read.list, read.rows, read.sentinel];
    this.#show({ type: 'all' });
  }

  #show(update) {
    const { rowCount } = this.list;
    this.#shown = [];
    for (let index = 0; index < rowCount; index += 1) {
      let row = this.#rows.get(index);
      if (row.index !== index) this.#rows.set(index, (row = { ...row, index }));
      this.#shown.push(row);
    }
    if (this.#sentinel) this.#shown.push((this.#sentinel = { ...this.#sentinel, index: rowCount }));
    this.#notify(update);
  }

  #notify(update) {
    const complete = { ...update, rows: this.#shown, list: this.list, revision: this.revision };
    for (const listener of [...this.#listeners]) {
      try {
        listener(complete);
      } catch (error) {
        // A subscriber's error must not leave the others behind. It is reported like that of an event listener.
        if (globalThis.reportError) reportError(error);
        else queueMicrotask(() => { throw error; });
      }
    }
  }
}

/** Reads a whole list at one revision: its own fields, its rows by index, and its sentinel (null if it is hidden). */
export async function readList(rowhouse, id, signal) {
  for (;;) {
    const read = await readPages(rowhouse, id, signal);
    if (read) return read;
  }
}

/** Null if the list has changed so that it must be read from the beginning. */
async function readPages(rowhouse, id, signal) {
  let list = await rowhouse.list(id, { signal });
  let rows = new Map();
  for (let offset = 0; ;) {
    let page;
    try {
      page = await rowhouse.rows(list.id, { offset, limit: pageSize, revision: list.revision, signal });
    } catch (error) {
      if (error.code !== 'list_moved_on') throw error;
      // The rows that were read stay valid, at other indices.
      const { delta } = error.problem;
      if (!delta || delta.resync || delta.fromRevision !== list.revision || !tellsAll(delta)
        || !deltaFits(delta, list.rowCount)) return null;
      rows = applyDelta(delta, rows);
      list = changedList(list, delta);
      for (offset = 0; rows.has(offset);) offset += 1;
      continue;
    }
    if (page.revision !== list.revision || page.count !== list.rowCount) return null;
    for (const row of page.rows) if (row.type !== 'sentinel') rows.set(row.index, row);
    const before = offset;
    while (rows.has(offset)) offset += 1;
    const last = page.rows.at(-1);
    const isEnd = before === page.count || last?.type === 'sentinel' || last?.index === page.count - 1;
    if (isEnd && offset === page.count) return { list, rows, sentinel: last?.type === 'sentinel' ? last : null };
    if (offset === before && !isEnd) return null;
  }
}

const stopped = () => new DOMException('The mirror was stopped.', 'AbortError');

/** A list's fields after a delta that shows everything. */
const changedList = (list, delta) =>
  ({ ...list, ...delta.list, revision: delta.toRevision, rowCount: delta.countAfter });
