import { parseJSON, withQuery } from '../client/rowhouse.js';
import { base } from './base.js';
import { delay, newID } from './dom.js';
import { written } from './json-text.js';
import { session } from './session.js';
import { shownWaiting } from './waiting.js';

export { base } from './base.js';

/** A path with a query. */
export const address = withQuery;

/** A problem of the server (RFC 9457), with its members. */
export class Problem extends Error {
  constructor(members) {
    super(members.detail ?? members.title);
    this.members = members;
    this.status = members.status;
    this.code = members.code;
  }

  /** Whether a retry may succeed, because the server itself failed. */
  get mayPass() {
    return this.status >= 500;
  }
}

/** Milliseconds to wait before a retry after the server failed. */
export const pauseAfterTrouble = 3000;

/** The server was not reached. */
export class Disconnected extends Error {
  /**
   * For a write whose answer may have been lost: finds out whether the write was done. Resolves to `{answer}`, which
   * has the result of `tagged`, or to null if the write was not done. Null for other requests.
   */
  findOut = null;
}

/**
 * Hooks for other modules. `askForToken` gets whether the current token is wrong, and resolves when there is a new one.
 * `reached` and `missed` are called after each attempt to reach the server.
 */
export const listeners = { askForToken: async () => {}, reached: () => {}, missed: () => {} };

/** A path from a response, without the prefix, for `api`. */
export const ownPath = (path) => (path.startsWith(`${base}/`) ? path.slice(base.length) : path);

/** Whether other devices cannot open the address of this page. */
export const isLocal = () => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

const writeAttempts = 3;
let tokenQuestion = null;

/** The header fields of every request. */
export function commonFields() {
  const fields = {};
  if (session.token) fields.Authorization = `Bearer ${session.token}`;
  if (session.inventory) fields['Rowhouse-Inventory'] = session.inventory;
  if (session.language) fields['Accept-Language'] = session.language;
  return fields;
}

/** Asks for a token once, however many requests were refused. */
export function askForToken() {
  tokenQuestion ??= listeners.askForToken(session.token !== null).finally(() => (tokenQuestion = null));
  return tokenQuestion;
}

async function fetched(path, { isQuiet, ...options }) {
  try {
    const asked = fetch(base + path, options);
    const response = await (isQuiet ? asked : shownWaiting(asked));
    listeners.reached();
    return response;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    listeners.missed();
    throw new Disconnected(error.message);
  }
}

/**
 * Sends a request and resolves to a successful response. Writes are repeated after a broken connection with the same
 * idempotency key, so that they are done once. Nothing is left in the browser's cache: it would stay after a sign-out, and
 * some browsers store the token beside it. `isOnce` is for calls that ignore the key, and that would be done again.
 *
 * @param options `patience`: the milliseconds that each attempt may take. `isMinor`: if the answer to this write is lost, there is nothing to find out. `isQuiet` shows no sign
 *   of waiting. `keepalive` lets the browser finish the request after the page is closed.
 */
async function send(method, path, options = {}) {
  const { body, fields = {}, signal, keepalive, isQuiet, isMinor, isOnce, patience, idempotencyKey = newID() } = options;
  const isWrite = method !== 'GET';
  const key = isWrite ? { 'Idempotency-Key': idempotencyKey } : {};
  for (let attempt = 1; ; attempt += 1) {
    let response;
    try {
      response = await fetched(path, {
        method, body, signal: patience ? AbortSignal.timeout(patience) : signal, cache: 'no-store', keepalive, isQuiet, headers: { ...commonFields(), ...key, ...fields },
      });
    } catch (error) {
      if (!(error instanceof Disconnected) || !isWrite) throw error;
      if (isOnce || attempt === writeAttempts) {
        if (!isMinor) error.findOut = () => findOut(method, path, { ...options, idempotencyKey });
        throw error;
      }
      await delay(300 * attempt);
      continue;
    }
    if (response.ok) return response;
    if (response.status === 401) {
      await askForToken();
      continue;
    }
    const wait = Number(response.headers.get('Retry-After'));
    if (response.status === 503 && wait && attempt < writeAttempts) {
      await delay(1000 * wait);
      continue;
    }
    const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json');
    throw new Problem(isProblem ? await response.json() : { status: response.status, title: response.statusText || String(response.status) });
  }
}

/**
 * Repeats a write with its idempotency key, under a condition that never holds. If the server has done the write, it
 * repeats its first answer. Otherwise it refuses the write. With `canRepeat` there is no condition, so a write that was
 * not done is done now. Calls that refuse `If-Match` need `canRepeat`.
 */
async function findOut(method, path, options) {
  const fields = options.canRepeat ? options.fields : { ...options.fields, 'If-Match': '"none"' };
  try {
    return { answer: await tagged(await send(method, path, { ...options, fields, isMinor: true })) };
  } catch (error) {
    if (!(error instanceof Problem) || error.mayPass) throw error;
    return null;
  }
}

/** A response's JSON as `value` (undefined if it is empty), its text as `json`, and its entity tag as `tag`. */
async function tagged(response) {
  const json = await response.text();
  return { value: json ? parseJSON(json) : undefined, json, tag: response.headers.get('ETag') };
}

async function asked(method, path, value, options = {}) {
  const hasBody = value !== undefined;
  return tagged(await send(method, path, {
    ...options,
    body: hasBody ? written(value) : undefined,
    fields: { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...options.fields },
  }));
}

/** The calls resolve to the response as JSON; undefined if it is empty. */
export const api = {
  get: async (path, options) => (await asked('GET', path, undefined, options)).value,
  post: async (path, value, options) => (await asked('POST', path, value, options)).value,
  patch: async (path, value, options) => (await asked('PATCH', path, value, options)).value,
  put: async (path, value, options) => (await asked('PUT', path, value, options)).value,
  remove: async (path, options) => (await asked('DELETE', path, undefined, options)).value,

  /** A response with its JSON text and its entity tag: `{value, json, tag}`. */
  tagged: (path, method = 'GET', value = undefined, options = {}) => asked(method, path, value, options),

  /** The bytes of a photo or a file. `isQuiet` shows no sign of waiting. */
  async blob(path, options) {
    return (await api.file(path, options)).blob;
  },

  /** The same with the entity tag: `{blob, tag}`. */
  async file(path, options) {
    const response = await send('GET', path, options);
    return { blob: await response.blob(), tag: response.headers.get('ETag') };
  },

  /** Sends a file unchanged. */
  async upload(path, file, { method = 'POST', type = file.type || 'application/octet-stream', ...options } = {}) {
    return (await tagged(await send(method, path, { ...options, body: file, fields: { 'Content-Type': type } }))).value;
  },
};
