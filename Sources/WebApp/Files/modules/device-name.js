import { text } from './texts.js';

/** The first name whose pattern fits is meant: most browsers name others, too, and Android names Linux. */
const browsers = [
  ['Edge', /Edg(A|iOS)?\//], ['Opera', /OPR\//], ['Samsung Internet', /SamsungBrowser/], ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/], ['Safari', /Safari/]];
const devices = [
  ['iPhone', /iPhone/], ['iPad', /iPad/], ['Android', /Android/], ['ChromeOS', /CrOS/], ['Windows', /Windows/], ['Mac', /Mac/],
  ['Linux', /Linux/]];

const named = (table) => table.find(([, pattern]) => pattern.test(navigator.userAgent))?.[0];

/** A name for this device, as far as the browser tells: “Safari on iPhone”. Null for none. */
export function deviceName() {
  let [browser, device] = [named(browsers), named(devices)];
  // It calls itself Chrome, except here.
  if (browser === 'Chrome' && navigator.userAgentData?.brands.every(({ brand }) => brand !== 'Google Chrome')) browser = 'Chromium';
  // An iPad says that it is a Mac. No Mac has a touch screen.
  if (device === 'Mac' && navigator.maxTouchPoints > 1) device = 'iPad';
  return browser && device ? text('browserOn', { browser, device }) : browser ?? device ?? null;
}
