import { element } from './dom.js';
import { Form } from './form.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { choices, plainBar, Sheet } from './sheet.js';
import { enterTab, isAbout, openInNewTab } from './tab-bar.js';
import { text } from './texts.js';

/** The images for tabs, with the keys of their names. Other clients may choose others, which are drawn as a folder. */
const images = new Map([
  ['folder', 'list'], ['house', 'house'], ['car', 'car'], ['photo', 'photos'], ['box', 'thing'], ['tag', 'tag'], ['star', 'star'],
  ['info', 'about'],
]);

/** The longest title of a tab in characters, as on the server. */
const longestTitle = 200;

/** Opens the server's description in a tab of its own. */
async function openAbout() {
  const id = place.open({ entry: { screen: { about: true }, isFirst: true }, screenTitle: text('about'), image: 'info' });
  await enterTab(place.tabs.find((tab) => tab.id === id));
}

/** Shows all tabs, to select, arrange, name or close one, or to add another. */
export function showTabs() {
  let sheet = null;
  const list = element('ul', { class: 'card choices tab-list', role: 'list' });
  const tool = (action, image, name, isEnabled, act) => element('button', {
    class: 'plain', type: 'button', 'aria-label': text(action, { name }), title: text(action, { name }), data: { action },
    disabled: !isEnabled, onclick: act,
  }, icon(image));
  /** Draws the tabs, and focuses a button of one. */
  const draw = (at, action) => {
    const { tabs } = place;
    const move = (index, step, button) => {
      place.arrange(tabs[index].id, index + step);
      draw(index + step, button);
    };
    list.replaceChildren(...tabs.map((tab, index) => element('li', {},
      element('button', {
        type: 'button', 'aria-pressed': String(tab === place.tab), onclick: () => {
          sheet.close();
          if (tab !== place.tab) attempt(() => enterTab(tab));
        },
      }, icon(tab.image) ?? icon('folder'), element('bdi', {}, tab.title)),
      tool('tabEarlier', 'up', tab.title, index > 0, () => move(index, -1, 'tabEarlier')),
      tool('tabLater', 'down', tab.title, index < tabs.length - 1, () => move(index, 1, 'tabLater')),
      tool('editTab', 'pencil', tab.title, true, () => describe(tab, () => draw(place.tabs.indexOf(tab), 'editTab'))),
      tool('closeTab', 'cross', tab.title, tabs.length > 1, () => {
        sheet.close();
        attempt(() => close(tab));
      }))));
    const line = list.children[at];
    (line?.querySelector(`[data-action=${action}]:enabled`) ?? line?.querySelector('button'))?.focus();
  };
  draw();
  const canAddAbout = place.hasRoom && !place.tabs.some(isAbout);
  sheet = new Sheet(plainBar(text('tabs')), [list, ...choices([[
    place.hasRoom ? { title: text('newTab'), act: () => attempt(openInNewTab) } : null,
    canAddAbout ? { title: text('aboutTab'), act: () => attempt(openAbout) } : null,
  ]], () => sheet)]);
}

/** Lets a person give a tab a title of its own and an image. */
function describe(tab, done) {
  const form = new Form(
    [[{ pointer: '/title', label: text('title'), value: tab.ownTitle, hint: text('tabTitleHint') }]], () => sheet.act('save'));
  const title = form.field('/title');
  title.input.maxLength = longestTitle;
  const first = images.has(tab.image) ? tab.image : 'folder';
  const choice = element('fieldset', { class: 'segments', 'aria-label': text('image') }, ...[...images].map(([image, key]) =>
    element('label', { title: text(key) },
      element('input', { type: 'radio', name: 'image', value: image, checked: image === first, 'aria-label': text(key) }),
      element('span', {}, icon(image)))));
  const chosen = () => choice.querySelector(':checked').value;
  const sheet = new Sheet(
    plainBar(tab.title, { action: 'save', title: text('save'), image: 'check', enabled: true }),
    [form.element, element('h3', {}, text('image')), choice], {
      save: () => {
        // An unknown image stays until another one is chosen.
        place.describe(tab.id, title.value, chosen() === first ? tab.image : chosen());
        sheet.close();
        done();
      },
    });
  sheet.hasUnsaved = () => form.isChanged || chosen() !== first;
}

/** Closes a tab. Without the selected one, the page goes to the first one. */
async function close(tab) {
  const isShown = tab === place.tab;
  place.close(tab.id);
  if (isShown) await enterTab(place.tab, { replaces: true });
}
