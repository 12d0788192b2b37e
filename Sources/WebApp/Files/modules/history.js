/**
 * Handles the browser's Back button. A few entries in the history represent all open screens and sheets, so that Back
 * leaves the page only when nothing is left to close. There are several because a browser can handle a second press
 * before it reports the first.
 */
const spare = 3;
let isThere = () => false;
let hasUnsaved = () => false;
/** Whether entries are being removed, which a browser does with a delay. */
let isTurning = false;

/** How many of these entries are below the current one. */
const level = () => Number(history.state?.isWayBack ?? 0);
let last = level();

/** Adds the entries while there is something to go back to, and removes them otherwise. */
export function keepWayBack() {
  if (isTurning) return;
  const kept = level();
  if (isThere()) {
    for (let next = kept + 1; next <= spare; next += 1) history.pushState({ isWayBack: next }, '');
  } else if (kept) {
    isTurning = true;
    history.go(-kept);
  }
  last = level();
}

/** Reloads the page without asking about unsaved input. A step in the history would cancel the reload. */
export function reload() {
  isTurning = true;
  hasUnsaved = () => false;
  location.reload();
}

/** Makes the browser ask before it leaves a page with unsaved input. */
export function askBeforeLeaving(whether) {
  hasUnsaved = whether;
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}

/**
 * @param whether returns whether there is something to go back to.
 * @param goBack called for each press that the browser reports.
 */
export function onWayBack(whether, goBack) {
  isThere = whether;
  addEventListener('popstate', () => {
    const isPressed = !isTurning && level() < last;
    isTurning = false;
    last = level();
    if (isPressed) goBack();
    keepWayBack();
  });
}
