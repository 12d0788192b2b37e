/**
 * JSON values as texts: numbers keep all their digits, and members their order. The texts have no spaces between
 * tokens, and strings as `JSON.stringify` writes them, so that equal texts are equal values.
 */

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** A value that a request's body is to have as it is written. */
export class JSONText {
  constructor(text) {
    this.text = text;
  }
}

/** The text of a value in which there may be a `JSONText` wherever there is a value. */
export function written(value) {
  if (value instanceof JSONText) return value.text;
  if (Array.isArray(value)) return `[${value.map(written)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectText(Object.entries(value).filter(([, member]) => member !== undefined).map(([name, member]) => [name, written(member)]));
}

/** The text of an object, from names and texts of values. */
export const objectText = (entries) =>
  `{${[...entries].map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;

/** The text as described above; throws a `SyntaxError` where it is no JSON. */
export function normalized(json) {
  JSON.parse(json);
  return json.match(tokens).map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token)).join('');
}

/** The texts of an object's members by name, in their order. */
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

/** A text for a person: a string's own, or the JSON; nothing for undefined. */
export const shown = (json) => (json === undefined ? '' : kind(json) === 'string' ? JSON.parse(json) : json);

/** A merge-patch (RFC 7396) that makes one value of another; undefined where they are the same, or no value. */
export function difference(before, after) {
  if (before === after) return undefined;
  if (after === undefined) return 'null';
  if (before === undefined || kind(before) !== 'object' || kind(after) !== 'object') return after;
  const [old, now] = [members(before), members(after)];
  const changed = [...new Map([...old, ...now]).keys()]
    .map((name) => [name, difference(old.get(name), now.get(name))]).filter(([, value]) => value !== undefined);
  return changed.length ? objectText(changed) : undefined;
}

/** Whether the server can make one value of another by a merge-patch: that can't set null, and leaves null where it is. */
export function canPatch(before, after) {
  if (before === after) return true;
  if (after === undefined) return kind(before) !== 'null';
  if (kind(after) !== 'object') return kind(after) !== 'null';
  const old = before !== undefined && kind(before) === 'object' ? members(before) : new Map();
  const now = members(after);
  return [...new Map([...old, ...now]).keys()].every((name) => canPatch(old.get(name), now.get(name)));
}
