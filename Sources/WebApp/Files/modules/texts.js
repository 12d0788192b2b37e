import { api } from './api.js';

let catalogue = { language: 'en', dir: 'ltr', languages: [], texts: {} };

/** Takes over the page's own texts in the reader's language, and sets the page's direction. */
export function takeTexts(found) {
  catalogue = found;
  formats.clear();
  document.documentElement.lang = catalogue.language;
  document.documentElement.dir = catalogue.dir;
}

/** Fetches the texts, if there are none yet: without a token, nothing else can be read. */
export async function loadTexts() {
  if (!hasText('offline')) takeTexts(await api.get('/v1/texts'));
}

/** The server's languages: `{language, name, dir}`. */
export const languages = () => catalogue.languages;

/** A text with its placeholders replaced. */
export function text(key, values = {}) {
  const pattern = catalogue.texts[key] ?? key;
  return pattern.replace(/\{([a-z]+)\}/g, (blank, name) => (name in values ? String(values[name]) : blank));
}

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

/** Isolated, so that the sign stays before the digits in any direction. */
export const dollars = (value) => {
  const least = Number.isInteger(value) ? 0 : 2;
  const digits = format(`dollars ${least}`, (tag) =>
    new Intl.NumberFormat(tag, { minimumFractionDigits: least, maximumFractionDigits: 2 })).format(value);
  return document.documentElement.dir === 'rtl' ? `\u2066$${digits}\u2069` : `$${digits}`;
};

export const moment = (value) =>
  format('moment', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })).format(new Date(value));
