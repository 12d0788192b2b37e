import { followSignOut } from "../modules/follow-sign-out.js";
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

// The token of this page is not the one of the web app.
followSignOut((isSignedOut) => { if (isSignedOut) clearPage(); });
// This window may have forgotten the token while the page was in the browser's cache.
addEventListener("pageshow", (event) => {
  if (event.persisted && token() !== "" && token() !== session.docsToken) clearPage();
});
