import { api } from './api.js';
import { navigationBar } from './bar.js';
import { element } from './dom.js';
import { attempt } from './notices.js';
import { place } from './place.js';
import { number, text } from './texts.js';

/** The server's description. A custom screen of another client shows only its title. */
export class AboutScreen {
  static async load(entry) {
    return new AboutScreen(entry, entry.about ? await api.get('/v1/about') : null);
  }

  constructor(entry, about) {
    const facts = !about ? [] : [
      ['company', about.company], ['version', about.version], ['copyright', about.copyright],
      ['licence', about.licence], ['contact', about.contact], ['support', about.support],
      ['credits', about.credits], ['legal', about.legal], ['lists', number(about.counts.lists)], ['items', number(about.counts.items)],
    ].filter(([, value]) => value);
    this.facts = element('div', { class: 'scroller' }, element('div', { class: 'page' },
      facts.length && element('dl', { class: 'card facts' }, ...facts.map(([key, value]) => element('div', {},
        element('dt', {}, text(key)), element('dd', { class: `is-${key}` }, element('bdi', {}, value))))) || null));
    this.element = element('section', { class: 'screen about-screen' }, this.facts);
    this.update(entry);
  }

  update(entry) {
    this.entry = entry;
    this.element.replaceChildren(
      navigationBar(entry.navigationBar, (action) => (action === 'back' ? attempt(() => place.pop()) : undefined)),
      this.facts);
  }

  focus() {
    this.element.querySelector('h1').focus({ preventScroll: true });
  }

  close() {}

  refresh() {}
}
