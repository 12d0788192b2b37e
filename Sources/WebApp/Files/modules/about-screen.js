import { api } from './api.js';
import { navigationBar } from './bar.js';
import { element } from './dom.js';
import { attempt } from './notices.js';
import { number, text } from './texts.js';
import { way } from './way.js';

/** The server's description. */
export class AboutScreen {
  static async load({ screen, isFirst }) {
    const [about, described] = await Promise.all([api.get('/v1/about'), api.get('/v1/about/screen')]);
    // The first screen of a tab has nothing to go back to.
    const leading = isFirst ? null : described.navigationBar.leading;
    return new AboutScreen(screen, about, { ...described.navigationBar, leading });
  }

  constructor(screen, about, bar) {
    this.screen = screen;
    this.title = bar.title;
    const facts = [
      ['company', about.company], ['version', about.version], ['copyright', about.copyright],
      ['licence', about.licence], ['contact', about.contact], ['support', about.support],
      ['credits', about.credits], ['legal', about.legal], ['lists', number(about.counts.lists)], ['items', number(about.counts.items)],
    ].filter(([, value]) => value);
    const shown = element('div', { class: 'scroller' }, element('div', { class: 'page' },
      element('dl', { class: 'card facts' }, ...facts.map(([key, value]) => element('div', {},
        element('dt', {}, text(key)), element('dd', { class: `is-${key}` }, element('bdi', {}, value)))))));
    this.element = element('section', { class: 'screen about-screen' },
      navigationBar(bar, (action) => (action === 'back' ? attempt(() => this.#leave()) : undefined)), shown);
  }

  async #leave() {
    const { id } = await api.get('/v1/lists/root');
    await way.leave({ listId: id });
  }

  update() {}

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  close() {}

  refresh() {}
}
