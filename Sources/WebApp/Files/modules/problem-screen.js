import { api } from './api.js';
import { navigationBar } from './bar.js';
import { element } from './dom.js';
import { link } from './link.js';

/** The screen of an address whose list or item does not exist, or is in the trash: what the server says about it. */
export class ProblemScreen {
  static async load(entry) {
    return new ProblemScreen(entry, await api.get('/v1/lists/root'));
  }

  /** @param root the first list, which the screen links to. */
  constructor({ screen, problem }, root) {
    this.screen = screen;
    this.title = problem.members.title ?? problem.message;
    const bar = { leading: null, title: this.title, titleFits: true, prompt: null, trailing: null };
    this.element = element('section', { class: 'screen problem-screen' }, navigationBar(bar, () => {}),
      element('div', { class: 'scroller' }, element('div', { class: 'page' },
        element('p', { class: 'empty' }, element('bdi', {}, problem.members.detail ?? '')),
        link({ listId: root.id }, { class: 'plain more' }, element('bdi', {}, root.title)))));
  }

  update() {}

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  close() {}

  refresh() {}
}
