/** The letters of a text without case, accents, and the marks and variants of Arabic letters. */
const folded = (text) => text.normalize('NFKD').replace(/[\p{M}\u0640]/gu, '').toLowerCase()
  .replace(/[إأآٱ]/g, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه');

/** How well a word fits into a text, from 0 to 1: as its start, as the start of a word in it, within it, or by letters. */
function fit(word, text) {
  const place = text.indexOf(word);
  if (place === 0) return 1;
  if (place > 0) return /[^\p{L}\p{N}]/u.test(text[place - 1]) ? 0.9 : 0.6;
  let [at, gaps] = [-1, 0];
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return 0;
    if (at >= 0 && next > at + 1) gaps += 1;
    at = next;
  }
  return Math.max(0.05, 0.4 - 0.1 * gaps);
}

/**
 * How well a typed text fits a title: 0 for not at all. Each typed word has to be in the title, or at least its letters
 * in their order. Shorter titles fit better.
 */
export function fuzzy(typed, title) {
  const words = folded(typed).split(/\s+/).filter((word) => word);
  const text = folded(title);
  let sum = 0;
  for (const word of words) {
    const each = fit(word, text);
    if (!each) return 0;
    sum += each;
  }
  return words.length ? sum / words.length + 0.02 / (1 + text.length) : 0;
}
