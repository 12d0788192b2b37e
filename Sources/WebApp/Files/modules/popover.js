import { isRightToLeft } from './dom.js';
import { isWide } from './stage.js';

/** The buttons whose sheets open beside them in a wide window. */
const anchors = '.sidebar-entries button, .list-tools button, .select-bar button, .queue-mark button, .tag, '
  + '[data-action=add], .item-screen > header [data-action=edit]';
const gap = 8;

/** The button outside of sheets that was pressed last. Null after another key. */
let pressed = null;

addEventListener('click', ({ target }) => {
  if (!target.closest('dialog')) pressed = target.closest('button');
}, { capture: true });
addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Enter' && key !== ' ' && !target.closest?.('dialog')) pressed = null;
}, { capture: true });

/** Places an open sheet beside the button that opened it, if the window is wide. */
export function placeAtButton(sheet) {
  const button = pressed;
  if (!button?.matches(anchors)) return;
  const stop = new AbortController();
  sheet.addEventListener('close', () => stop.abort());
  // A frame later: at the event itself, Firefox still answers a media query for the old width.
  addEventListener('resize', () => requestAnimationFrame(() => place(sheet, button)), { signal: stop.signal });
  place(sheet, button);
}

function place(sheet, button) {
  const isBeside = isWide() && button.checkVisibility();
  sheet.classList.toggle('is-popover', isBeside);
  if (!isBeside) return sheet.removeAttribute('style');
  const at = button.getBoundingClientRect();
  const sidebar = button.closest('.sidebar')?.getBoundingClientRect();
  const { innerWidth: width, innerHeight: height } = window;
  const own = sheet.offsetWidth;
  const places = {};
  if (sidebar) {
    if (isRightToLeft()) places.right = width - sidebar.left + gap;
    else places.left = sidebar.right + gap;
    places.bottom = gap;
    places['max-height'] = height - 2 * gap;
  } else {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    places.left = Math.max(stage.left + gap, Math.min((at.left + at.right - own) / 2, stage.right - own - gap));
    const [above, below] = [at.top - 2 * gap, height - at.bottom - 2 * gap];
    if (below >= above) places.top = at.bottom + gap;
    else places.bottom = height - at.top + gap;
    places['max-height'] = Math.max(above, below);
  }
  sheet.removeAttribute('style');
  for (const [name, length] of Object.entries(places)) sheet.style.setProperty(name, `${length}px`);
  return undefined;
}
