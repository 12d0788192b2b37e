import { addressOf } from './address.js';
import { element } from './dom.js';
import { attempt } from './notices.js';
import { way } from './way.js';

/**
 * A link to a screen. A plain click goes there on this page. The browser handles other clicks, such as those that open a
 * tab of the browser or copy the address.
 *
 * @param leave called before the page goes to the screen.
 */
export function link(screen, { leave = () => {}, ...attributes }, ...children) {
  return element('a', {
    ...attributes, href: addressOf(screen), draggable: 'false', onclick: (event) => {
      if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      leave();
      attempt(() => way.go(screen));
    },
  }, ...children);
}
