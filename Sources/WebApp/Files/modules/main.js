import { AboutScreen } from './about-screen.js';
import { api, listeners } from './api.js';
import { applyAppearance } from './appearance.js';
import { delay, element } from './dom.js';
import { EventStream } from './events.js';
import { ItemScreen } from './item-screen.js';
import { ListScreen } from './list-screen.js';
import { mirrors } from './mirrors.js';
import { attempt, OfflineNotice, undo } from './notices.js';
import { PhotoScreen } from './photo-screen.js';
import { place } from './place.js';
import { Stage } from './stage.js';
import { drawTabBar } from './tab-bar.js';
import { loadTexts, text } from './texts.js';
import { askToken } from './token-sheet.js';

const stage = new Stage(document.querySelector('.stage'));
const stream = new EventStream();
let turns = Promise.resolve();

/** The screen that goes with an entry of the navigator's stack. */
async function made(entry) {
  if (entry.listId) return new ListScreen(entry, await mirrors.of(entry.listId));
  if (entry.itemId) return entry.photos ? PhotoScreen.load(entry) : ItemScreen.load(entry);
  return AboutScreen.load(entry);
}

const isSame = (one, other) =>
  ['listId', 'itemId', 'photos', 'about', 'custom'].every((key) => one[key] === other[key]);

/** Brings the page to where the navigator is. */
async function follow(cause, depth) {
  drawTabBar();
  const entry = place.top;
  document.title = entry.navigationBar.title;
  keepHistory();
  const old = stage.screen;
  const isThere = old && isSame(old.entry, entry) && old.depth === depth && old.tab === place.tab.id;
  if (isThere && cause !== 'enter') {
    old.update(entry);
    return;
  }
  const screen = await made(entry);
  screen.depth = depth;
  screen.tab = place.tab.id;
  const way = cause === 'update' && old ? (depth < old.depth ? 'pop' : 'none') : cause;
  stage.show(screen, way);
  if (cause !== 'enter') screen.focus(way === 'pop' ? old.entry.itemId ?? old.entry.listId : undefined);
}

/** One after the other, so that the page ends where the navigator does. */
function followPlace(event) {
  const { cause } = event.detail;
  const depth = place.stack.length;
  turns = turns.then(() => attempt(() => follow(cause, depth)));
}

/** The browser's own way back leads to the screen before, as long as there is one. */
function keepHistory() {
  const isDeep = place.stack.length > 1;
  if (isDeep && !history.state?.isDeep) history.pushState({ isDeep: true }, '');
}

function goBack() {
  if (place.stack.length < 2) return;
  document.querySelector('dialog[open]:last-of-type')?.close();
  attempt(() => place.pop());
}

/** What others have changed, or another window. */
async function hear(event) {
  const { deltas, items } = event;
  await mirrors.receive(event);
  const onStack = new Set(place.stack.flatMap((entry) => [entry.itemId, entry.listId]));
  const { entry } = stage.screen ?? {};
  if (entry?.itemId && items.includes(entry.itemId)) stage.screen.refresh();
  const isNamed = deltas.some((delta) => delta.list && onStack.has(delta.listId)) || items.some((id) => onStack.has(id));
  // Whatever is deleted may have been above a screen, or below one of its ancestors.
  const mayBeGone = place.stack.length > 1 && deltas.some((delta) => delta.resync || delta.deletes.length);
  if (isNamed || mayBeGone) await place.refresh();
}

function listen() {
  new OfflineNotice(stream);
  stream.addEventListener('change', (event) => attempt(() => hear(event.detail)));
  stream.addEventListener('resync', () => attempt(async () => {
    await mirrors.reload();
    await place.refresh();
    stage.screen?.refresh();
  }));
  stream.addEventListener('gone', () => location.reload());
  stream.addEventListener('joined', (event) => attempt(async () => {
    if (event.detail.isFirst) await mirrors.catchUp();
    stage.screen?.refresh();
  }));
  stream.start();
  addEventListener('popstate', (event) => {
    if (!event.state?.isDeep) goBack();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select');
    if (!isTyping && event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      attempt(() => undo());
    }
    if (!isTyping && event.key === '/' && !document.querySelector('dialog[open]')) {
      const field = document.querySelector('.search-field input');
      if (field) event.preventDefault();
      field?.focus();
    }
  });
}

async function start() {
  await loadTexts();
  document.querySelector('.stage').setAttribute('aria-busy', 'true');
  applyAppearance(await api.get('/v1/appearance'));
  await place.enter();
  await turns;
  document.querySelector('.stage').removeAttribute('aria-busy');
  listen();
}

place.addEventListener('change', followPlace);
listeners.askForToken = askToken;

/** Until the server can be reached. */
for (let wait = 500; ; wait = Math.min(2 * wait, 10_000)) {
  try {
    await start();
    break;
  } catch (error) {
    const notice = document.querySelector('.notice');
    notice.hidden = false;
    notice.replaceChildren(element('span', {}, text('offline') === 'offline' ? '…' : text('offline')));
    if (!(error instanceof Error)) throw error;
    console.warn(error);
    await delay(wait);
  }
}
document.querySelector('.notice').hidden = true;
