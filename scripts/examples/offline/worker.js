// Stores the page and the modules of the client, so that the page opens without a network. The store has the data.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const isModule = new URL(request.url).pathname.endsWith('.js');
  if (request.method !== 'GET' || !(isModule || request.mode === 'navigate')) return;
  event.respondWith((async () => {
    const cache = await caches.open('offline-list');
    try {
      const answer = await fetch(request);
      if (answer.ok) await cache.put(request, answer.clone());
      return answer;
    } catch (error) {
      const stored = await cache.match(request);
      if (stored) return stored;
      throw error;
    }
  })());
});
