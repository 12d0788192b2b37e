let held = null;
/**
 * The channel by which the windows of a browser ask each other. Browsers offer locks only over HTTPS, and on the server's
 * own machine.
 */
const others = navigator.locks ? null : new BroadcastChannel('rowhouse.place');
/** Milliseconds in which other windows can claim a place. */
const answerTime = 200;

/** Claims a place for this window while it is open. Resolves to false if another window of this browser has it. */
export async function hold(id) {
  if (held === id) return true;
  if (others) return holdByAsking(id);
  return new Promise((answer) => {
    navigator.locks.request(`rowhouse.place.${id}`, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      if (!lock) return undefined;
      held = id;
      return new Promise(() => {});
    });
  });
}

async function holdByAsking(id) {
  const isTaken = await new Promise((answer) => {
    others.onmessage = ({ data }) => data.taken === id && answer(true);
    others.postMessage({ wanted: id });
    setTimeout(() => answer(false), answerTime);
  });
  if (!isTaken) held = id;
  others.onmessage = ({ data }) => data.wanted === held && others.postMessage({ taken: held });
  return !isTaken;
}
