import { topmost } from './dom.js';

const region = document.querySelector('.spoken');

/** Says something to whoever listens to the page rather than looks at it; in a dialog, from inside it. */
export function say(sentence) {
  const home = topmost();
  if (region.parentNode !== home) home.append(region);
  // The same sentence twice is said twice only if it goes in between.
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), 30);
}
