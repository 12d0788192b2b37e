/**
 * Opens the app while the server cannot be reached. It keeps the page and its files of one version, and no data: those
 * are kept by the page itself. Every page comes from the server if it answers, so a new version is used by the next load.
 */

/** The folder of this version's files. The build sets it. */
const folder = '';
const page = new URL('./', location).href;
/** Other servers may have the same origin. */
const ownCaches = `rowhouse ${page} `;
const cacheName = ownCaches + folder;
/** Milliseconds to wait for the server's answer. A network may drop all requests without an error. */
const longestWait = 3000;
const files = ['app.js', 'later.js', 'style.css', 'later.css', 'theme.js'].map((name) => new URL(`${folder}/${name}`, page).href);
const others = ['icon.svg', 'icon-192.png', 'manifest.webmanifest'].map((name) => new URL(name, page).href);

/** The addresses of the app's screens. */
const isScreen = (url) => url.href.startsWith(page) && /^(|about|[li]\/.*)$/.test(url.href.slice(page.length).split(/[?#]/)[0]);

addEventListener('install', (event) => event.waitUntil((async () => {
  const shell = await fetch(page, { cache: 'no-cache' });
  // The server has another version by now. The browser gets the worker of that one with the next page.
  if (!shell.ok || !(await shell.clone().text()).includes(`/${folder}/`)) throw new Error('The page is of another version.');
  const cache = await caches.open(cacheName);
  await Promise.all([cache.put(page, shell), cache.addAll([...files, ...others])]);
  await skipWaiting();
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(ownCaches) && name !== cacheName) await caches.delete(name);
  }
  await clients.claim();
})()));

const kept = async (address) => (await caches.open(cacheName)).match(address);

/** The server's answer. If the server, or the proxy before it, cannot be reached or takes too long: what is kept. */
async function fresh(request, address) {
  const found = await kept(address);
  if (!found) return fetch(request);
  const tooLate = new Promise((_, fail) => setTimeout(fail, longestWait));
  try {
    const response = await Promise.race([fetch(request), tooLate]);
    return [502, 503, 504].includes(response.status) ? found : response;
  } catch {
    return found;
  }
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isScreen(new URL(request.url))) event.respondWith(fresh(request, page));
  else if (files.includes(request.url)) event.respondWith(kept(request.url).then((found) => found ?? fetch(request)));
  else if (others.includes(request.url)) event.respondWith(fresh(request, request.url));
});
