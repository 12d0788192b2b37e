/**
 * The browser's own way back. One entry of its history stands for all that there is to go back from, screens and
 * sheets alike, so that the button leaves the page only where nothing is left to leave.
 */

/** Has the next press of the browser's button come here. */
export function keepWayBack() {
  if (!history.state?.isWayBack) history.pushState({ isWayBack: true }, '');
}

/** @param goBack is called for each such press. */
export function onWayBack(goBack) {
  addEventListener('popstate', (event) => {
    if (!event.state?.isWayBack) goBack();
  });
}
