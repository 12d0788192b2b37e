/** Decimal digits other than 0 to 9, by their zero: Arabic, Persian, Devanagari and full-width ones. */
const zeros = ['٠', '۰', '०', '０'];
/** Spaces, apostrophes, currency signs and marks of direction, which people and programs put into numbers. */
const ignored = /[\s'’\p{Sc}\u200e\u200f\u061c\u2066-\u2069]/gu;
/** Matches numbers with more digits than JavaScript keeps exactly. */
const tooManyDigits = /\d(?:\.?\d){15}/;

/** Replaces the digits and signs of other writings by those of JSON. */
const plain = (typed) => typed
  .replace(ignored, '')
  .replace(/[٠-٩۰-۹०-९０-９]/g, (digit) => {
    const zero = zeros.findLast((first) => first <= digit);
    return String(digit.codePointAt(0) - zero.codePointAt(0));
  })
  .replaceAll('−', '-').replaceAll('،', ',');

/** Whether separators divide the digits into groups, as in `1,299` and `12,34,567`. */
const isGrouped = (digits, mark) => {
  const groups = digits.split(mark);
  return /^[1-9]\d{0,2}$/.test(groups[0]) && groups.at(-1).length === 3
    && groups.slice(1, -1).every((group) => group.length === 2 || group.length === 3);
};

/**
 * The decimal number in a typed text, in a form that `Number` reads; null if it is none. If there are two different
 * separators, the last one is the decimal one, unless it is `٬`. A single comma before exactly three digits divides
 * thousands. A single full stop there can mean either, so that is no number.
 */
function decimal(typed) {
  const text = plain(typed).replaceAll('٬', '\u0001').replaceAll('٫', '\u0002');
  const marks = [...new Set(text.replace(/[-\d]/g, ''))];
  if (marks.length > 2 || !/^-?[\d.,\u0001\u0002]*$/.test(text) || !/\d/.test(text)) return null;
  const [sign, digits] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
  const last = [...digits].findLast((character) => marks.includes(character));
  if (!last) return sign + digits;
  const count = digits.split(last).length - 1;
  if (last === '.' && marks.length === 1 && count === 1 && isGrouped(digits, '.')) return null;
  const isDecimal = last !== '\u0001' && count === 1
    && (marks.length === 2 || last !== ',' || !isGrouped(digits, ','));
  const [whole, fraction = ''] = isDecimal ? digits.split(last) : [digits];
  const divider = marks.find((mark) => whole.includes(mark));
  if (divider && (divider === '\u0002' || !isGrouped(whole, divider))) return null;
  const joined = divider ? whole.replaceAll(divider, '') : whole;
  return `${sign}${joined || 0}.${fraction}`;
}

/** The typed number. Null for no text. Other text is returned unchanged, so that the server explains the error. */
export function typedNumber(typed) {
  const trimmed = typed.trim();
  if (!trimmed) return null;
  const found = decimal(trimmed);
  return found === null || tooManyDigits.test(found) ? trimmed : Number(found);
}
