import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { client, list, rowhouse, server, setUp, until } from './server.mjs';
import { Disk, ask, closeAll, crash, equal, fail, idOf, open, sent, serverRows, titles } from './stores.mjs';

setUp({ retries: { firstDelay: 1 } }, '--test-mode');
afterEach(closeAll);
afterEach(() => ask('DELETE', '/v1/test/faults'));

test('a store that was killed goes on where it was, in each state of its queue', async () => {
  const disk = new Disk();
  const first = await open({ disk });
  const entry = await first.store.createItem(list, { name: 'Saw' });
  await equal(first.store);
  await first.store.stop();
  first.storage.kill();
  // Killed before anything was sent.
  const second = await open({ disk, isStarted: false });
  assert.deepEqual(titles(second.store), ['Saw']);
  await second.store.createItem(list, { name: 'Axe' });
  crash(second);
  // Killed after the commands were sent, before the answer.
  await fail({ path: '/v1/sync', effect: 'loseAnswer' });
  const third = await open({ disk });
  assert.deepEqual(titles(third.store), ['Saw', 'Axe']);
  await until(() => disk.keys('sent').length === 1);
  await until(async () => (await serverRows()).length === 3);
  crash(third);
  await ask('DELETE', '/v1/test/faults');
  const fourth = await open({ disk });
  await fourth.store.delete(idOf(entry));
  await equal(fourth.store);
  // Killed after the answer was stored, before the rows were.
  crash(fourth);
  const fifth = await open({ disk, isStarted: false });
  assert.deepEqual(titles(fifth.store), ['Axe']);
  fifth.store.start();
  await equal(fifth.store);
});

test('an answer that is lost makes nothing twice', async () => {
  const { store } = await open();
  await fail(
    { path: '/v1/sync', nth: 1, effect: 'loseAnswer' }, { path: '/v1/sync', nth: 2, effect: 'cutAnswer', bytes: 40 });
  for (const name of ['Saw', 'Axe', 'Rasp']) store.createItem(list, { name }, { at: 0 });
  await equal(store);
  assert.deepEqual(titles(store), ['Rasp', 'Axe', 'Saw']);
  const { rules } = await ask('GET', '/v1/test/faults');
  assert.ok(rules.every((rule) => rule.hits ?? rule.count ?? 1));
});

test('a batch that is too large for a proxy is sent in parts', async () => {
  const { store } = await open({ isStarted: false });
  const names = ['A', 'B', 'C', 'D', 'E'];
  for (const name of names) await store.createItem(list, { name });
  await fail({ path: '/v1/sync', nth: 1, effect: 'refuse', status: 413 }, { path: '/v1/sync', nth: 2, effect: 'refuse', status: 413 });
  store.start();
  await store.keep(list);
  await sent(store);
  assert.deepEqual([store.refused, (await serverRows()).map((row) => row.title).slice(0, -1)], [[], names]);
});

test('photos are sent after the commands before them, and are stored until then', async () => {
  const disk = new Disk();
  const first = await open({ disk });
  await equal(first.store);
  await first.store.stop();
  const pixel = new Blob([Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')]);
  const saw = idOf(await first.store.createItem(list, { name: 'Saw' }));
  const photo = (await first.store.addPhoto(saw, pixel)).command.id;
  await first.store.delete(saw);
  const axe = idOf(await first.store.createItem(list, { name: 'Axe' }));
  const other = (await first.store.addPhoto(axe, pixel)).command.id;
  assert.deepEqual([first.store.rows(list)[0].item.photo, first.store.status.photos], [other, 2]);
  assert.equal((await first.store.photo(photo)).size, pixel.size);
  first.storage.kill();
  await fail({ path: '/v1/items/*/photos', method: 'POST', nth: 1, effect: 'loseAnswer' });
  const { store } = await open({ disk });
  assert.deepEqual(store.item(axe).photos, [other]);
  await equal(store);
  assert.deepEqual(store.refused, []);
  assert.deepEqual((await rowhouse.item(axe)).photos, [other]);
  assert.deepEqual((await rowhouse.photo(axe, other)).size, pixel.size);
  await rowhouse.restore(saw);
  assert.deepEqual((await rowhouse.item(saw)).photos, [photo]);
  assert.deepEqual(disk.keys('photo'), []);
  // One that the server refuses stays until it is dismissed.
  await store.addPhoto(axe, new Blob(['no picture']));
  await until(() => store.refused.length === 1);
  const [notice] = store.refused;
  assert.equal(await (await store.photo(notice.command.id)).text(), 'no picture');
  await store.dismiss(notice);
  assert.deepEqual(disk.keys('photo'), []);
  await until(() => store.item(axe).photos.length === 1);
});

test('a restored backup makes the store a new client, which sends what was not answered', async () => {
  const { store } = await open();
  await store.createItem(list, { name: 'Saw' });
  await equal(store);
  await ask('POST', '/v1/test/snapshot', { name: 'backup' });
  await store.createItem(list, { name: 'Lost' });
  await equal(store);
  await store.stop();
  await store.createItem(list, { name: 'Axe' });
  await ask('POST', '/v1/test/restore', { name: 'backup' });
  store.start();
  // The lists are read again, which takes a moment longer than the commands.
  await until(() => titles(store).join() === 'Saw,Axe');
  await equal(store);
});

test('of two pages one sends, and the other takes over', async () => {
  const disk = new Disk();
  const [page, other] = [await open({ disk }), await open({ disk })];
  await Promise.all(['Saw', 'Axe', 'File'].flatMap((name) => (
    [page.store.createItem(list, { name }), other.store.createItem(list, { name: `${name} 2` })])));
  await equal(page.store);
  await equal(other.store);
  assert.equal(titles(other.store).length, 6);
  await until(() => other.store.status.connection === 'online');
  // The page that sends is killed, with a command of the other one that it has just taken.
  await fail({ path: '/v1/sync', effect: 'loseAnswer' });
  await other.store.createItem(list, { name: 'Rasp' });
  await until(() => disk.keys('sent').length === 1);
  crash(page);
  await ask('DELETE', '/v1/test/faults');
  await equal(other.store);
  assert.equal(titles(other.store).filter((title) => title === 'Rasp').length, 1);
});

test('lists change over to a new revision in one step', async () => {
  const lists = [list, (await rowhouse.createList({ title: 'Other' })).id];
  const items = [];
  for (let number = 0; number < 30; number += 1) items.push((await rowhouse.createItem(list, { name: `${number}` })).id);
  const { store } = await open();
  await store.keep(lists[1]);
  lists.forEach((id) => store.rows(id));
  let isTorn = false;
  store.subscribe(() => {
    const rows = lists.flatMap((id) => store.rows(id)).filter((row) => row.type === 'item');
    isTorn ||= rows.length !== 30 || new Set(rows.map((row) => row.id)).size !== 30;
  });
  const moveAll = async (to) => {
    for (let first = 0; first < 30; first += 3) await rowhouse.moveRows(to, { ids: items.slice(first, first + 3) });
  };
  await moveAll(lists[1]);
  // The stream is cut, lists must be read again, and they move meanwhile.
  await fail({ path: '/v1/events', effect: 'refuse', status: 503 }, { path: '/v1/lists/*/rows', delay: 20 });
  store.retryNow();
  await moveAll(list);
  await ask('POST', '/v1/test/snapshot', { name: 'now' });
  await ask('POST', '/v1/test/restore', { name: 'now' });
  await ask('DELETE', '/v1/test/faults');
  store.retryNow();
  await moveAll(lists[1]);
  for (const id of lists) await equal(store, id);
  assert.equal(isTorn, false);
});
