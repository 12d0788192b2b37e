const key = "rowhouse-token";
const watchers = [];
const input = document.getElementById("credential");

/** The token that calls show; it is kept until the tab is closed, and nowhere else. */
export const token = () => input.value.trim();

export function onTokenChange(watcher) { watchers.push(watcher); }

input.value = sessionStorage.getItem(key) ?? "";
input.addEventListener("input", () => {
  if (token()) sessionStorage.setItem(key, token());
  else sessionStorage.removeItem(key);
  for (const watcher of watchers) watcher();
});
