import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { client, list, rowhouse, server, setUp, until } from './server.mjs';
import { Disk, closeAll, crash, equal, idOf, open, sent, serverRows, titles } from './stores.mjs';

setUp({ retries: { firstDelay: 1 } });
afterEach(closeAll);

const names = async (id = list) => (await serverRows(id)).map((row) => row.title).slice(0, -1);

/** A store with the list that was stopped, as if its token was revoked. */
async function stopped() {
  const former = await open();
  await former.store.stop();
  return former;
}

test('a store takes over what another one has not sent, in order, and erases it', async () => {
  const former = await stopped();
  const saw = idOf(await former.store.createItem(list, { name: 'Saw', fields: { n: new client.ExactNumber('12345678901234567890') } }));
  const box = idOf(await former.store.createList(list, { title: 'Box' }, { at: 0 }));
  await former.store.editItem(saw, { notes: 'Sharp' });
  await former.store.move(saw, box, 0);
  await former.store.addPhoto(saw, new Blob([Buffer.from('R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=', 'base64')]));
  const { store, disk } = await open();
  await store.createItem(list, { name: 'Axe' });
  assert.equal(await store.adopt({ storage: former.disk.open() }), 5);
  assert.deepEqual([former.disk.records.size, disk.keys('adopted')], [0, []]);
  assert.deepEqual(titles(store, box), ['Saw']);
  await equal(store);
  assert.deepEqual([await names(), await names(box)], [['Axe', 'Box'], ['Saw']]);
  const { notes, fields, photos } = await rowhouse.item(saw);
  assert.deepEqual([notes, fields.n.text, photos.length], ['Sharp', '12345678901234567890', 1]);
  assert.deepEqual([store.refused, store.notices], [[], []]);
});

test('refused commands and notices are taken over with their photos, and are not sent again', async () => {
  const former = await open();
  const { id } = await rowhouse.createItem(list, { name: 'Saw' });
  await until(() => former.store.row(id));
  await former.store.stop();
  await former.store.addPhoto(id, new Blob(['no photo']));
  former.store.start();
  await until(() => former.store.refused.length === 1);
  await former.store.stop();
  const { store } = await open();
  assert.equal(await store.adopt({ storage: former.disk.open() }), 1);
  const [{ command }] = store.refused;
  assert.equal(await (await store.photo(command.id)).text(), 'no photo');
  assert.deepEqual(store.status.waiting, []);
});

test('commands whose answer was lost are sent again, and done once', async () => {
  let isLosing = false;
  const fetch = async (address, options) => {
    const answer = await globalThis.fetch(address, options);
    if (isLosing && String(address).endsWith('/v1/sync')) throw new TypeError('The answer was lost.');
    return answer;
  };
  const former = await open({ from: new client.Rowhouse(server.url, { fetch }) });
  await former.store.stop();
  isLosing = true;
  const saw = idOf(await former.store.createItem(list, { name: 'Saw' }));
  await former.store.editItem(saw, { name: 'Fret saw' });
  const box = idOf(await former.store.createList(list, { title: 'Box' }));
  await former.store.move(saw, box, 0);
  await former.store.delete(box, { recursive: true });
  await former.store.restore(box);
  await former.store.delete(idOf(await former.store.createItem(list, { name: 'Axe' })));
  const count = async () => (await rowhouse.log({ limit: 50 })).changes.length;
  const before = await count();
  former.store.start();
  await until(async () => await count() === before + 8);
  await former.store.stop();
  assert.equal(former.disk.keys('sent').length, 8);
  const { store } = await open();
  assert.equal(await store.adopt({ storage: former.disk.open() }), 8);
  await sent(store);
  assert.deepEqual([await names(), await names(box)], [['Box'], ['Fret saw']]);
  assert.deepEqual([store.refused, store.notices], [[], []]);
});

test('a program that ends before the other store is erased takes nothing over twice', async () => {
  const former = await stopped();
  await former.store.createItem(list, { name: 'Saw' });
  const first = await open();
  const storage = former.disk.open();
  storage.erase = () => new Promise(() => {});
  first.store.adopt({ storage });
  await sent(first.store);
  await until(async () => (await names()).length === 1);
  await first.store.reached((await rowhouse.list(list)).revision);
  await until(() => first.disk.keys('done').length === 0);
  crash(first);
  storage.kill();
  assert.equal(former.disk.keys('waiting').length, 1);
  // The item was removed meanwhile, so a second creation would be refused.
  await rowhouse.deleteRow((await serverRows())[0].id);
  // What the other store got since is not known yet.
  const again = await open({ disk: former.disk, isStarted: false });
  await again.store.createItem(list, { name: 'Axe' });
  crash(again);
  const { store, disk } = await open({ disk: first.disk });
  assert.equal(await store.adopt({ storage: former.disk.open() }), 1);
  await equal(store);
  assert.deepEqual([await names(), store.refused, disk.keys('adopted')], [['Axe'], [], []]);
  assert.equal(former.disk.records.size, 0);
});

test('of two stores one takes the changes over', async () => {
  const former = await stopped();
  await former.store.createItem(list, { name: 'Saw' });
  const disk = new Disk();
  const stores = [await open({ disk }), await open({ disk })];
  const counts = await Promise.all(stores.map(({ store }) => store.adopt({ storage: former.disk.open() })));
  assert.deepEqual(counts.sort(), [0, 1]);
  for (const { store } of stores) await sent(store);
  assert.deepEqual(await names(), ['Saw']);
});

test('a store of another inventory is left as it is', async () => {
  const former = await stopped();
  await former.store.createItem(list, { name: 'Saw' });
  const [key] = former.disk.keys('store');
  former.disk.records.set(key, { ...former.disk.records.get(key), inventoryId: '0198c0de-0000-7000-8000-0000000000ff' });
  const { store } = await open();
  await assert.rejects(store.adopt({ storage: former.disk.open() }), { code: 'other_inventory' });
  assert.equal(former.disk.keys('waiting').length, 1);
  assert.deepEqual(store.status.waiting, []);
});
