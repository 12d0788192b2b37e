import { delay, newID } from './dom.js';
import { written } from './json-text.js';
import { session } from './session.js';
import { shownWaiting } from './waiting.js';

/** What the server says went wrong (RFC 9457), with its members. */
export class Problem extends Error {
  constructor(members) {
    super(members.detail ?? members.title);
    this.members = members;
    this.status = members.status;
    this.code = members.code;
  }

  /** Whether the server may do in a moment what it could not do just now. */
  get mayPass() {
    return this.status >= 500;
  }
}

/** So long a server that could not do something is left alone. */
export const pauseAfterTrouble = 3000;

/** The server could not be reached; whether a write was done is known when it has been repeated. */
export class Disconnected extends Error {
  constructor(message, isWrite) {
    super(message);
    this.isWrite = isWrite;
  }
}

/**
 * What others are told: `askForToken`, with whether the present one is of no use, resolves when there is a new one; the
 * rest is told of what was met.
 */
export const listeners = { askForToken: async () => {}, reached: () => {}, missed: () => {} };

/** What stands before every path of the server, which has served this file; nothing, or as `/rowhouse`. */
export const base = new URL('..', import.meta.url).pathname.slice(0, -1);

/** A path that the server has written, as `api` takes it. */
export const ownPath = (path) => (path.startsWith(`${base}/`) ? path.slice(base.length) : path);

const writeAttempts = 3;
let tokenQuestion = null;

/** The header fields that every request has. */
export function commonFields() {
  const fields = {};
  if (session.token) fields.Authorization = `Bearer ${session.token}`;
  if (session.inventory) fields['Rowhouse-Inventory'] = session.inventory;
  if (session.language) fields['Accept-Language'] = session.language;
  return fields;
}

/** One question, however many requests were refused. */
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
    throw new Disconnected(error.message, options.method !== 'GET');
  }
}

/**
 * Sends a request and resolves to the response, when it is a good one. Writes are sent again after a broken
 * connection, with the same key, so that they are done once.
 */
async function send(method, path, { body, fields = {}, signal, cache = 'no-cache', isQuiet } = {}) {
  const isWrite = method !== 'GET';
  const key = isWrite ? { 'Idempotency-Key': newID() } : {};
  for (let attempt = 1; ; attempt += 1) {
    let response;
    try {
      response = await fetched(path, {
        method, body, signal, cache, isQuiet, headers: { ...commonFields(), ...key, ...fields },
      });
    } catch (error) {
      if (!(error instanceof Disconnected) || !isWrite || attempt === writeAttempts) throw error;
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

/** The answer as JSON; undefined where it is empty. */
async function asked(method, path, value, options = {}) {
  const hasBody = value !== undefined;
  const response = await send(method, path, {
    ...options,
    body: hasBody ? written(value) : undefined,
    fields: { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...options.fields },
  });
  return response.status === 204 ? undefined : response.json();
}

export const api = {
  get: (path, options) => asked('GET', path, undefined, options),
  post: (path, value, options) => asked('POST', path, value, options),
  patch: (path, value, options) => asked('PATCH', path, value, options),
  put: (path, value, options) => asked('PUT', path, value, options),
  remove: (path, options) => asked('DELETE', path, undefined, options),

  /** A resource, its JSON as it came, and its validator, for a write that is to meet it as it is. */
  async tagged(path) {
    const response = await send('GET', path);
    const json = await response.text();
    return { value: JSON.parse(json), json, tag: response.headers.get('ETag') };
  },

  /** The bytes of a photo or a file; with `cache` as of `fetch`, and `isQuiet`, nobody is told to wait. */
  async blob(path, options) {
    return (await send('GET', path, options)).blob();
  },

  /** Sends a file as it is. */
  async upload(path, file, type = file.type || 'application/octet-stream') {
    const response = await send('POST', path, { body: file, fields: { 'Content-Type': type } });
    return response.json();
  },
};

/** A path with a query; what is undefined or null is left out. */
export function address(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
