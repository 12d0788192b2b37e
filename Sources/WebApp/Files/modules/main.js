import { addressOf, isSameScreen, screenAt } from './address.js';
import { api, base, Disconnected, listeners, pauseAfterTrouble, Problem } from './api.js';
import { caller } from './caller.js';
import { delay, idle } from './dom.js';
import { EventStream } from './events.js';
import { askBeforeLeaving, beginHistory, entryState, followHistory, keepWithEntry, reload, replaceEntry } from './history.js';
import { keepShell } from './install.js';
import { takeInvitation } from './invitation.js';
import { eraseFormer, kept, openKept, startKept } from './kept.js';
import { listenForKeys } from './keys.js';
import { ListScreen } from './list-screen.js';
import { mirrors } from './mirrors.js';
import { attempt, notify, OfflineNotice } from './notices.js';
import { openSheets } from './open-sheets.js';
import { place } from './place.js';
import { keepTyped, loadRowActs, rowActs } from './row-acts.js';
import { loaded, loadedInBackground, sheets } from './sheets.js';
import { Sidebar } from './sidebar.js';
import { clearPage, onSignOut } from './sign-out.js';
import { say } from './speech.js';
import { isWide, onWidth, Stage } from './stage.js';
import { readStart } from './start.js';
import { drawTabBar } from './tab-bar.js';
import { session } from './session.js';
import { hasText, imported, text } from './texts.js';
import { isGone, way } from './way.js';

const stage = new Stage(document.querySelector('.stage'));
const sidebar = new Sidebar();
const stream = new EventStream();
let isStarted = false;
/** The code of an invitation at the page's address, until it is asked about. */
let invitation = takeInvitation() ?? session.invitation;

/** The events received while a screen is loading, for each such screen: its responses may be older. */
const underway = new Set();

/** Makes the screen of an entry. */
async function made(entry) {
  const { listId, itemId, photo } = entry.screen;
  if (entry.problem) return (await loaded(import('./problem-screen.js'))).ProblemScreen.load(entry);
  if (listId) return new ListScreen(entry, await mirrors.of(listId)).prepare();
  if (itemId && photo === undefined) return (await loaded(import('./item-screen.js'))).ItemScreen.load(entry);
  if (itemId) return (await loaded(import('./photo-screen.js'))).PhotoScreen.load(entry);
  return (await loaded(import('./about-screen.js'))).AboutScreen.load(entry);
}

/** Makes the screen of an entry, or updates the current one. Resolves to a function that shows it. */
async function prepare(entry, cause) {
  const old = stage.screen;
  const isThere = old && way.isAt(entry.screen) && !entry.problem && !way.now.problem;
  if (isThere && !['enter', 'tab'].includes(cause)) return () => old.update(entry);
  const { beside: known } = stage;
  const isBeside = known && isSameScreen(known.screen, entry.screen) && !entry.problem && !['enter', 'tab'].includes(cause);
  // The list stays as it is, also sorted or searched meanwhile.
  if (isBeside && cause === 'pop') entry.screen = known.screen;
  const heard = [];
  if (!isBeside) underway.add(heard);
  const screen = isBeside ? known : await made(entry).finally(() => underway.delete(heard));
  const beside = await besideOf(screen);
  return () => {
    const isInList = stage.list?.element.contains(document.activeElement);
    stage.show(screen, cause, beside);
    if (isBeside) screen.update(entry);
    noteTitle();
    markRow();
    if (isInList && stage.beside && stage.list.element.contains(document.activeElement)) say(screen.title);
    else if (cause !== 'enter') screen.focus(cause === 'pop' && old ? old.screen.itemId ?? old.screen.listId : undefined);
    for (const event of heard) attempt(() => screen.hear?.(event));
    if (entry.form && !session.draft?.form) attempt(() => resume(screen, entry));
  };
}

/** Opens the form that another client left open over a screen, to finish or cancel it. */
async function resume(screen, { form }) {
  await screen.resume(form);
  await openSheets.top?.whenClosed;
  way.note(screen.screen, { form: undefined });
}

/** Opens the form again in which somebody was typing when the page had to be loaded again. */
async function goOnTyping({ form }) {
  if (form) {
    way.note(way.now.screen, { form: undefined });
    await sheets[form.sheet](form.id, form.given);
    // Another person of this inventory may be signed in, who does not see the list.
    if (!openSheets.hasUnsaved) return;
  }
  session.draft = null;
}

/** The list to show beside a screen in a wide window: the one that contains its item. Null for none. */
async function besideOf(screen) {
  const found = isWide() && screen.screen.itemId ? screen.above?.find(({ listId }) => listId) : undefined;
  if (!found) return null;
  if (stage.list && isSameScreen(stage.list.screen, found)) return stage.list;
  try {
    return await new ListScreen({ screen: found }, await mirrors.of(found.listId)).prepare();
  } catch (error) {
    // Without the list, the screen has the whole window.
    if (error instanceof Problem || error instanceof Disconnected) return null;
    throw error;
  }
}

/** Shows the right list beside the current screen, after changes of the window's width or of the item's list. */
async function accompany() {
  const { screen } = stage;
  if (!screen) return;
  const beside = await besideOf(screen);
  if (screen !== stage.screen) return;
  if (beside !== stage.beside) stage.show(screen, null, beside);
  noteTitle();
  markRow();
}

/** Marks the row of the current screen's item, and its list in the sidebar. */
function markRow() {
  const { list, screen } = stage;
  list?.choose?.(list === screen ? null : screen.screen.itemId);
  sidebar.show(list);
}

/** Shows the current screen's title in the window and in the tabs, and keeps the place. */
function noteTitle() {
  const title = stage.screen?.title;
  if (!title) return;
  document.title = `${title} – Rowhouse`;
  stage.mark();
  place.show(way.now, title);
}

/** Applies changes made by others or in other windows. */
async function hear(event) {
  const { screen } = stage;
  for (const heard of underway) heard.push(event);
  await mirrors.receive(event);
  // A deleted row may have contained the list or item of the screen.
  const mayBeGone = event.deltas.some((delta) => delta.resync || delta.deletes.length);
  try {
    if (mayBeGone) await screen?.verify?.();
    await screen?.hear?.(event);
  } catch (error) {
    if (!isGone(error)) throw error;
    session.forgetStart();
    if (screen === stage.screen) await way.giveWay(screen.above);
  }
  await accompany();
}

/** Runs work in the background, and repeats it while the server fails or cannot be reached. Reports other errors. */
const inTheEnd = (work) => attempt(async () => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!error.mayPass && !(error instanceof Disconnected)) throw error;
      await delay(pauseAfterTrouble);
    }
  }
});

/** Shows the current screen as it is now, after changes that were missed. */
async function catchUp() {
  // A screen that could not be shown earlier is shown now.
  await way.retry();
  stage.screen.refresh();
  stage.beside?.refresh();
  await sidebar.reload();
  place.save();
}

/** Keeps the lists in this browser, once the page has nothing more urgent to do. */
async function keepLists() {
  await idle();
  await inTheEnd(openKept);
  mirrors.follow(kept);
  // The user does not wait for these, so keys still have their effect meanwhile.
  (await imported(import('./queue.js'))).markQueue();
  // From then on, the browser's own command prints lists.
  await imported(import('./paper.js'));
  keepShell();
  await inTheEnd(startKept);
}

function listen(revision) {
  new OfflineNotice(stream);
  stream.addEventListener('change', (event) => inTheEnd(() => hear(event.detail)));
  stream.addEventListener('change', (event) => inTheEnd(() => sidebar.hear(event.detail)));
  const leave = async (address) => {
    if (openSheets.hasUnsaved) notify(text('goneHere'), { isTrouble: true });
    await openSheets.allSaved();
    // The token may have been revoked. What was typed is there for the next one.
    keepTyped();
    reload(address);
  };
  stream.addEventListener('resync', () => inTheEnd(async () => {
    const { rootListId } = await api.get('/v1/me');
    // An import has replaced everything.
    if (rootListId !== caller().rootListId) return leave(`${base}/`);
    await mirrors.reload();
    await hear({ deltas: [{ resync: true }], items: [] });
    await catchUp();
  }));
  stream.addEventListener('gone', () => leave());
  stream.addEventListener('joined', () => inTheEnd(async () => {
    await mirrors.loadMissed();
    await catchUp();
  }));
  stream.start(revision);
  attempt(keepLists);
  listenForKeys(() => stage.focused, () => stage.list);
  onWidth(() => inTheEnd(accompany));
}

/** Keeps with the entry in the history to which tab and inventory its screen belongs. */
const noteTab = () => keepWithEntry({ tab: place.tab?.id, inventory: session.inventory });

/** Begins at an entry. */
function begin({ screen, mode, top, form, isFirst }) {
  replaceEntry(addressOf(screen), { mode, top, form, isFirst });
  return way.arrive('enter');
}

/** Begins at the address. Without a connection, its screen may have to wait. */
async function beginAtAddress() {
  try {
    await way.arrive('enter');
  } catch (error) {
    if (!(error instanceof Disconnected) || !kept) throw error;
    await way.waitHere(error);
  }
}

/** Begins at the last entry. Without a connection, at the first list if only that one is kept. */
async function beginAgain() {
  const first = { screen: { listId: 'root' } };
  try {
    await begin(session.entry ?? first);
  } catch (error) {
    if (!(error instanceof Disconnected) || !kept) throw error;
    await begin(first);
  }
}

async function start() {
  if (!stage.screen) document.querySelector('.stage').setAttribute('aria-busy', 'true');
  // The user is asked once the page knows what waits to be sent.
  if (!session.token) await inviteIn();
  // A browser that kept lists shows them with the changes that wait.
  const hasKept = session.keptLanguage !== null;
  if (hasKept) import('../client/offline.js').catch(() => {});
  const revision = await readStart();
  const { draft } = session;
  if (draft?.rows) (await loadRowActs()).takeNewRows(draft.rows, draft.tokenId === (caller().tokenId ?? null));
  if (hasKept) await openKept();
  // Even if the first screen cannot be shown.
  if (kept?.status.waiting.length) kept.start();
  const isNamed = screenAt(location) !== null;
  if (isNamed) await beginAtAddress();
  else if (session.entry || !session.navigator) await beginAgain();
  // Without an address, a screen that is gone is no place to begin at.
  if (isNamed || (way.now && !way.now.problem)) {
    inTheEnd(async () => {
      await place.join();
      noteTab();
      noteTitle();
      if (place.isNew && !isNamed) await offer();
    });
  } else {
    await begin(await place.find());
    noteTab();
  }
  document.querySelector('.stage').removeAttribute('aria-busy');
  attempt(() => sidebar.start());
  listen(revision);
  isStarted = true;
  if (draft) attempt(() => goOnTyping(draft));
  attempt(inviteIn);
  attempt(shareAsMeant);
}

/** Asks about the invitation at the page's address, once. */
async function inviteIn() {
  if (!invitation) return;
  const { askInvitation } = await (session.token ? loaded : imported)(import('./invitation-sheet.js'));
  const code = invitation;
  invitation = null;
  // For a page that is loaded again meanwhile.
  session.invitation = code;
  await askInvitation(code);
  session.invitation = null;
}

/** Goes on with sharing a list, which had to wait until the server was protected. */
async function shareAsMeant() {
  const { sharing } = session;
  if (!sharing) return;
  session.sharing = null;
  (await loaded(import('./share-sheet.js'))).showShare(sharing);
}

/** Offers to protect the server, or to continue at the place of another device. */
async function offer() {
  const { offerProtection } = await loadedInBackground(import('./protect-sheet.js'));
  if (!offerProtection()) await (await loadedInBackground(import('./settings-sheet.js'))).offerPlace();
}

/**
 * Asks for a token. A page in use is cleared and reloaded, because another token may see other data. What was typed is
 * kept for the page that is loaded.
 */
async function renewToken(isWrong) {
  if (isStarted || kept) {
    keepTyped(openSheets.draft);
    clearPage();
    await new Promise(() => {});
  }
  // A token that is refused must not come between the person and an invitation.
  const refused = session.token;
  session.dropToken();
  await eraseFormer(refused);
  await inviteIn();
  const { askToken } = await imported(import('./token-sheet.js'));
  for (let isRefused = isWrong; !session.token; isRefused = false) {
    invitation = await askToken(isRefused);
    await inviteIn();
  }
}

way.prepare = prepare;
way.noted = () => {
  place.select(entryState().tab);
  place.show(way.now);
};
place.drawn = drawTabBar;
listeners.askForToken = renewToken;
onSignOut(() => {
  stream.stop();
  kept?.stop().catch(() => {});
});
// Photos are on their way while their progress is shown.
askBeforeLeaving(() => openSheets.hasUnsaved || Boolean(rowActs?.hasUnsavedRows())
  || document.querySelector('.photo-progress') !== null);

/** Shows why the server lets the page see nothing, with a way to sign out. Resolves to the screen. */
async function showRefusal(problem) {
  const { ProblemScreen } = await imported(import('./problem-screen.js'));
  const screen = new ProblemScreen({ screen: { about: true }, problem }, null);
  stage.show(screen, 'enter');
  document.querySelector('.stage').removeAttribute('aria-busy');
  say(screen.title);
  return screen;
}

/** Starts, with retries until the server is reached and lets the page see something. */
async function run() {
  await beginHistory();
  followHistory(
    {
      isOpen: () => Boolean(openSheets.top && !openSheets.top.isRequired), hasUnsaved: () => openSheets.hasUnsaved,
      leave: () => openSheets.top.leave(), closeAll: () => openSheets.closeAll(),
    },
    (to, from) => attempt(() => way.moved(to, from)));
  // The place is saved before the window is hidden or closed.
  addEventListener('visibilitychange', () => document.hidden && place.save());
  addEventListener('pagehide', ({ persisted }) => {
    place.save();
    // The person reloads the page while rows are on their way.
    if (!persisted && rowActs?.hasUnsavedRows()) keepTyped();
  });
  if (entryState().inventory) session.visit(entryState().inventory);
  const notice = document.querySelector('.notice');
  let refusal = null;
  for (let wait = 500; ; wait = Math.min(2 * wait, 10_000)) {
    try {
      await start();
      break;
    } catch (error) {
      // The chosen inventory no longer exists.
      if (error.status === 404 && session.inventory) {
        session.forgetInventory();
        reload(`${base}/`);
        break;
      }
      const isRefused = error instanceof Problem && !error.mayPass;
      if (isRefused && !stage.screen) refusal = await showRefusal(error).catch(() => null);
      notice.hidden = isRefused && refusal !== null && stage.screen === refusal;
      const offline = hasText('offline') ? text('offline') : '…';
      notice.textContent = error instanceof Problem ? error.message : offline;
      if (!(error instanceof Error)) throw error;
      console.warn(error);
      await delay(wait);
    }
  }
  notice.hidden = true;
}

run();
