import { api, Disconnected } from './api.js';
import { session } from './session.js';

let catalogue = { language: 'en', dir: 'ltr', languages: [], texts: {} };
/** Resolves when all texts are known. Null if nothing needs them yet. */
let whole = null;
/** The code of the inventory's currency; null for US dollars. */
let currency = null;

/** Takes over the currency of the inventory's values. */
export function takeCurrency(code) {
  currency = code === 'USD' ? null : code;
  formats.clear();
}

/** Takes over texts of the page in the reader's language, and sets the page's direction. */
export function takeTexts(found) {
  const known = found.language === catalogue.language ? catalogue.texts : {};
  catalogue = { ...found, texts: { ...known, ...found.texts } };
  formats.clear();
  document.documentElement.lang = catalogue.language;
  document.documentElement.dir = catalogue.dir;
}

async function readTexts() {
  const reading = api.get('/v1/texts').then((found) => {
    session.texts = found;
    takeTexts(found);
  });
  // Before the first answer the language is not known.
  if (!hasText('offline') || session.texts?.language !== catalogue.language) return reading;
  reading.catch(() => {});
  takeTexts({ ...session.texts, texts: { ...session.texts.texts, ...catalogue.texts } });
}

/** Makes all texts known, also those that the first screen does not need. The last ones do if the server cannot be reached. */
export function loadTexts() {
  whole ??= readTexts().catch((error) => {
    whole = null;
    throw error;
  });
  return whole;
}

/** The address of the styles that the first screen does not need. */
const laterStyles = document.querySelector('link[rel=stylesheet]').href.replace('style.css', 'later.css');
/** Resolves when these styles are there. Null if nothing needs them yet. */
let styles = null;

function loadStyles() {
  styles ??= new Promise((done, fail) => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href: laterStyles, onload: done });
    link.onerror = () => {
      link.remove();
      styles = null;
      fail(new Disconnected(laterStyles));
    };
    document.body.append(link);
  });
  return styles;
}

/**
 * Resolves to a module that is imported when it is needed, once its texts and styles are there. Throws `Disconnected`
 * if it cannot be fetched.
 */
export async function imported(module) {
  const loading = Promise.all([loadTexts(), loadStyles()]);
  loading.catch(() => {});
  const found = await module.catch((error) => {
    throw new Disconnected(error.message);
  });
  await loading;
  return found;
}

/** The server's languages: `{language, name, dir}`. */
export const languages = () => catalogue.languages;

/** A text with its placeholders replaced. The name of the value does not say dollars with another currency. */
export function text(key, values = {}) {
  const name = key === 'valueInDollars' && currency ? 'value' : key;
  const pattern = catalogue.texts[name] ?? key;
  return pattern.replace(/\{([a-z]+)\}/g, (blank, each) => (each in values ? String(values[each]) : blank));
}

/** In the order of the forms of a text. */
const pluralCategories = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** A text with the form for a count: it has one for each plural category of the language, with `|` between them. */
export function counting(key, count) {
  const rules = format('plurals', (tag) => new Intl.PluralRules(tag));
  const used = rules.resolvedOptions().pluralCategories;
  const forms = text(key, { count: number(count) }).split('|');
  return forms[pluralCategories.filter((each) => used.includes(each)).indexOf(rules.select(count))] ?? forms.at(-1);
}

/** How many rows there are, in words: items, if they are only that. */
export const countingRows = (rows) => counting(rows.every(({ list }) => !list) ? 'countItems' : 'countRows', rows.length);

/** Whether there is a text for the key. */
export const hasText = (key) => key in catalogue.texts;

/** The formats of the reader's variant of the language by name. Making one takes longer than drawing a row. */
const formats = new Map();

/** A format that `make` makes of a language tag, with the digits that the server uses. */
function format(name, make) {
  if (!formats.has(name)) {
    const own = navigator.languages.find((other) => other.split('-')[0] === catalogue.language);
    formats.set(name, make(`${own ?? catalogue.language}-u-nu-latn`));
  }
  return formats.get(name);
}

export const number = (value) => format('number', (tag) => new Intl.NumberFormat(tag)).format(value);

/** An amount in the inventory's currency. Isolated, so that the sign stays in its place in any direction. */
export const dollars = (value) => {
  const least = Number.isInteger(value) ? 0 : 2;
  if (currency) {
    const shown = format(`currency ${least}`, (tag) => new Intl.NumberFormat(tag, {
      style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits: least, maximumFractionDigits: 2,
    })).format(value);
    return document.documentElement.dir === 'rtl' ? `\u2068${shown}\u2069` : shown;
  }
  const digits = format(`dollars ${least}`, (tag) =>
    new Intl.NumberFormat(tag, { minimumFractionDigits: least, maximumFractionDigits: 2 })).format(value);
  return document.documentElement.dir === 'rtl' ? `\u2066$${digits}\u2069` : `$${digits}`;
};

/** What people write for the inventory's currency, such as “€”, “kr” and “EUR”. The longest come first. */
export function currencySigns() {
  const code = currency ?? 'USD';
  const sign = (tag, currencyDisplay) => new Intl.NumberFormat(tag, { style: 'currency', currency: code, currencyDisplay })
    .formatToParts(0).find(({ type }) => type === 'currency').value.replace(/[\u200e\u200f\u061c]/g, '');
  return format('signs', (tag) => {
    const signs = [tag, 'en'].flatMap((each) => [sign(each, 'narrowSymbol'), sign(each, 'symbol')]);
    // One letter may be a unit, as in "5 L".
    const all = new Set([code, ...signs, ...signs.join('').match(/\p{Sc}/gu) ?? [], ...(currency ? [] : ['US$'])]);
    return [...all].filter((each) => !/^\p{L}$/u.test(each)).sort((one, other) => other.length - one.length);
  });
}

/** The name of the inventory's currency in the reader's language. */
export const currencyName = () =>
  format('currency name', (tag) => new Intl.DisplayNames(tag, { type: 'currency' })).of(currency ?? 'USD');

export const moment = (value) =>
  format('moment', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })).format(new Date(value));

/** The days until a moment in words, such as “yesterday”. Its date if it is a week away or more. */
export function dayOf(value) {
  const days = Math.round((new Date(value).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86_400_000);
  return Math.abs(days) < 7
    ? format('days', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })).format(days, 'day')
    : format('date', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })).format(new Date(value));
}
