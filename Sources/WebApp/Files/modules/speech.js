import { topmost } from './dom.js';

const region = document.querySelector('.spoken');

/** Announces a sentence to screen readers, from within the topmost dialog. */
export function say(sentence) {
  const home = topmost();
  if (region.parentNode !== home) home.append(region);
  // A repeated sentence is announced only if it was removed in between.
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), 30);
}
