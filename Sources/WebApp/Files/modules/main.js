import { AboutScreen } from './about-screen.js';
import { api, listeners, pauseAfterTrouble, Problem } from './api.js';
import { applyAppearance } from './appearance.js';
import { introduce } from './caller.js';
import { delay } from './dom.js';
import { EventStream } from './events.js';
import { askBeforeLeaving, keepWayBack, onWayBack, reload } from './history.js';
import { ItemScreen } from './item-screen.js';
import { ListScreen } from './list-screen.js';
import { mirrors } from './mirrors.js';
import { attempt, notify, OfflineNotice, redo, undo } from './notices.js';
import { PhotoScreen } from './photo-screen.js';
import { isSame, place } from './place.js';
import { Sheet } from './sheet.js';
import { clearPage, onSignOut } from './sign-out.js';
import { Stage } from './stage.js';
import { drawTabBar } from './tab-bar.js';
import { session } from './session.js';
import { hasText, loadTexts, text } from './texts.js';
import { askToken } from './token-sheet.js';

const stage = new Stage(document.querySelector('.stage'));
const stream = new EventStream();
let isStarted = false;

/** The events received while a screen is loading, for each such screen: its responses may be older. */
const underway = new Set();

/** The screen of an entry in the navigator's stack. */
async function made(entry) {
  if (entry.listId) return new ListScreen(entry, await mirrors.of(entry.listId)).prepare();
  if (entry.itemId) return entry.photos ? PhotoScreen.load(entry) : ItemScreen.load(entry);
  return AboutScreen.load(entry);
}

/** Shows the navigator's current screen. */
async function follow(cause) {
  drawTabBar();
  const entry = place.top;
  const depth = place.stack.length;
  document.title = entry.navigationBar.title;
  keepWayBack();
  const old = stage.screen;
  const isThere = old && isSame(old.entry, entry) && old.depth === depth && old.tab === place.tab.id;
  if (isThere && cause !== 'enter') {
    old.update(entry);
    return;
  }
  const heard = [];
  underway.add(heard);
  const screen = await made(entry).finally(() => underway.delete(heard));
  screen.depth = depth;
  screen.tab = place.tab.id;
  const way = cause === 'update' && old ? (depth < old.depth ? 'pop' : 'none') : cause;
  stage.show(screen, way);
  if (cause !== 'enter') screen.focus(way === 'pop' ? old.entry.itemId ?? old.entry.listId : undefined);
  for (const event of heard) attempt(() => screen.hear?.(event));
}

/** Whether there is a sheet to close, or a screen to go back to. */
const hasWayBack = () => (Sheet.top ? !Sheet.top.isRequired : Boolean(place.now) && place.stack.length > 1);

/** Handles Back: closes the topmost sheet, or goes to the previous screen. */
function goBack() {
  if (Sheet.top) Sheet.top.leave();
  else if (hasWayBack()) attempt(() => place.pop());
}

/** Applies changes made by others or in other windows. */
async function hear(event) {
  const { deltas, items } = event;
  for (const heard of underway) heard.push(event);
  await mirrors.receive(event);
  const onStack = new Set(place.stack.flatMap((entry) => [entry.itemId, entry.listId]));
  const isNamed = deltas.some((delta) => delta.list && onStack.has(delta.listId)) || items.some((id) => onStack.has(id));
  // A deleted row may have contained the list or item of a screen.
  const mayBeGone = place.stack.length > 1 && deltas.some((delta) => delta.resync || delta.deletes.length);
  if (isNamed || mayBeGone) await place.refresh();
  // After the refresh, the current screen's list or item exists.
  await stage.screen?.hear?.(event);
}

/** Runs work in the background, and repeats it while the server fails for the moment. Reports other errors. */
const inTheEnd = (work) => attempt(async () => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!error.mayPass) throw error;
      await delay(pauseAfterTrouble);
    }
  }
});

function listen() {
  new OfflineNotice(stream);
  stream.addEventListener('change', (event) => inTheEnd(() => hear(event.detail)));
  stream.addEventListener('resync', () => inTheEnd(async () => {
    await mirrors.reload();
    await place.refresh();
    stage.screen?.refresh();
  }));
  stream.addEventListener('gone', async () => {
    if (Sheet.hasUnsaved) notify(text('goneHere'), { isTrouble: true });
    await Sheet.allSaved();
    reload();
  });
  stream.addEventListener('joined', (event) => inTheEnd(async () => {
    if (event.detail.isFirst) await mirrors.catchUp();
    else await mirrors.loadMissed();
    // A screen that could not be shown earlier is shown now.
    await place.refresh();
    stage.screen.refresh();
  }));
  stream.start();
  addEventListener('keydown', (event) => {
    // In sheets and inputs, the keys belong to the text.
    if (Sheet.top || event.target.closest?.('input, textarea, select')) return;
    const key = event.key.toLowerCase();
    // Browsers on a Mac use Command and Y themselves.
    if ((event.ctrlKey && key === 'y') || ((event.ctrlKey || event.metaKey) && key === 'z')) {
      event.preventDefault();
      attempt(() => (key === 'y' || event.shiftKey ? redo() : undo()));
    }
    if (key === '/') {
      const field = document.querySelector('.search-field input');
      if (field) event.preventDefault();
      field?.focus();
    }
  });
}

async function start() {
  await loadTexts();
  document.querySelector('.stage').setAttribute('aria-busy', 'true');
  await introduce();
  applyAppearance(await api.get('/v1/appearance'));
  await place.enter();
  document.querySelector('.stage').removeAttribute('aria-busy');
  listen();
  isStarted = true;
}

/** Asks for a token. A page in use is cleared and reloaded, because another token may see other data. */
async function renewToken(isWrong) {
  if (isStarted) {
    clearPage();
    await new Promise(() => {});
  }
  await askToken(isWrong);
}

place.follow = follow;
listeners.askForToken = renewToken;
onSignOut(() => stream.stop());
onWayBack(hasWayBack, goBack);
askBeforeLeaving(() => Sheet.hasUnsaved);

/** Starts, with retries until the server is reached. */
for (let wait = 500; ; wait = Math.min(2 * wait, 10_000)) {
  try {
    await start();
    break;
  } catch (error) {
    // The chosen inventory no longer exists.
    if (error.status === 404 && session.inventory) {
      session.forgetInventory();
      continue;
    }
    const notice = document.querySelector('.notice');
    notice.hidden = false;
    const offline = hasText('offline') ? text('offline') : '…';
    notice.textContent = error instanceof Problem ? error.message : offline;
    if (!(error instanceof Error)) throw error;
    console.warn(error);
    await delay(wait);
  }
}
document.querySelector('.notice').hidden = true;
