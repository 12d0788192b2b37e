/**
 * The browser's own way back. One entry of its history stands for all that there is to go back from, screens and
 * sheets alike, so that the button leaves the page where, and only where, nothing is left to leave.
 */
let isThere = () => false;
/** While the entry is taken away again, which takes the browser a moment. */
let isTurning = false;

/** Has the next press of the browser's button come here, as long as there is something to go back from. */
export function keepWayBack() {
  const isKept = Boolean(history.state?.isWayBack);
  if (isTurning || isKept === isThere()) return;
  if (!isKept) return void history.pushState({ isWayBack: true }, '');
  isTurning = true;
  history.back();
}

/** Loads the page anew; a step in the browser's history would stop that. */
export function reload() {
  isTurning = true;
  location.reload();
}

/**
 * @param whether tells if there is something to go back from.
 * @param goBack is called for each press of the button.
 */
export function onWayBack(whether, goBack) {
  isThere = whether;
  addEventListener('popstate', (event) => {
    const isPressed = !isTurning && !event.state?.isWayBack;
    isTurning = false;
    if (isPressed) goBack();
    keepWayBack();
  });
}
