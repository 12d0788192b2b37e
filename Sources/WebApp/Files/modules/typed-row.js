import { currencySigns } from './texts.js';
import { ownSign, typedMoney } from './typed-money.js';
import { typedNumber } from './typed-number.js';

const digit = '0-9٠-٩۰-۹०-९０-９';
/** A whole number before or after an x at the end. An x directly before it may be a part of the name, as in "bmw x3". */
const trailing = new RegExp(`\\s(?:(?:x\\s|×\\s?)([${digit}]{1,4})|([${digit}]{1,4})\\s?[x×])$`, 'u');
/** A whole number at the start, and an x if there is one. Another number may not follow. */
const leading = new RegExp(`^([${digit}]{1,4}|[${digit}]{1,3}(?:[,٬][${digit}]{3}){1,2})(\\s*[x×]\\s+|\\s+(?![x×]\\s))(?![\\s${digit}])`, 'u');
/** Units of measurement, which make a number before them a part of the name, as in "12 mm drill". */
const units = /^(mm|cm|m|km|in|ft|mg|g|kg|oz|lb|ml|cl|l|W|kW|V|A|Ah|GB|TB|مم|سم|م|كم|غ|غم|جم|كغ|كجم|مل|لتر|فولت|واط)(?=\s|$)/iu;
const figure = `[${digit}][${digit}.,٫٬،’']*`;
const amounts = (sign) => new RegExp(`(?<=^|\\s)(?:${sign}\\s?${figure}|${figure}\\s?${sign})(?=\\s|$)`, 'giu');
/** Codes that people write beside amounts. Others are words too, such as TOP and ALL. */
const codes = 'USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|SAR|AED|EGP';
const mark = `(?:\\p{L}{0,3}\\p{Sc}|${codes})`;
const anyAmount = new RegExp(`(?<=^|\\s)(?:(${mark})\\s?${figure}|${figure}\\s?(${mark}))(?=\\s|$)`, 'gu');
const tags = /(?<=^|\s)#(\p{L}[\p{L}\p{M}\p{N}_-]*)[,،]?(?=\s|$)/gu;

const isYear = (count) => count >= 1900 && count <= 2099;

/** The quantity at the start of a text: `{raw, count, size}`, where `size` is the length to the name. Null for none. */
function leadingQuantity(typed) {
  const found = leading.exec(typed);
  if (!found) return null;
  const [whole, raw, sign] = found;
  const count = typedNumber(raw);
  // "007 poster" is a name.
  if (typeof count !== 'number' || typedNumber(raw[0]) === 0) return null;
  const isMeant = sign.trim() !== '';
  if (!isMeant && (isYear(count) || units.test(typed.slice(whole.length)))) return null;
  return { raw, count, size: whole.length };
}

/** The quantity at the end of a text, as in "forks 3x": `{raw, count, rest}`, where `rest` is the text before it. Null for none. */
function trailingQuantity(typed) {
  const found = trailing.exec(typed);
  const count = found && typedNumber(found[1] ?? found[2]);
  return count ? { raw: found[0].trim(), count, rest: typed.slice(0, found.index) } : null;
}

/** An amount; null if it has fractions of cents. */
function amountOf(raw) {
  const value = typedMoney(raw);
  return typeof value === 'number' && Number(value.toFixed(2)) === value ? value : null;
}

/**
 * What a typed line says of an item: "3 forks $12 #kitchen" is three forks of 12 dollars with the tag "kitchen".
 *
 * - A whole number and a space at the start are the quantity. From 10000 on it has commas ("12,000 nails"). Years from
 *   1900 to 2099 are not ("2020 diary"), and no number before a unit or another number ("12 mm drill"). With an x it
 *   always is one ("2020 x diary"). It may also be at the end, with an x ("forks 3x", "forks x 3").
 * - The first number with the sign of the inventory's currency is the value, and each word of letters after a # is a tag. An
 *   amount in another currency stays in the name.
 * - Without any other word, the line is a name.
 *
 * @param left the parts, as typed, that belong to the name.
 * @returns `{name, parts}`, where a part is `{kind, raw, value}` and `kind` is `quantity`, `valueInDollars` or `tags`.
 */
export function understood(typed, left = new Set()) {
  const parts = [];
  let rest = typed.trim();
  const quantity = leadingQuantity(rest);
  if (quantity && !left.has(quantity.raw)) {
    parts.push({ kind: 'quantity', raw: quantity.raw, value: quantity.count });
    rest = rest.slice(quantity.size);
  }
  rest = rest.replace(amounts(ownSign()), (raw) => {
    const value = amountOf(raw);
    if (value === null || left.has(raw) || parts.some(({ kind }) => kind === 'valueInDollars')) return raw;
    parts.push({ kind: 'valueInDollars', raw, value });
    return '';
  });
  rest = rest.replace(tags, (raw, tag) => {
    if (left.has(raw)) return raw;
    if (!parts.some(({ kind, value }) => kind === 'tags' && value === tag)) parts.push({ kind: 'tags', raw, value: tag });
    return '';
  });
  const last = parts.some(({ kind }) => kind === 'quantity') ? null : trailingQuantity(rest.trimEnd());
  if (last && !left.has(last.raw)) {
    parts.unshift({ kind: 'quantity', raw: last.raw, value: last.count });
    rest = last.rest;
  }
  const name = rest.replace(/\s+/g, ' ').trim();
  return name ? { name, parts } : { name: typed.trim(), parts: [] };
}

/**
 * A line that was pasted with others, as a person would type it: without the sign of a list before it, and with the cells of a
 * table as words. In the line of an item, the first cell with a whole number is the quantity, except for a year, and the next
 * cell with a number the value.
 */
export function typedLine(line, isList) {
  const plain = line.replace(/^\s*(?:(?:[-*•–]|\d{1,3}[.)])\s+)?(?:\[[ x]?\]\s+)?/i, '');
  const cells = plain.split('\t').map((cell) => cell.trim()).filter((cell) => cell);
  if (isList || cells.length < 2) return cells.join(' ');
  const [first, ...rest] = cells;
  let count = /^\d{1,4}$/.test(first) ? '' : null;
  let value = null;
  const words = rest.filter((cell) => {
    if (count === null && /^\d{1,4}$/.test(cell) && !isYear(Number(cell))) count = ` x ${cell}`;
    else if (count !== null && value === null && /^\d+([.,]\d{1,2})?$/.test(cell)) value = ` ${currencySigns()[0]}${cell}`;
    else return true;
    return false;
  });
  return [first, ...words].join(' ') + (value ?? '') + (count ?? '');
}

/** Whether a name has an amount in another currency than the inventory's. */
export function hasForeignAmount(name) {
  const own = currencySigns().map((sign) => sign.toUpperCase());
  return [...name.matchAll(anyAmount)].some(([, before, after]) => !own.includes((before ?? after).toUpperCase()));
}

/** The members of a new item with these parts. */
export function itemMembers({ name, parts }) {
  const members = { name };
  for (const { kind, value } of parts) {
    if (kind === 'tags') members.tags = [...new Set([...(members.tags ?? []), value])];
    else members[kind] = value;
  }
  return members;
}

/** The title of a row that was added, from the answer. A car without a name has those of its make. */
export function titleOfNew({ title, name, car }) {
  return title ?? name ?? [car?.year, car?.make, car?.model].filter((part) => part).join(' ');
}
