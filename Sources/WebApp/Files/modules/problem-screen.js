import { api, Disconnected } from './api.js';
import { navigationBar } from './bar.js';
import { element } from './dom.js';
import { kept } from './kept.js';
import { link } from './link.js';
import { session } from './session.js';
import { signOut } from './sign-out-sheet.js';
import { text } from './texts.js';

/** What to say about an address whose screen cannot be shown: what the server says, or that there is no connection. */
const membersOf = (problem) => (problem instanceof Disconnected
  ? { title: text('notKept'), detail: text('notKeptHint') } : { title: problem.message, ...problem.members });

/**
 * The screen of an address whose list or item does not exist, is in the trash, or is not kept while there is no connection.
 * Also the only screen of a page that the server lets see nothing, as with the token of a list in the trash.
 */
export class ProblemScreen {
  static async load(entry) {
    return new ProblemScreen(entry, kept?.list('root') ?? await api.get('/v1/lists/root'));
  }

  /** @param root the first list, which the screen links to. Null if there is none to see. */
  constructor({ screen, problem }, root) {
    const { title, detail } = membersOf(problem);
    this.screen = screen;
    this.title = title;
    const bar = { leading: null, title: this.title, titleFits: true, prompt: null, trailing: null };
    this.element = element('section', { class: 'screen problem-screen' }, navigationBar(bar, () => {}),
      element('div', { class: 'scroller' }, element('div', { class: 'page' },
        element('p', { class: 'empty' }, element('bdi', {}, detail ?? '')),
        root ? link({ listId: root.id }, { class: 'plain more' }, element('bdi', {}, root.title)) : null,
        !root && session.token ? element('button', { type: 'button', class: 'plain more is-grave', onclick: signOut }, text('signOut')) : null)));
  }

  update() {}

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  close() {}

  refresh() {}
}
