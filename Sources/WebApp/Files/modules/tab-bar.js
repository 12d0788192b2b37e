import { element, newID } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';

let drawn = '';

/** The title of a tab, or of its first screen. */
const titleOf = (tab) => tab.title ?? tab.stack[0].navigationBar.title;

/** Draws the navigator's tabs at the bottom of the page. The tabs in `more` are behind a button. */
export function drawTabBar() {
  const home = document.querySelector('.tab-bar');
  const { tabs, more, selectedTab } = place.now;
  // Unchanged tabs are not redrawn, which would lose the focus.
  const looks = JSON.stringify([tabs.map((tab) => [tab.id, titleOf(tab), tab.image]), more, selectedTab]);
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
      titleOf(tab), tab.image, tab.id === selectedTab, () => attempt(() => place.selectTab(tab.id)))),
    ...(hidden.size ? [button(text('more'), 'dots', hidden.has(selectedTab), showTabs)] : []));
}

/** Opens a screen in a new tab. */
export async function openInNewTab(screen) {
  const id = newID();
  await place.setTabs((kept) => [...kept, { id, stack: [screen] }]);
  await place.selectTab(id);
}

/** Shows all tabs, to select or close one. */
export function showTabs() {
  const { tabs, selectedTab } = place.now;
  let sheet = null;
  const entries = tabs.map((tab) => ({
    title: titleOf(tab), isChosen: tab.id === selectedTab,
    act: () => (tab.id === selectedTab ? undefined : attempt(() => place.selectTab(tab.id))),
  }));
  const [list] = choices([entries], () => sheet);
  [...list.children].forEach((line, index) => line.append(element('button', {
    class: 'plain', type: 'button', 'aria-label': text('closeTab', { name: titleOf(tabs[index]) }),
    disabled: tabs.length < 2, onclick: () => {
      sheet.close();
      attempt(() => place.setTabs((kept) => kept.filter((tab) => tab.id !== tabs[index].id)));
    },
  }, icon('cross'))));
  sheet = new Sheet(plainBar(text('tabs')), list);
}
