import { chooseTheme, themes } from './appearance.js';
import { menuEntries } from './menu.js';
import { text } from './texts.js';
import { way } from './way.js';

/** The buttons of the current screen that do something: those of its bars and beside its search field. */
const buttons = () => [...document.querySelectorAll(
  '.screen:not([inert]) > :is(header, footer) button:not(:disabled), .screen:not([inert]) .list-tools button, .screen:not([inert]) > .new-round')]
  .filter((button) => !button.closest('[hidden]') && !['back', 'menu'].includes(button.dataset.action));

/** What can be done now: what the buttons of the screen and the lines of the menu do. Each is `{key, title, image, act}`. */
export function commands() {
  const acts = [
    ...buttons().map((button) => ({ title: button.getAttribute('aria-label') ?? button.textContent, act: () => button.click() })),
    ...menuEntries(way.now.screen.listId ?? null).flat(),
    ...themes.map(([theme, key]) => ({ title: `${text('theme')}: ${text(key)}`, act: () => chooseTheme(theme) })),
  ].filter((entry) => entry);
  return [...new Map(acts.map(({ title, act }) => [title, { key: title, title, detail: text('command'), image: 'chevron-right', act }])).values()];
}
