import { session } from "../modules/session.js";

const watchers = [];
const input = document.getElementById("credential");

/** The token that calls show; it is kept until the tab is closed, and nowhere else. */
export const token = () => input.value.trim();

export function onTokenChange(watcher) { watchers.push(watcher); }

input.value = session.docsToken ?? "";
input.addEventListener("input", () => {
  session.docsToken = token();
  for (const watcher of watchers) watcher();
});

/** Leaves nothing to read of the token, nor of what was asked with it. */
function clearPage() {
  input.value = "";
  document.getElementById("main").replaceChildren();
  location.reload();
}

/** Forgets the token where a window of this browser has signed out. */
function follow() {
  if (!session.isSignedOut) return;
  session.forgetOwn();
  if (token() !== "") clearPage();
}

addEventListener("storage", follow);
// A page that the browser had put aside has heard of nothing, and this window may have forgotten the token since.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  follow();
  if (token() !== "" && token() !== session.docsToken) clearPage();
});
