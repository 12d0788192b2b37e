import { element } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';
import { way } from './way.js';

let drawn = '';

/** The most tabs in the bar. If there are more, the last place is a button for the others. */
const mostShown = 5;

/** Goes to the screen of a tab, or to the first list if the tab is already selected. */
async function enter(tab) {
  if (tab.id === place.tab.id) return way.up({ listId: 'root' });
  await way.go(tab.entry.screen, { cause: 'tab', state: { mode: tab.entry.mode, top: tab.entry.top, tab: tab.id } });
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
      tab.title, tab.image, tab.id === selectedTab, () => attempt(() => enter(tab)))),
    ...(hidden.size ? [button(text('more'), 'dots', hidden.has(selectedTab), showTabs)] : []));
}

/** Opens the current screen in a new tab. */
export async function openInNewTab() {
  const { screen } = way.now;
  await way.go(screen, { cause: 'tab', state: { tab: place.open() } });
}

/** Shows all tabs, to select or close one. */
export function showTabs() {
  const { tabs } = place;
  let sheet = null;
  const entries = tabs.map((tab) => ({
    title: tab.title, isChosen: tab === place.tab,
    act: () => (tab === place.tab ? undefined : attempt(() => enter(tab))),
  }));
  const [list] = choices([entries], () => sheet);
  [...list.children].forEach((line, index) => line.append(element('button', {
    class: 'plain', type: 'button', 'aria-label': text('closeTab', { name: tabs[index].title }),
    disabled: tabs.length < 2, onclick: () => {
      sheet.close();
      attempt(() => close(tabs[index]));
    },
  }, icon('cross'))));
  sheet = new Sheet(plainBar(text('tabs')), list);
}

/** Closes a tab. Without the selected one, the page goes to the first one. */
async function close(tab) {
  const isShown = tab === place.tab;
  place.close(tab.id);
  if (!isShown) return;
  const { id, entry: { screen, mode, top } } = place.tab;
  await way.go(screen, { cause: 'tab', replaces: true, state: { mode, top, tab: id } });
}
