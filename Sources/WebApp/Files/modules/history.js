/**
 * The browser's own way back. A few entries of its history stand for all that there is to go back from, screens and
 * sheets alike, so that the button leaves the page where, and only where, nothing is left to leave. They are several
 * because a browser takes a second press before it has told the page of the first.
 */
const spare = 3;
let isThere = () => false;
let hasUnsaved = () => false;
/** While entries are taken away again, which takes the browser a moment. */
let isTurning = false;

/** How many of the entries are below the present one and to be gone back from. */
const level = () => Number(history.state?.isWayBack ?? 0);
let last = level();

/** Has the next presses of the browser's button come here, as long as there is something to go back from. */
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

/** Loads the page anew, whatever was typed; a step in the browser's history would stop that. */
export function reload() {
  isTurning = true;
  hasUnsaved = () => false;
  location.reload();
}

/** Has the browser ask before it leaves the page, where there is something unsaved. */
export function askBeforeLeaving(whether) {
  hasUnsaved = whether;
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}

/**
 * @param whether tells if there is something to go back from.
 * @param goBack is called for each press of the button that the browser tells of.
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
