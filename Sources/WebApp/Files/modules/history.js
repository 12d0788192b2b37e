import { delay } from './dom.js';

/**
 * The entries of the browser's history: one for each screen, and one more while sheets are open, so that Back closes the
 * top sheet. Each has a state with its `index`, the path of the screen `below` it, and what the page keeps with it.
 */

let hasUnsaved = () => false;
let sheets = { isOpen: () => false, hasUnsaved: () => false, leave: () => {}, closeAll: () => {} };
let moved = () => {};
/** The address and the state of the current screen. While a sheet is open, the current entry is another one. */
let here = { address: '', state: { index: 0 } };
/** A step that the page itself makes through the history: `{done, finish}`. */
let turn = null;

/** What the current entry keeps. */
export const entryState = () => here.state;

const pathIn = (address) => address.split('?')[0];

function enter(address, state) {
  here = { address, state };
}

/** The milliseconds after which a step through the history has failed. A browser drops one that meets a reload. */
const longestTurn = 2000;
/** The same while nothing is shown yet. */
const longestFirstTurn = 300;

/** Goes through the history without telling the page. A browser does it with a delay. */
function turnBy(steps, longest = longestTurn) {
  let finish;
  const done = new Promise((resolve) => (finish = resolve));
  const begun = { done, finish };
  turn = begun;
  history.go(steps);
  setTimeout(() => turn === begun && endTurn(), longest);
  return done;
}

function endTurn() {
  const { finish } = turn;
  turn = null;
  arrived();
  finish();
}

const isSheetEntry = () => Boolean(history.state?.isSheet);

/** Takes over the entry that the page was loaded with. */
export async function beginHistory() {
  history.scrollRestoration = 'manual';
  // The page was reloaded while a sheet was open.
  if (isSheetEntry()) await turnBy(-1, longestFirstTurn);
  const { isSheet, ...state } = { index: 0, ...history.state };
  // The step has failed. One more press of Back then leads to the same screen.
  if (isSheet) history.replaceState(state, '');
  enter(location.pathname + location.search, state);
}

/** Adds an entry for a screen. The entry of an open sheet becomes that of the screen. */
export async function pushEntry(address, state) {
  while (turn) await turn.done;
  const entry = { ...state, below: pathIn(here.address), index: here.state.index + 1 };
  if (isSheetEntry()) history.replaceState(entry, '', address);
  else history.pushState(entry, '', address);
  enter(address, entry);
}

/** Changes the address of the current screen, and what its entry keeps. */
export function replaceEntry(address, change = {}) {
  enter(address, { ...here.state, ...change });
  // A browser that is on its way between entries would change another one. `arrived` changes the right one later.
  if (turn) return;
  history.replaceState(isSheetEntry() ? { ...here.state, isSheet: true } : here.state, '', address);
}

/** Keeps more with the entry of the current screen. */
export const keepWithEntry = (change) => replaceEntry(here.address, change);

/** Whether Back would lead to another screen, and not close a sheet. */
export const backLeavesScreen = () => !turn && !isSheetEntry();

/** Goes back as the browser's button does. */
export const goBack = () => history.back();

/** Adds the entry for sheets while any is open, and removes it afterwards. */
export async function sheetsChanged() {
  while (turn) await turn.done;
  if (sheets.isOpen() === isSheetEntry()) return;
  if (isSheetEntry()) await turnBy(-1);
  else history.pushState({ ...here.state, isSheet: true }, '', here.address);
}

/** Writes what has changed while the entry of a sheet was the current one. */
function arrived() {
  if (!isSheetEntry() && history.state?.index === here.state.index) history.replaceState(here.state, '', here.address);
}

/** Handles a step through the history by the person, or the end of one by the page. */
addEventListener('popstate', async () => {
  if (turn) {
    endTurn();
    return;
  }
  // The browser has made an entry by itself, for a changed hash. It shows the same screen.
  if (!history.state) {
    const state = { ...here.state, index: here.state.index + 1, below: pathIn(here.address) };
    history.replaceState(state, '');
    enter(location.pathname + location.search, state);
    return;
  }
  const { isSheet, ...to } = history.state;
  const steps = here.state.index - to.index;
  if (sheets.isOpen()) {
    const isFar = steps !== 0;
    if (!isFar || sheets.hasUnsaved()) {
      // Several quick presses. The page comes back to the sheet, which asks about the input.
      if (isFar) await turnBy(isSheet ? steps : steps + 1);
      // If a sheet stays open, because of a question or another one below it, there is a new entry for it.
      sheets.leave();
      arrived();
      return;
    }
    sheets.closeAll();
  }
  // Forward to the entry of a sheet that was closed by Back.
  if (isSheet && steps === 0) return void turnBy(-1);
  const from = here.state;
  enter(location.pathname + location.search, to);
  moved(to, from);
});

/**
 * @param given `isOpen`: whether a sheet is open. `hasUnsaved`: whether one has unsaved input. `leave`: leaves the topmost
 *   one, possibly after a question. `closeAll`: closes all.
 * @param tell called when the person has come to another entry, with its state and the former one.
 */
export function followHistory(given, tell) {
  sheets = given;
  moved = tell;
}

/** The most milliseconds that a reload waits for photos on their way. */
const longestWait = 30_000;

/** Reloads the page without asking about unsaved input. With an address, at this one, and nothing is kept with its entry. */
export async function reload(address) {
  // While their progress is shown, photos are on their way.
  for (let left = longestWait; left > 0 && document.querySelector('.photo-progress'); left -= 100) await delay(100);
  hasUnsaved = () => false;
  // A step in the history would cancel the reload, so one that has begun is awaited, and no other one begins.
  if (turn) await turn.done;
  turn = { done: new Promise(() => {}), finish: () => {} };
  if (address !== undefined) history.replaceState(null, '', address);
  location.reload();
}

/** Makes the browser ask before it leaves a page with unsaved input. */
export function askBeforeLeaving(whether) {
  hasUnsaved = whether;
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}
