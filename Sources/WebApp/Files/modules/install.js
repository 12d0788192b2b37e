import { base } from './api.js';

/**
 * Lets the browser open the app without a server, by a service worker. Pages have none without TLS, except on the
 * computer of the server. https://developer.mozilla.org/en-US/docs/Web/Security/Secure_Contexts
 */
export function keepShell() {
  // In development, the modules come one by one and change all the time.
  if (!/\/app-[0-9a-f]+\/[^/]*$/.test(import.meta.url)) return;
  // A browser may refuse, for example in a private window. The page works without a worker.
  navigator.serviceWorker?.register(`${base}/worker.js`).catch(() => {});
}
