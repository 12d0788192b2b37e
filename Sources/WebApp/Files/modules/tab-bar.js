import { element } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { sheets } from './sheets.js';
import { text } from './texts.js';
import { way } from './way.js';

let drawn = '';

/** The most tabs in the bar. If there are more, the last place is a button for the others. */
const mostShown = 5;

/** Goes to the screen of a tab as it was left. */
export function enterTab({ id, entry: { screen, ...state } }, options) {
  return way.go(screen, { cause: 'tab', state: { ...state, tab: id }, ...options });
}

/** Whether the server's description is the first screen of a tab. */
export const isAbout = ({ entry }) => entry.screen.about && entry.isFirst;

/** Selects a tab. If it already is, goes to its first screen. */
async function select(tab) {
  if (tab.id !== place.tab.id) await enterTab(tab);
  else if (!isAbout(tab)) await way.up({ listId: 'root' });
}

/** Draws the tabs at the bottom of the page. Those that have no room are behind a button. */
export function drawTabBar() {
  const home = document.querySelector('.tab-bar');
  const { tabs } = place;
  const selectedTab = place.tab?.id;
  const more = tabs.length > mostShown ? tabs.slice(mostShown - 1).map(({ id }) => id) : [];
  // Unchanged tabs are not redrawn, which would lose the focus.
  const looks = JSON.stringify([tabs.map((tab) => [tab.id, tab.title, tab.image]), selectedTab]);
  if (looks === drawn) return;
  drawn = looks;
  home.hidden = tabs.length < 2;
  home.setAttribute('aria-label', text('tabs'));
  const hidden = new Set(more);
  const button = (title, image, isSelected, act) => element('button', {
    type: 'button', 'aria-current': isSelected ? 'page' : null, onclick: act,
  }, icon(image) ?? icon('folder'), element('bdi', {}, title));
  home.replaceChildren(
    ...tabs.filter((tab) => !hidden.has(tab.id)).map((tab) => button(
      tab.title, tab.image, tab.id === selectedTab, () => attempt(() => select(tab)))),
    ...(hidden.size ? [button(text('more'), 'dots', hidden.has(selectedTab), () => attempt(sheets.tabs))] : []));
}

/** Opens the current screen in a new tab. */
export async function openInNewTab() {
  const { screen } = way.now;
  await way.go(screen, { cause: 'tab', state: { tab: place.open() } });
}
