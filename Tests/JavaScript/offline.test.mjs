import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { Server, client, list, rowhouse, server, setUp, until } from './server.mjs';
import { Disk, closeAll, crash, equal, idOf, open, retries, sent, serverRows, titles } from './stores.mjs';

setUp({ retries: { firstDelay: 1 } });
afterEach(closeAll);

async function down(work) {
  await server.kill();
  try {
    await work();
  } finally {
    await server.run();
  }
}

test('changes without a network are shown at once, are stored, and are sent later, once each', async () => {
  const { store, disk, told, tables } = await open();
  const [saw, axe] = [await store.createItem(list, { name: 'Saw', valueInDollars: 5 }), null];
  await equal(store);
  await down(async () => {
    await until(() => store.status.connection === 'offline');
    store.createItem(list, { name: ' Axe ' }, { at: 0 });
    assert.deepEqual(titles(store), ['Axe', 'Saw']);
    const box = await store.createList(list, { title: 'Box' });
    await store.createItem(idOf(box), { car: { make: 'Saab', model: '900' }, valueInDollars: 7, quantity: 2 });
    await store.editItem(idOf(saw), { name: 'Fret saw', fields: { teeth: 12 } });
    await store.move(idOf(box), list, 0);
    await store.move([idOf(saw)], idOf(box), 1);
    assert.deepEqual(titles(store), ['Box', 'Axe']);
    assert.deepEqual(titles(store, idOf(box)), ['Saab 900', 'Fret saw']);
    assert.deepEqual([store.rows(list)[0].list.rowCount, store.rows(list)[0].list.totalValueInDollars], [2, 19]);
    assert.deepEqual([store.item(idOf(saw)).fields, store.item(idOf(saw)).listId], [{ teeth: 12 }, idOf(box)]);
    assert.equal(disk.keys('waiting').length, 6);
    assert.deepEqual(store.status.waiting.map((entry) => [entry.command.type, entry.title]), [
      ['createItem', ' Axe '], ['createList', 'Box'], ['createItem', 'Saab 900'], ['editItem', 'Saw'], ['moveRows', 'Box'],
      ['moveRows', 'Fret saw']]);
  });
  const before = told.length;
  await equal(store);
  assert.deepEqual(titles(store), ['Box', 'Axe']);
  // What the server says is what the view has shown.
  assert.ok(told.slice(before).every(({ lists }) => lists.size === 0));
  assert.deepEqual(tables.get(list), store.rows(list).map((row) => row.id));
  assert.equal((await rowhouse.log({ limit: 7 })).changes.length, 7);
  assert.deepEqual([store.refused, store.notices], [[], []]);
  await store.stop();
  assert.deepEqual(['waiting', 'sent', 'done'].flatMap((kind) => disk.keys(kind)), []);
});

test('a list has a glyph and a colour, with and without a network', async () => {
  const { store } = await open();
  const box = await store.createList(list, { title: 'Box', glyph: ' 📦 ', colour: 'teal' });
  const looks = () => [store.rows(list)[0].list, store.list(idOf(box))].map(({ glyph, colour }) => [glyph, colour]);
  assert.deepEqual(looks(), [['📦', 'teal'], ['📦', 'teal']]);
  await equal(store);
  await down(async () => {
    await until(() => store.status.connection === 'offline');
    await store.editList(idOf(box), { glyph: null, colour: 'red' });
    assert.deepEqual(looks(), [[null, 'red'], [null, 'red']]);
  });
  await equal(store);
  assert.deepEqual(looks(), [[null, 'red'], [null, 'red']]);
  const { glyph, colour } = await rowhouse.list(idOf(box));
  assert.deepEqual([glyph, colour], [null, 'red']);
});

test('the sums of a list include everything below, as the server has them', async () => {
  const { store } = await open();
  const box = await store.createList(list, { title: 'Box' });
  const tin = await store.createList(idOf(box), { title: 'Tin' });
  assert.deepEqual(store.subtree(list), { listCount: 2, itemCount: 0, totalValueInDollars: 0 });
  await store.createItem(list, { name: 'Saw', valueInDollars: 5 });
  await store.createItem(idOf(tin), { name: 'Nail', valueInDollars: 0.1, quantity: 30 });
  assert.deepEqual(store.subtree(idOf(tin)), { listCount: 0, itemCount: 1, totalValueInDollars: 3 });
  await equal(store);
  const { subtree } = await rowhouse.list(list, { subtree: true });
  assert.deepEqual(store.subtree(list), subtree);
  assert.deepEqual(subtree, { listCount: 2, itemCount: 2, totalValueInDollars: 8 });
  // A list that is not kept could hold anything.
  const { id } = await rowhouse.createList({ parentId: idOf(box), title: 'Bag' });
  await until(() => store.rows(idOf(box)).some((row) => row.id === id));
  assert.deepEqual([store.subtree(list), store.subtree(idOf(tin)).itemCount], [undefined, 1]);
  await store.keep(id);
  assert.equal(store.subtree(list).listCount, 3);
});

test('a store that was never connected takes changes', async () => {
  const { store } = await open({ keep: null, isStarted: false });
  const kept = store.keep('root');
  const box = await store.createList('root', { title: 'Box' });
  await store.createItem(idOf(box), { name: 'Saw' });
  store.start();
  const root = await kept;
  await equal(store, root.id);
  await store.keep(idOf(box));
  assert.deepEqual([titles(store, 'root').at(-1), titles(store, idOf(box))], ['Box', ['Saw']]);
});

test('changes are sent through a network that blocks event streams', async () => {
  let isBlocked = false;
  const from = new client.Rowhouse(server.url, {
    async fetch(url, init) {
      if (url.endsWith('/events') && isBlocked) throw new TypeError('fetch failed');
      return fetch(url, init);
    },
  });
  const { store } = await open({ from });
  await store.stop();
  isBlocked = true;
  store.start();
  await until(() => store.status.connection === 'offline');
  await store.createItem(list, { name: 'Saw' });
  await sent(store);
  assert.deepEqual((await serverRows()).map((row) => row.title), ['Saw', 'No more items!']);
  isBlocked = false;
  store.retryNow();
  await equal(store);
});

test('a refused command is reported with its problem, and its change is taken back', async () => {
  const { store, tables } = await open();
  const saw = await store.createItem(list, { name: 'Saw' });
  await equal(store);
  const wrong = store.createItem(list, { name: 'Axe', quantity: -1 });
  assert.deepEqual(titles(store), ['Saw', 'Axe']);
  await store.editItem(idOf(await wrong), { notes: 'sharp' });
  await equal(store);
  assert.deepEqual(store.refused.map((notice) => [notice.command.type, notice.problem.status, notice.title]), [
    ['createItem', 422, 'Axe'], ['editItem', 404, 'Axe']]);
  assert.equal(store.refused[0].command.item.quantity, -1);
  assert.deepEqual(tables.get(list), [idOf(saw), null]);
  await store.dismiss(store.refused[0]);
  assert.equal(store.refused.length, 1);
});

test('a photo is sent before what was done after it and could refuse it', async () => {
  const { store } = await open({ isStarted: false });
  const shed = await rowhouse.createList({ title: 'Shed' });
  const archive = await rowhouse.createList({ title: 'Archive', permissions: { edit: false } });
  const box = await rowhouse.createItem('root', { name: 'Box' });
  const contents = await rowhouse.makeContents(box.id);
  const items = await Promise.all([shed.id, contents.id, 'root', 'root'].map((parent) => rowhouse.createItem(parent, { name: 'Saw' })));
  store.start();
  await store.keepAll();
  await store.stop();
  for (const { id } of items) await store.addPhoto(id, new Blob([Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')]));
  await store.delete(shed.id, { recursive: true });
  await store.delete(box.id, { recursive: true });
  await store.delete(items[2].id);
  await store.move(items[3].id, archive.id);
  store.start();
  await sent(store);
  assert.deepEqual(store.refused, []);
  for (const { id } of [shed, box, items[2]]) await rowhouse.restore(id);
  for (const { id } of items) assert.equal((await rowhouse.item(id)).photos.length, 1);
  await store.close();
});

test('a command that the server cannot read is refused on its own, and the others are done', async () => {
  const { store, disk } = await open({ isStarted: false });
  const good = [];
  for (const [number, name] of ['A', 'b\0', 'C', 'd\ud800', 'E'].entries()) {
    await store.createItem('root', { name });
    if (number % 2 === 0) good.push(name);
  }
  await store.createItem('root', { name: 'f', fields: { part: new client.ExactNumber('1e999') } });
  const photographed = idOf(await store.createItem('root', { name: 'G' }));
  await store.addPhoto(photographed, new Blob([Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')]));
  await store.delete(photographed, { recursive: 'yes' });
  store.start();
  await sent(store);
  assert.deepEqual(store.refused.map(({ command, problem }) => [command.type, command.item?.name, problem.code]), [
    ['createItem', 'b\0', 'malformed_json'], ['createItem', 'd\ud800', 'malformed_json'],
    ['createItem', 'f', 'malformed_json'], ['delete', undefined, 'invalid']]);
  assert.deepEqual(store.refused[3].problem.errors.map(({ pointer }) => pointer), ['/recursive']);
  const rows = await serverRows('root');
  assert.deepEqual(rows.map((row) => row.title).slice(-4, -1), ['C', 'E', 'G']);
  assert.equal((await rowhouse.item(photographed)).photos.length, 1);
  assert.deepEqual(['waiting', 'sent'].flatMap((kind) => disk.keys(kind)), []);
  // The numbers that were not used are used by the next commands.
  await store.createItem('root', { name: 'H' });
  await sent(store);
  assert.equal(store.refused.length, 4);
  for (const notice of store.refused) await store.dismiss(notice);
});

test('the root list is edited before its id is known', async () => {
  const { store } = await open({ isStarted: false });
  await store.editList('root', { deleteLabel: 'Away' });
  store.start();
  await sent(store);
  assert.deepEqual(store.refused, []);
  assert.equal((await rowhouse.list('root')).deleteLabel, 'Away');
});

test('what others have changed meanwhile is reported', async () => {
  const { store } = await open();
  const saw = idOf(await store.createItem(list, { name: 'Saw', notes: 'old' }));
  const axe = idOf(await store.createItem(list, { name: 'Axe' }));
  await equal(store);
  await store.stop();
  store.editItem(saw, { name: 'Fret saw' });
  await store.createItem(list, { name: 'File' }, { at: 1 });
  await store.editItem(axe, { name: 'Hatchet' });
  await rowhouse.editItem(saw, { name: 'Hand saw' });
  await rowhouse.editItem(axe, { notes: 'blunt' });
  await rowhouse.move(saw, { position: 'last' });
  store.start();
  await equal(store);
  assert.deepEqual(titles(store), ['Hatchet', 'Fret saw', 'File']);
  assert.deepEqual(store.notices.map((notice) => [notice.outcome, notice.overwritten ?? notice.kept]), [
    ['overwrote', { name: 'Hand saw' }], ['merged', ['/notes']]]);
  await store.keepItem(axe);
  await until(() => store.item(axe).notes === 'blunt');
});

test('numbers that JavaScript would round survive the storage, and edits beside them', async () => {
  const fields = client.parseJSON('{"id":9007199254740993,"d":1,"nest":{"a":[12345678901234567890,null],"b":2},"__proto__":{"n":9007199254740993}}');
  const { id } = await rowhouse.createItem(list, { name: 'Saw', fields });
  const first = await open();
  await first.store.keepItem(id);
  await first.store.stop();
  // All values of a storage are plain JSON.
  const plain = new Map([...first.disk.records].map(([key, value]) => [key, JSON.parse(JSON.stringify(value))]));
  assert.deepEqual(new Map(first.disk.records), plain);
  first.disk.records = plain;
  crash(first);
  const second = await open({ disk: first.disk, isStarted: false });
  await second.store.editItem(id, { fields: { d: 'five', nest: { b: new client.ExactNumber('8888888888888888888') } } });
  const shown = client.writeJSON(second.store.item(id).fields);
  assert.equal(shown, '{"id":9007199254740993,"d":"five","nest":{"a":[12345678901234567890,null],"b":8888888888888888888},'
    + '"__proto__":{"n":9007199254740993}}');
  crash(second);
  const third = await open({ disk: first.disk, isStarted: false });
  // The item as it was read, with a change.
  await third.store.editItem(id, { ...third.store.item(id), notes: 'added' });
  third.store.start();
  await sent(third.store);
  assert.deepEqual([third.store.refused, third.store.notices], [[], []]);
  assert.equal(client.writeJSON((await rowhouse.item(id)).fields), shown);
  await third.store.stop();
  await third.store.editItem(id, { fields: { id: null } });
  await rowhouse.editItem(id, { fields: { id: new client.ExactNumber('9007199254740995') } });
  third.store.start();
  await sent(third.store);
  crash(third);
  const [notice] = (await open({ disk: first.disk })).store.notices;
  assert.equal(client.writeJSON(notice.overwritten), '{"fields":{"id":9007199254740995}}');
});

test('an undo takes commands out of the queue, or asks the server', async () => {
  const { store, disk } = await open();
  const saw = await store.createItem(list, { name: 'Saw' });
  await equal(store);
  await store.stop();
  const box = await store.createList(list, { title: 'Box' });
  const inner = await store.createList(idOf(box), { title: 'Inner' });
  const move = await store.move(idOf(saw), idOf(inner), 0);
  const edit = await store.editItem(idOf(saw), { name: 'Fret saw' });
  assert.deepEqual(await store.undo(box), [box, inner, move]);
  assert.deepEqual([titles(store), store.rows(idOf(box))], [['Fret saw'], undefined]);
  assert.equal(disk.keys('waiting').length, 1);
  store.start();
  await equal(store);
  await store.undo(edit);
  await equal(store);
  await store.undo(saw);
  await equal(store);
  assert.deepEqual(titles(store), []);
  await assert.rejects(store.undo({ id: 'unknown' }), { code: 'nothing_to_undo' });
});

// The server has the outcome of the last one only.
for (const names of [['Saw'], ['Saw', 'Axe']]) {
  test(`a copy of a store becomes a client of its own, ${names.length} behind`, async () => {
    const disk = new Disk();
    const original = await open({ disk });
    await original.store.createItem(list, { name: 'Box' });
    await equal(original.store);
    await original.store.stop();
    const copy = await open({ disk: disk.copy(), isStarted: false });
    original.store.start();
    for (const name of names) {
      await original.store.createItem(list, { name });
      await equal(original.store);
    }
    for (const name of ['Rasp', 'File', 'Vise']) await copy.store.createItem(list, { name });
    copy.store.start();
    await equal(copy.store);
    assert.deepEqual(titles(copy.store), ['Box', ...names, 'Rasp', 'File', 'Vise']);
    assert.deepEqual(copy.store.refused, []);
    assert.deepEqual(copy.store.notices, []);
  });
}

test('a store that stops just after a read or an answer stays stopped', async () => {
  const { store } = await open({ keep: null });
  for (const work of [() => store.keepAll(), () => store.createItem(list, { name: 'Saw' }).then(() => store.sent())]) {
    store.start();
    await work();
    const told = [];
    const ended = store.subscribe(({ status }) => told.push(status.connection));
    await store.stop();
    await new Promise((done) => setTimeout(done, 50));
    ended();
    assert.deepEqual([store.status.connection, ...told.filter((each) => each !== 'stopped')], ['stopped']);
  }
});

test('a refusal of the whole call stops the store, and the queue stays', async () => {
  const own = await Server.start();
  try {
    const owner = new client.Rowhouse(own.url, { token: own.makeToken() });
    const { id } = await owner.createList({ title: 'Shelf' });
    const { token } = await owner.createToken({ name: 'reader', role: 'reader' });
    const { store } = await open({ from: owner.with({ token }), keep: id });
    await store.createItem(id, { name: 'Saw' });
    await until(() => store.status.connection === 'stopped');
    assert.equal(store.status.error.status, 403);
    assert.equal(store.status.waiting.length, 1);
  } finally {
    await own.close();
  }
});

test('a row goes beside the neighbour that is left, or to the end', async () => {
  const { store } = await open();
  const ids = {};
  for (const name of ['Saw', 'Axe', 'Rasp', 'File', 'Vice']) ids[name] = idOf(await store.createItem(list, { name }));
  await equal(store);
  await store.stop();
  await store.move(ids.Vice, list, 1);
  await store.createItem(list, { name: 'Top' }, { at: 0 });
  await store.createItem(list, { name: 'Lost' }, { at: 4 });
  assert.deepEqual(titles(store), ['Top', 'Saw', 'Vice', 'Axe', 'Lost', 'Rasp', 'File']);
  for (const name of ['Saw', 'Rasp']) await rowhouse.deleteRow(ids[name]);
  await rowhouse.move(ids.Axe, { listId: 'root' });
  store.start();
  await equal(store);
  assert.deepEqual(titles(store), ['Top', 'File', 'Vice', 'Lost']);
  assert.deepEqual(store.refused, []);
  assert.deepEqual(store.notices.map((notice) => notice.position), ['last', 'first', 'last']);
});

test('a restored row returns to its neighbours, or to its index if they are gone', async () => {
  const { store } = await open();
  const ids = [];
  for (const name of ['Saw', 'Axe', 'Rasp', 'File']) ids.push(idOf(await store.createItem(list, { name })));
  await equal(store);
  await store.stop();
  await store.delete(ids[1]);
  await store.restore(ids[1]);
  assert.deepEqual(titles(store), ['Saw', 'Axe', 'Rasp', 'File']);
  for (const id of [ids[1], ids[0], ids[2], ids[3]]) await store.delete(id);
  for (const name of ['Plane', 'Vice']) await store.createItem(list, { name });
  await store.restore(ids[1]);
  assert.deepEqual(titles(store), ['Plane', 'Axe', 'Vice']);
  await store.restore(ids[0], { list, at: 0 });
  assert.deepEqual(titles(store), ['Saw', 'Plane', 'Axe', 'Vice']);
  store.start();
  await equal(store);
  assert.deepEqual(store.refused, []);
});

for (const isConnected of [true, false]) {
  const meanwhile = isConnected ? 'connected' : 'away';
  test(`a store that is ${meanwhile} during an import that replaces everything reads everything again`, async () => {
    const { store } = await open();
    await store.keepAll();
    const former = await (await fetch(`${server.url}/v1/export`)).text();
    const other = await Server.start();
    let file;
    try {
      await new client.Rowhouse(other.url).createList({ title: 'Cellar' });
      file = await (await fetch(`${other.url}/v1/export`)).text();
    } finally {
      await other.close();
    }
    if (!isConnected) await store.stop();
    const replace = (body) => fetch(`${server.url}/v1/import?mode=replace`, {
      method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body });
    assert.equal((await replace(file)).status, 200);
    store.start();
    await until(() => store.rows('root')?.some((row) => row.title === 'Cellar'));
    assert.equal(store.list(list), undefined);
    await store.createItem('root', { name: 'Saw' });
    await sent(store);
    assert.deepEqual([store.refused, store.status.connection], [[], 'online']);
    assert.ok((await serverRows('root')).some((row) => row.title === 'Saw'));
    assert.equal((await replace(former)).status, 200);
    await until(() => store.list(list));
  });
}

test('the data of another server or inventory are refused', async () => {
  const { disk, store } = await open();
  await store.stop();
  const elsewhere = new client.Rowhouse('http://127.0.0.1:1');
  await assert.rejects(client.OfflineStore.open(elsewhere, { storage: disk.open() }), { code: 'other_server' });
  const [key] = disk.keys('store');
  disk.records.set(key, { ...disk.records.get(key), rootListId: list, tokenId: 'another' });
  const other = await open({ disk, isStarted: false });
  await other.store.createItem(list, { name: 'Saw' });
  other.store.start();
  await assert.rejects(other.store.reached(Infinity), { code: 'other_inventory' });
  assert.deepEqual([other.store.status.connection, other.store.status.error.code], ['stopped', 'other_inventory']);
  // Nothing was sent.
  assert.deepEqual([other.store.status.waiting.map((entry) => entry.state), (await serverRows()).length], [['waiting'], 1]);
});

test('signing out erases everything, in other pages too', async () => {
  const disk = new Disk();
  const [page, other] = [await open({ disk }), await open({ disk })];
  await page.store.createItem(list, { name: 'Saw' });
  await until(() => titles(other.store).length === 1);
  await page.store.signOut();
  assert.deepEqual([...disk.records], []);
  await assert.rejects(page.store.createItem(list, { name: 'Axe' }), { code: 'erased' });
  await until(() => other.store.rows(list) === undefined);
  await assert.rejects(other.store.createItem(list, { name: 'Axe' }), { code: 'erased' });
  assert.equal(other.told.at(-1).lists.get(list)?.type ?? 'gone', 'gone');
  assert.deepEqual([...disk.records], []);
});

test('an undo of a command that another page has just sent is one of the server', async () => {
  const disk = new Disk();
  const [page, other] = [await open({ disk }), await open({ disk })];
  other.storage.deafen();
  for (let number = 0; number < 5; number += 1) {
    const entry = await other.store.createItem(list, { name: `Item ${number}` });
    await until(() => disk.keys('waiting').length === 0);
    // For the last one, also the base has its effect by then.
    if (number === 4) await until(() => disk.keys('done').length === 0 && disk.keys('sent').length === 0);
    assert.equal(other.store.status.waiting.at(-1).state, 'waiting');
    const undone = await other.store.undo(entry).catch((error) => error);
    await equal(page.store);
    // A command without an answer cannot be undone.
    assert.ok(undone.revision || undone.code === 'unreachable', `${undone}`);
    assert.equal(titles(page.store).includes(`Item ${number}`), undone instanceof Error);
  }
});

test('all lists are kept, those that appear later too', async () => {
  const box = await rowhouse.createList({ title: 'Box', parentId: list });
  const inner = await rowhouse.createList({ title: 'Inner', parentId: box.id });
  await rowhouse.createItem(inner.id, { name: 'Saw' });
  const { store } = await open({ keep: null });
  await store.keepAll();
  assert.deepEqual(titles(store, inner.id), ['Saw']);
  const later = await rowhouse.createList({ title: 'Later', parentId: inner.id });
  await rowhouse.createItem(later.id, { name: 'Axe' });
  await until(() => store.rows(later.id)?.length === 2);
  const chest = await rowhouse.createItem(later.id, { name: 'Chest' });
  const contents = await rowhouse.makeContents(chest.id);
  await until(() => store.list(contents.id));
  await rowhouse.deleteRow(box.id, { recursive: true });
  await until(() => !store.list(later.id));
  assert.equal(store.list(inner.id), undefined);
  assert.deepEqual(titles(store), []);
  await assert.rejects(store.keep(inner.id), { code: 'in_trash' });
});

test('a list that has more rows than the limit leaves room for is not kept', async () => {
  const { store } = await open({ keep: null });
  const [long, short] = [await rowhouse.createList({ title: 'Long', parentId: list }),
    await rowhouse.createList({ title: 'Short', parentId: list })];
  const saw = await rowhouse.createItem(short.id, { name: 'Saw' });
  const lists = [await rowhouse.list('root'), ...(await rowhouse.lists({ subtree: true })).lists];
  const limit = lists.reduce((sum, { rowCount }) => sum + rowCount, 10);
  await rowhouse.importTable(long.id, `name\n${'Axe\n'.repeat(limit)}`);
  await store.keepAll({ limit });
  assert.equal(store.list(long.id), undefined);
  assert.equal(store.home(saw.id), short.id);
  assert.equal(store.row(saw.id).title, 'Saw');
  assert.equal(store.home(list), store.list('root').id);
});

test('a row that is moved past the end lands at the end', async () => {
  const { store } = await open();
  const [saw] = [await store.createItem(list, { name: 'Saw' }), await store.createItem(list, { name: 'Axe' })];
  await store.move(idOf(saw), list, 9);
  assert.deepEqual(titles(store), ['Axe', 'Saw']);
  await equal(store);
});

test('a change that arrives while a list is read is not lost', async () => {
  let changes = 0;
  const from = new client.Rowhouse(server.url, {
    async fetch(url, init) {
      const answer = await fetch(url, init);
      if (url.includes('/rows') && changes < 3) {
        await rowhouse.createItem(list, { name: `Item ${changes += 1}` });
        // Its event arrives before this answer.
        await new Promise((done) => setTimeout(done, 100));
      }
      return answer;
    },
  });
  const { store } = await open({ from });
  await equal(store);
  assert.deepEqual([changes, titles(store)], [1, ['Item 1']]);
});

test('a mirror of a store works with and without a network', async () => {
  const { store, disk } = await open({ keep: null });
  const mirror = new client.ListMirror(store, list);
  const updates = [];
  mirror.subscribe((update) => updates.push([update.type, update.rows.map((row) => row.title).slice(0, -1)]));
  await mirror.start();
  const { receipt } = await rowhouse.createItem(list, { name: 'Saw' });
  await mirror.absorb(receipt);
  await store.stop();
  await store.createItem(list, { name: 'Axe' }, { at: 0 });
  await store.editList(list, { title: 'Board' });
  assert.deepEqual(updates, [
    ['all', []], ['batch', ['Saw']], ['batch', ['Axe', 'Saw']], ['batch', ['Axe', 'Saw']]]);
  assert.deepEqual([mirror.list.title, mirror.rows.length], ['Board', 3]);
  const offline = new client.ListMirror((await open({ disk, isStarted: false })).store, list);
  await offline.start();
  assert.deepEqual([offline.rows.length, offline.list.title], [3, 'Board']);
  store.start();
  await equal(store);
  await rowhouse.deleteRow(list, { recursive: true });
  await until(() => updates.at(-1)[0] === 'gone');
});

test('wrong calls throw before anything is stored', async () => {
  const { store, disk } = await open();
  await assert.rejects(store.delete('nonsense'), TypeError);
  for (const call of [store.delete('root'), store.editItem('root', {}), store.move('root', list, 0), store.createItem(list, { id: 'root' })]) {
    await assert.rejects(call, TypeError);
  }
  await assert.rejects(store.editItem(list, 'nonsense'), TypeError);
  await assert.rejects(store.createItem(list, { notes: 'x'.repeat(2_000_000) }), RangeError);
  assert.throws(() => store.move([], list, 0), RangeError);
  assert.deepEqual(disk.keys('waiting'), []);
});

test('a thousand changes go through once each, while others move rows', async (context) => {
  const kettle = await rowhouse.createItem(list, { name: 'Kettle' });
  const { store } = await open();
  let began;
  await down(async () => {
    await until(() => store.status.connection === 'offline');
    const given = [];
    for (let number = 0; number < 500; number += 1) {
      given.push(store.createItem(list, { name: `Thing ${number}` }, { at: 0 }), store.move(kettle.id, list, number % 3));
    }
    await Promise.all(given);
    assert.equal(store.status.waiting.length, 1000);
    began = performance.now();
  });
  store.retryNow();
  for (const position of ['first', 'last', 'first']) await rowhouse.move(kettle.id, { position });
  await sent(store);
  context.diagnostic(`1,000 commands in ${Math.round(performance.now() - began)} ms, with the start of the server`);
  await equal(store);
  assert.equal(titles(store).length, 501);
  assert.deepEqual(store.refused, []);
});

test('an app can keep a store in a storage of its own, such as a file', async () => {
  /** A storage in a file, without photos. */
  class FileStorage extends client.MemoryStorage {
    constructor(path) {
      super();
      this.path = path;
      this.ready = existsSync(path) && super.write(new Map(JSON.parse(readFileSync(path, 'utf8'))));
    }

    async read(keys) {
      await this.ready;
      return super.read(keys);
    }

    async write(changes, needed) {
      const isWritten = await super.write(changes, needed);
      if (isWritten) {
        writeFileSync(`${this.path}.new`, JSON.stringify([...await super.read()]), { flush: true });
        renameSync(`${this.path}.new`, this.path);
      }
      return isWritten;
    }
  }

  const path = join(server.folder, 'store.json');
  const first = await client.OfflineStore.open(rowhouse, { storage: new FileStorage(path), retries });
  await first.createItem(list, { name: 'Saw' });
  const second = await client.OfflineStore.open(rowhouse, { storage: new FileStorage(path), retries });
  second.start();
  await second.keep(list);
  await sent(second);
  assert.deepEqual((await serverRows()).map((row) => row.title), ['Saw', 'No more items!']);
  await second.close();
});

test('a list that was changed, deleted and restored never has old rows', async () => {
  let gate = null;
  const from = new client.Rowhouse(server.url, {
    async fetch(url, init) {
      if (!/\/(events|me)$/.test(url)) await gate;
      return fetch(url, init);
    },
  });
  const top = (await rowhouse.createList({ title: 'Top', parentId: list })).id;
  const inner = (await rowhouse.createList({ title: 'Inner', parentId: top })).id;
  const { receipt, ...chest } = await rowhouse.createItem(top, { name: 'Chest' });
  const contents = (await rowhouse.makeContents(chest.id)).id;
  const drawer = (await rowhouse.createList({ title: 'Drawer', parentId: contents })).id;
  const { store } = await open({ from, keep: null });
  await store.keepAll();
  const nail = (await rowhouse.createItem(drawer, { name: 'Nail' })).id;
  await store.keepItem(nail);
  for (const [row, below] of [[top, [inner, contents, drawer]], [chest.id, [contents, drawer]]]) {
    for (const id of [top, ...below]) await equal(store, id);
    // The store learns of the deletion and of what was before it at once, and reads only after the list has returned.
    await store.stop();
    for (const id of below) await rowhouse.createItem(id, { name: 'Saw' });
    await rowhouse.editItem(nail, { notes: `before ${row}` });
    const deleted = await rowhouse.deleteRow(row, { recursive: true });
    let release;
    gate = new Promise((done) => (release = done));
    store.start();
    await until(() => store.status.connection === 'online');
    const restored = await rowhouse.restore(row);
    release();
    await store.reached(restored.revision);
    for (const id of below) await equal(store, id);
    await until(() => store.item(nail)?.notes === `before ${row}`);
  }
  // Lists that were purged in the same span are named by no event.
  await store.stop();
  await rowhouse.deleteRow(top, { recursive: true });
  await rowhouse.purge(top);
  store.start();
  await until(() => [top, inner, contents, drawer].every((id) => !store.list(id)));
});

test('a list that was forgotten just before a crash, and restored, has its new rows', async () => {
  const inner = (await rowhouse.createList({ title: 'Inner', parentId: list })).id;
  const first = await open();
  await first.store.keep(inner);
  await until(() => first.disk.records.has(`list/${inner}`));
  const isForgotten = new Promise((done) => {
    first.disk.wrote = (changes) => {
      if (!changes.has(`kept/${inner}`)) return;
      first.disk.wrote = () => {};
      crash(first);
      done();
    };
  });
  await rowhouse.createItem(inner, { name: 'Saw' });
  await rowhouse.deleteRow(inner, { recursive: true });
  await isForgotten;
  assert.ok(first.disk.records.has(`list/${inner}`));
  await rowhouse.restore(inner);
  const { store } = await open({ disk: first.disk });
  await equal(store, list);
  await until(() => store.list(inner));
  await equal(store, inner);
});

test('details of an item that were still to be read are read by the next start', async () => {
  let gate = null;
  const from = new client.Rowhouse(server.url, {
    async fetch(url, init) {
      if (url.includes('/items/')) await gate;
      return fetch(url, init);
    },
  });
  const saw = await rowhouse.createItem(list, { name: 'Saw' });
  const first = await open({ from });
  await first.store.keepItem(saw.id);
  let release;
  gate = new Promise((done) => (release = done));
  await rowhouse.editItem(saw.id, { notes: 'sharp' });
  const { receipt } = await rowhouse.createItem(list, { name: 'Axe' });
  await first.store.reached(receipt.revision);
  await first.store.stop();
  crash(first);
  release();
  const { store } = await open({ disk: first.disk });
  await until(() => store.item(saw.id)?.notes === 'sharp');
});

test('a page that stops gives way when everything is stored', async () => {
  const disk = new Disk();
  const [page, other] = [await open({ disk }), await open({ disk })];
  await equal(page.store);
  const { write } = page.storage;
  let release;
  const gate = new Promise((done) => (release = done));
  page.storage.write = async (...given) => {
    await gate;
    return write(...given);
  };
  const made = page.store.createItem(list, { name: 'Saw' });
  let isStopped = false;
  const stopped = page.store.stop().then(() => (isStopped = true));
  await other.store.createItem(list, { name: 'Axe' });
  assert.equal(isStopped, false);
  release();
  await Promise.all([made, stopped]);
  await equal(other.store);
  assert.deepEqual(titles(other.store).sort(), ['Axe', 'Saw']);
});

test('a page that stops while it begins to send follows the page that sends', async () => {
  const disk = new Disk();
  const [page, other] = [await open({ disk }), await open({ disk })];
  await equal(page.store);
  await page.store.stop();
  await other.store.stop();
  // The page reads what is stored when it is stopped.
  const { read } = page.storage;
  let begin;
  const isReading = new Promise((done) => (begin = done));
  page.storage.read = (keys) => {
    if (!keys) begin();
    return read(keys);
  };
  page.store.start();
  await isReading;
  await page.store.stop();
  other.store.start();
  page.store.start();
  await other.store.createItem(list, { name: 'Saw' });
  await equal(other.store);
  await equal(page.store);
});

test('a list that is restored while it is read is not shown before, even if the list above it is not kept', async () => {
  let gate = null;
  let inner = null;
  let beforeRead = null;
  const from = new client.Rowhouse(server.url, {
    async fetch(url, init) {
      if (beforeRead && url.endsWith(`/lists/${inner}`)) await beforeRead();
      const answer = await fetch(url, init);
      if (!url.endsWith('/events')) return answer;
      const held = new TransformStream({
        async transform(chunk, to) {
          await gate;
          to.enqueue(chunk);
        },
      });
      return new Response(answer.body.pipeThrough(held), answer);
    },
  });
  const { disk, store } = await open({ from });
  const top = idOf(await store.createList(list, { title: 'Top' }));
  inner = idOf(await store.createList(top, { title: 'Inner' }));
  await equal(store, inner);
  let release;
  let restored = null;
  beforeRead = async () => {
    beforeRead = null;
    await until(() => !disk.records.has(`kept/${top}`));
    gate = new Promise((done) => (release = done));
    restored = await rowhouse.restore(top);
  };
  const deleted = await rowhouse.deleteRow(top, { recursive: true });
  await until(() => restored);
  // Long enough to store a base.
  await new Promise((done) => setTimeout(done, 400));
  assert.ok(store.revision < deleted.revision || !store.list(inner), 'it is in the trash at this revision');
  assert.ok(disk.records.get('base').revision < deleted.revision || !disk.records.has(`list/${inner}`));
  release();
  await store.reached(restored.revision);
  await until(() => store.list(inner));
  await equal(store, inner);
});

for (const isKeptAgain of [false, true]) {
  const meanwhile = isKeptAgain ? ', even if all lists are kept once more meanwhile' : '';
  test(`a list is read again if the list above it is deleted and restored during a slow read${meanwhile}`, async () => {
    let slow = null;
    let gate = null;
    const from = new client.Rowhouse(server.url, {
      async fetch(url, init) {
        if (url.includes(`/lists/${slow}`)) await gate;
        return await fetch(url, init);
      },
    });
    const { disk, store } = await open({ from });
    await store.keepAll();
    const top = idOf(await store.createList(list, { title: 'Top' }));
    const inner = idOf(await store.createList(top, { title: 'Inner' }));
    await store.createItem(inner, { name: 'Saw' });
    await equal(store, inner);
    let release;
    gate = new Promise((done) => (release = done));
    slow = top;
    await rowhouse.deleteRow(top, { recursive: true });
    await until(() => !disk.records.has(`kept/${inner}`));
    const all = isKeptAgain ? store.keepAll() : null;
    const restored = await rowhouse.restore(top);
    release();
    await all;
    await store.reached(restored.revision);
    await until(() => store.rows(inner));
    assert.deepEqual(titles(store, inner), ['Saw']);
    await equal(store, inner);
  });
}
