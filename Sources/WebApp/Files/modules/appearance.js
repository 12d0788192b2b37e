import { takeCurrency } from './texts.js';

/**
 * Applies the inventory's tints to the page. They are made for a light page. On a dark page, light bars become dark in
 * the same hue, with light text.
 */

const dark = matchMedia('(prefers-color-scheme: dark)');
const pages = { light: '#ffffff', dark: '#1c1f23' };
/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
const readable = 4.6;
/** Below this contrast a tint is unreadable on a bar. https://www.w3.org/TR/WCAG22/#contrast-minimum */
const leastContrast = 3;
const plain = { dark: '#14171a', light: '#ffffff' };
/** The contrasts on a light bar that was made dark, as high as on other bars. */
const clear = { title: 13, button: 7 };
/** The server's default tints. */
export const standardTints = {
  navigationBar: '#F4F6F8', toolbar: '#F4F6F8', tabBar: '#F4F6F8', button: '#2F5D7C', title: '#1F2933' };
let tints = null;

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour) {
  const [red, green, blue] = channels(colour)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** A mix of a colour with another. */
function mixed(colour, other, share) {
  const aims = channels(other);
  const parts = channels(colour).map((value, index) => value + (aims[index] - value) * share);
  return `#${parts.map((value) => Math.round(value * 255).toString(16).padStart(2, '0')).join('')}`;
}

/** The colour, made lighter or darker until it has at least this contrast on the ground. */
function legible(colour, ground, least = readable) {
  const aim = luminance(ground) > 0.18 ? '#000000' : '#ffffff';
  for (let share = 0; share < 1; share += 0.05) {
    const tried = mixed(colour, aim, share);
    if (contrast(tried, ground) >= least) return tried;
  }
  return aim;
}

/** A readable tint for a bar: almost the tint itself, or dark or light if the tint is unreadable. */
function readableOn(ground, tint, least) {
  if (contrast(tint, ground) >= leastContrast) return legible(tint, ground, least);
  return contrast(plain.dark, ground) >= contrast(plain.light, ground) ? plain.dark : plain.light;
}

function draw() {
  if (!tints) return;
  const bar = (tint) => (dark.matches && luminance(tint) > 0.18 ? mixed(tint, '#14171a', 0.92) : tint);
  const style = document.documentElement.style;
  const bars = { 'navigation-bar': bar(tints.navigationBar), toolbar: bar(tints.toolbar), 'tab-bar': bar(tints.tabBar) };
  for (const [name, tint] of Object.entries(bars)) {
    style.setProperty(`--${name}`, tint);
    style.setProperty(`--${name}-button`, dark.matches
      ? legible(tints.button, tint, clear.button) : readableOn(tint, tints.button, readable));
  }
  const isTurned = bars['navigation-bar'] !== tints.navigationBar;
  style.setProperty('--navigation-bar-title', isTurned
    ? legible(tints.title, bars['navigation-bar'], clear.title)
    : readableOn(bars['navigation-bar'], tints.title, readable));
  style.setProperty('--tint', dark.matches
    ? legible(tints.button, pages.dark, clear.button) : legible(tints.button, pages.light));
  document.querySelector('meta[name=theme-color]').content = bars['navigation-bar'];
}

/** Shows the inventory's tints, and its values in its currency. */
export function applyAppearance(appearance) {
  tints = appearance;
  takeCurrency(appearance.currency);
  draw();
}

dark.addEventListener('change', draw);
