import { currencySigns } from './texts.js';
import { typedNumber } from './typed-number.js';

const quoted = (sign) => sign.replace(/[$.*+?^()[\]{}|\\]/g, '\\$&');

/** A pattern, as a text, of the signs of the inventory's currency. */
export const ownSign = () => `(?:${currencySigns().map(quoted).join('|')})`;

/** The amount without the sign of the inventory's currency. */
const bare = (typed) => typed.replace(new RegExp(`^\\s*${ownSign()}|${ownSign()}\\s*$`, 'iu'), '');

/** Whether an amount has the sign or the code of another currency. */
export const isForeign = (typed) => /\p{Sc}|^\s*[a-z]{3}\s*\d|\d\s*[a-z]{3}\s*$/iu.test(bare(typed));

/** A typed amount, as `typedNumber` reads it. One in another currency is a text, like what is no number. */
export function typedMoney(typed) {
  const value = isForeign(typed) ? null : typedNumber(bare(typed));
  return typeof value === 'number' ? value : typed.trim() || null;
}
