/** Milliseconds before the page shows that it waits. */
const shownAfter = 400;

let waits = 0;
let timer = 0;

/** Shows that the page waits if a promise takes long. Resolves like the promise. */
export async function shownWaiting(promise) {
  waits += 1;
  if (waits === 1) timer = setTimeout(() => document.body.classList.add('is-waiting'), shownAfter);
  try {
    return await promise;
  } finally {
    waits -= 1;
    if (!waits) {
      clearTimeout(timer);
      document.body.classList.remove('is-waiting');
    }
  }
}
