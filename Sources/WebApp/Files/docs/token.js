import { session } from "../modules/session.js";

const watchers = [];
const input = document.getElementById("credential");

/** The token for calls. It is kept until the tab is closed, and only there. */
export const token = () => input.value.trim();

export function onTokenChange(watcher) { watchers.push(watcher); }

input.value = session.docsToken ?? "";
input.addEventListener("input", () => {
  session.docsToken = token();
  for (const watcher of watchers) watcher();
});

/** Removes the token, and the data read with it, from the page. */
function clearPage() {
  input.value = "";
  document.getElementById("main").replaceChildren();
  location.reload();
}

/** Forgets the token if another window of this browser has signed out. */
function follow() {
  if (!session.isSignedOut) return;
  session.forgetOwn();
  if (token() !== "") clearPage();
}

addEventListener("storage", follow);
// A page restored from the browser's cache has received no events, and this window may have forgotten the token.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  follow();
  if (token() !== "" && token() !== session.docsToken) clearPage();
});
