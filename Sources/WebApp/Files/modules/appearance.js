import { session } from './session.js';
import { takeCurrency } from './texts.js';

/**
 * Applies the theme and the inventory's tints to the page. The tints are made for a light page. On a dark page, light bars
 * become dark in the same hue, with light text.
 */

const dark = matchMedia('(prefers-color-scheme: dark)');
/** The grounds on which the tint is hardest to read: those of pressed buttons and of tags. */
const pages = { light: '#e8ecf0', dark: '#262d36' };
/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
const readable = 4.6;
/** Below this contrast a tint is unreadable on a bar. https://www.w3.org/TR/WCAG22/#contrast-minimum */
const leastContrast = 3;
const plain = { dark: '#14171a', light: '#ffffff' };
/** The contrasts on a dark page, as high as on other pages. */
const clear = { title: 13, button: 5.5 };
/** The server's default tints. */
export const standardTints = {
  navigationBar: '#F4F6F8', toolbar: '#F4F6F8', tabBar: '#F4F6F8', button: '#2F5D7C', title: '#1F2933' };
let tints = null;

const written = (parts) => `#${parts.map((value) => Math.round(value * 255).toString(16).padStart(2, '0')).join('')}`;

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
export function mixed(colour, other, share) {
  const aims = channels(other);
  return written(channels(colour).map((value, index) => value + (aims[index] - value) * share));
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

/**
 * A tint that is readable on a dark ground: as light as it has to be, with its own hue and saturation. A mix with white
 * would look washed out. https://www.w3.org/TR/css-color-4/#rgb-to-hsl
 */
function vivid(colour, ground) {
  const parts = channels(colour);
  const own = (Math.max(...parts) + Math.min(...parts)) / 2;
  const room = (lightness) => 1 - Math.abs(2 * lightness - 1);
  for (let lightness = own; lightness < 1; lightness += 0.02) {
    const spread = room(own) ? room(lightness) / room(own) : 0;
    const tried = written(parts.map((value) => lightness + (value - own) * spread));
    if (contrast(tried, ground) >= clear.button) return tried;
  }
  return '#ffffff';
}

/** A readable tint for a bar: almost the tint itself, or dark or light if the tint is unreadable. */
function readableOn(ground, tint, least) {
  if (contrast(tint, ground) >= leastContrast) return legible(tint, ground, least);
  return contrast(plain.dark, ground) >= contrast(plain.light, ground) ? plain.dark : plain.light;
}

/** The tint of buttons on the page, for both themes. */
export const tintOnPage = (tint) => themed(legible(tint, pages.light), vivid(tint, pages.dark));

const hasBoth = CSS.supports('color', 'light-dark(red, red)');
const themed = (light, dark) => (hasBoth ? `light-dark(${light}, ${dark})` : light);

/** The colour of a bar on a dark page. */
const darkBar = (tint) => (luminance(tint) > 0.18 ? mixed(tint, '#0f1317', 0.95) : tint);

/** The title's colour on a dark page. */
function darkTitle({ navigationBar, title }) {
  const bar = darkBar(navigationBar);
  return bar === navigationBar ? readableOn(bar, title, readable) : legible(title, bar, clear.title);
}

function draw() {
  const isDark = session.theme ? session.theme === 'dark' : dark.matches;
  const { style } = document.documentElement;
  style.colorScheme = session.theme ?? '';
  if (!tints) return;
  const { button } = tints;
  const bars = { 'navigation-bar': tints.navigationBar, toolbar: tints.toolbar, 'tab-bar': tints.tabBar };
  for (const [name, bar] of Object.entries(bars)) {
    style.setProperty(`--${name}`, themed(bar, darkBar(bar)));
    style.setProperty(`--${name}-button`, themed(readableOn(bar, button, readable), vivid(button, darkBar(bar))));
  }
  style.setProperty('--navigation-bar-title',
    themed(readableOn(tints.navigationBar, tints.title, readable), darkTitle(tints)));
  style.setProperty('--tint', tintOnPage(button));
  document.querySelector('meta[name=theme-color]').content = isDark ? darkBar(tints.navigationBar) : tints.navigationBar;
}

/** The inventory's tints and currency, as they were applied last. */
export const shownAppearance = () => tints;

/** Shows the inventory's tints, and its values in its currency. */
export function applyAppearance(appearance) {
  tints = appearance;
  takeCurrency(appearance.currency);
  draw();
}

/** The themes of this browser with the keys of their texts. */
export const themes = [[null, 'automatic'], ['light', 'light'], ['dark', 'dark']];

/** Chooses `light` or `dark`; null follows the system. */
export function chooseTheme(theme) {
  session.theme = theme;
  draw();
}

dark.addEventListener('change', draw);
// Chosen in another window.
addEventListener('storage', draw);
