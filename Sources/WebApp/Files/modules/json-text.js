/**
 * JSON values as texts. Numbers keep all digits, and members their order. There are no spaces between tokens, and
 * strings are written as by `JSON.stringify`, so that equal texts are equal values.
 */
import { ExactNumber } from '../client/rowhouse.js';

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** A JSON text to be sent unchanged as a value in a request's body. */
export class JSONText {
  constructor(text) {
    this.text = text;
  }
}

/** The text of a value, which may contain `JSONText` and `ExactNumber` values. */
export function written(value) {
  if (value instanceof JSONText || value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(written)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectText(Object.entries(value).filter(([, member]) => member !== undefined).map(([name, member]) => [name, written(member)]));
}

/** The text of an object from its names and the texts of its values. */
export const objectText = (entries) =>
  `{${[...entries].map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;

/** The text normalized as described above. Throws a `SyntaxError` if it is not JSON. */
export function normalized(json) {
  JSON.parse(json);
  return json.match(tokens).map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token)).join('');
}

/** The texts of an object's members by name, in order. */
export function members(object) {
  const found = new Map();
  let [depth, name, value] = [0, null, ''];
  const end = () => {
    if (name !== null) found.set(name, value);
    [name, value] = [null, ''];
  };
  for (const token of object.match(tokens)) {
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) end();
    else if (depth === 1 && name === null) name = JSON.parse(token);
    else if (depth > 1 || token !== ':') value += token;
    if (token === '{' || token === '[') depth += 1;
  }
  return found;
}

/** `object`, `array`, `string`, `number`, `boolean` or `null`. */
export const kind = (json) =>
  ({ '{': 'object', '[': 'array', '"': 'string', t: 'boolean', f: 'boolean', n: 'null' })[json[0]] ?? 'number';

/** A text for people: a string's content, or the JSON. Empty for undefined. */
export const shown = (json) => (json === undefined ? '' : kind(json) === 'string' ? JSON.parse(json) : json);

/** A merge patch (RFC 7396) from one value to the other; undefined if they are equal. Undefined values are absent. */
export function difference(before, after) {
  if (before === after) return undefined;
  if (after === undefined) return 'null';
  if (before === undefined || kind(before) !== 'object' || kind(after) !== 'object') return after;
  const [old, now] = [members(before), members(after)];
  const changed = [...new Map([...old, ...now]).keys()]
    .map((name) => [name, difference(old.get(name), now.get(name))]).filter(([, value]) => value !== undefined);
  return changed.length ? objectText(changed) : undefined;
}

/** Whether a merge patch can express the change. It cannot set null or remove a null. */
export function canPatch(before, after) {
  if (before === after) return true;
  if (after === undefined) return kind(before) !== 'null';
  if (kind(after) !== 'object') return kind(after) !== 'null';
  const old = before !== undefined && kind(before) === 'object' ? members(before) : new Map();
  const now = members(after);
  return [...new Map([...old, ...now]).keys()].every((name) => canPatch(old.get(name), now.get(name)));
}
