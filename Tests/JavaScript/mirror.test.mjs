import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Server, client, list, randomNumbers, rowhouse, server, setUp, until } from './server.mjs';

setUp({ retries: { firstDelay: 1 } });

/** A table that applies batch updates as UIKit documents them, and refuses what UIKit would refuse. */
class Table {
  ids = null;
  updates = [];

  show(update) {
    this.updates.push(update);
    this.error = update.error;
    const rows = update.rows.filter((row) => row.type !== 'sentinel');
    if (update.type === 'batch') this.#perform(update, rows);
    if (update.type !== 'gone') this.ids = rows.map((row) => row.id);
    update.rows.forEach((row, index) => assert.equal(row.index, index));
    assert.equal(update.list.rowCount, rows.length);
  }

  #perform({ deletes, inserts, moves, reloads, reconfigures }, rows) {
    const before = [...deletes, ...moves.map((move) => move.from), ...reloads];
    assert.equal(new Set(before).size, before.length);
    const leaving = new Set([...deletes, ...moves.map((move) => move.from)]);
    const after = this.ids.filter((_, index) => !leaving.has(index));
    const arriving = [
      ...inserts.map((index) => ({ index, id: rows[index].id })),
      ...moves.map(({ from, to }) => ({ index: to, id: this.ids[from] })),
    ].sort((left, right) => left.index - right.index);
    assert.equal(new Set(arriving.map((row) => row.index)).size, arriving.length);
    for (const { index, id } of arriving) {
      assert.ok(index <= after.length);
      after.splice(index, 0, id);
    }
    assert.deepEqual(after, rows.map((row) => row.id));
    assert.ok(reconfigures.every((index) => moves.some((move) => move.to === index)));
  }
}

async function mirrored(id = list, from = rowhouse) {
  const mirror = new client.ListMirror(from, id);
  const table = new Table();
  mirror.subscribe((update) => table.show(update));
  await mirror.start();
  return { mirror, table };
}

async function allRows(id = list) {
  const rows = [];
  for (;;) {
    const page = await rowhouse.rows(id, { offset: rows.length, limit: 1000 });
    rows.push(...page.rows);
    if (rows.length > page.count) return rows;
  }
}

const equal = async (mirror, id = list) => {
  const { revision } = await rowhouse.list(id);
  await until(() => mirror.revision >= revision);
  assert.deepEqual(mirror.rows, await allRows(id));
};

async function fill(count, id = list) {
  for (let first = 0; first < count; first += 100) {
    const inserts = Array.from({ length: Math.min(100, count - first) }, (_, offset) => (
      { index: first + offset, item: { name: `Item ${first + offset}` } }));
    await rowhouse.batch(id, { inserts });
  }
}

const vectors = JSON.parse(readFileSync(new URL('../Vectors/deltas.json', import.meta.url), 'utf8'));

for (const { name, before, delta, after } of vectors) {
  test(`delta: ${name}`, () => {
    const rows = new Map([...before].entries());
    assert.equal(client.deltaFits(delta, before.length), after !== null);
    if (after === null) return;
    const found = client.applyDelta(delta, rows);
    assert.deepEqual([...found].sort(([left], [right]) => left - right), [...after].map((row, index) => [index, row]));
    assert.deepEqual(rows, new Map([...before].entries()));
  });
}

/** Makes a random change of a list. Resolves to its receipt. */
async function change(random, number) {
  const { rows } = await rowhouse.rows(list, { limit: 1000, sentinel: false });
  const row = rows[random(rows.length || 1)];
  const index = random(rows.length + 1);
  switch (row ? random(9) : 8) {
    case 0: return rowhouse.deleteRow(row.id);
    case 1: return rowhouse.moveRow(list, { from: row.index, to: random(rows.length) });
    case 2: return (await rowhouse.editItem(row.id, { name: `Named ${number}` })).receipt;
    case 3: return rowhouse.reorder(list, { sort: random(2) ? 'title' : '-title' });
    case 4: return (await rowhouse.editList(list, { title: `Shelf ${number}` })).receipt;
    case 5: return (await rowhouse.batch(list, {
      deletes: [{ id: row.id }], inserts: [{ index: 0, item: { name: `Batch ${number}` } }],
      moves: rows.length > 1 ? [{ id: rows.at(row.index === 0 ? 1 : 0).id, to: rows.length - 1 }] : [],
    })).receipt;
    case 6: return rowhouse.move(row.id, { position: random(2) ? 'first' : 'last' });
    default: return (await rowhouse.createItem(list, { name: `Item ${number}`, position: { index } })).receipt;
  }
}

for (const seed of [1, 2, 3]) {
  test(`a table that applies each update shows what the server has, seed ${seed}`, async () => {
    const random = randomNumbers(seed);
    await fill(20);
    const { mirror, table } = await mirrored();
    for (let number = 0; number < 60; number += 1) {
      const receipt = await change(random, number);
      // The receipt and the event arrive in any order, or only the event does.
      if (random(2)) await mirror.absorb(receipt);
      if (random(10) === 0) await equal(mirror);
    }
    await equal(mirror);
    assert.deepEqual(table.ids, (await allRows()).slice(0, -1).map((row) => row.id));
    assert.deepEqual([...new Set(table.updates.slice(1).map((update) => update.type))], ['batch']);
    assert.equal(mirror.list.title, (await rowhouse.list(list)).title);
    mirror.stop();
  });
}

test('a receipt is applied once', async () => {
  const { mirror, table } = await mirrored();
  const { receipt } = await rowhouse.createItem(list, { name: 'Saw' });
  await mirror.absorb(receipt);
  assert.deepEqual(mirror.rows.map((row) => row.title), ['Saw', 'No more items!']);
  await mirror.absorb(receipt);
  await rowhouse.createItem(list, { name: 'Axe' });
  await equal(mirror);
  assert.deepEqual(table.updates.map((update) => update.inserts), [undefined, [0], [1]]);
  mirror.stop();
});

test('a receipt with a gap before it makes the mirror ask for the changes between', async () => {
  const asked = [];
  const fetch = (url, init) => {
    asked.push(new URL(url).pathname.split('/').at(-1));
    if (asked.at(-1) !== 'events') return globalThis.fetch(url, init);
    // No events, so that only receipts arrive.
    return new Promise((_, fail) => init.signal.addEventListener('abort', () => fail(init.signal.reason)));
  };
  const { mirror, table } = await mirrored(list, rowhouse.with({ fetch }));
  await rowhouse.createItem(list, { name: 'Saw' });
  await mirror.absorb((await rowhouse.createItem(list, { name: 'Axe' })).receipt);
  assert.deepEqual(mirror.rows.map((row) => row.title), ['Saw', 'Axe', 'No more items!']);
  assert.deepEqual(asked, [list, 'rows', 'events', 'changes']);
  assert.deepEqual(table.updates[1].inserts, [0, 1]);
  mirror.stop();
});

test('the sentinel and permissions reach the mirror', async () => {
  await fill(1);
  const { mirror, table } = await mirrored();
  await rowhouse.editList(list, { sentinel: { text: 'The end' } });
  await equal(mirror);
  assert.equal(mirror.rows[1].title, 'The end');
  await rowhouse.editList(list, { sentinel: { visible: false } });
  await until(() => mirror.rows.length === 1);
  await rowhouse.editList(list, { permissions: { move: false } });
  await until(() => mirror.rows[0].canMove === false);
  assert.deepEqual(table.updates.map((update) => update.type), ['all', 'all', 'all', 'all']);
  await rowhouse.deleteRow(mirror.rows[0].id);
  await until(() => mirror.rows.length === 0);
  mirror.stop();
});

test('a long list is read while it changes all the time', async () => {
  await fill(2500);
  const random = randomNumbers(7);
  let isOver = false;
  const writing = (async () => {
    for (let number = 0; !isOver; number += 1) {
      await rowhouse.moveRow(list, { from: random(2500), to: random(2500) });
      const position = { index: random(2500) };
      if (number % 3 === 0) await rowhouse.createItem(list, { name: `New ${number}`, position });
      if (number % 5 === 0) {
        const { rows } = await rowhouse.rows(list, { offset: random(2400), limit: 1 });
        await rowhouse.deleteRow(rows[0].id);
      }
    }
  })();
  const { mirror, table } = await mirrored();
  isOver = true;
  await writing;
  await equal(mirror);
  assert.equal(table.updates.filter((update) => update.type === 'all').length, 1);
  mirror.stop();
});

test('a change that is too large makes the mirror read all pages again', async () => {
  await fill(2100);
  const { mirror, table } = await mirrored();
  const ids = mirror.rows.slice(0, -1).map((row) => row.id);
  const receipt = await rowhouse.reorder(list, { ids: ids.reverse() });
  assert.equal(receipt.deltas[0].resync, true);
  await until(() => table.updates.length > 1);
  assert.equal(table.updates[1].type, 'all');
  await equal(mirror);
  mirror.stop();
});

test('a deleted list is gone, and that is the last update', async () => {
  const { mirror, table } = await mirrored();
  await rowhouse.deleteRow(list);
  await until(() => table.updates.length === 2);
  assert.equal(table.updates[1].type, 'gone');
  await assert.rejects(mirror.start(), { code: 'in_trash' });
  await rowhouse.restore(list);
  await mirror.start();
  assert.equal(table.updates[2].type, 'all');
  mirror.stop();
});

test('a mirror follows its server through a crash', async () => {
  const own = await Server.start();
  try {
    const other = new client.Rowhouse(own.url, { retries: { firstDelay: 1 } });
    const { id } = await other.createList({ title: 'Shelf' });
    const { mirror, table } = await mirrored(id, other);
    await own.kill();
    await own.run();
    await other.createItem(id, { name: 'Saw' });
    await until(() => mirror.rows.length === 2);
    assert.deepEqual(table.updates.map((update) => update.type), ['all', 'batch']);
    mirror.stop();
  } finally {
    await own.close();
  }
});

test('a mirror that is refused says why', async () => {
  const own = await Server.start();
  try {
    const owner = new client.Rowhouse(own.url, { token: own.makeToken() });
    const made = await owner.createToken({ name: 'tablet', role: 'reader' });
    const { mirror, table } = await mirrored('root', owner.with({ token: made.token }));
    await owner.createItem('root', { name: 'Saw' });
    await until(() => mirror.rows.length === 2);
    await owner.revokeToken(made.id);
    await until(() => table.updates.length === 3);
    assert.equal(table.updates[2].type, 'gone');
    await assert.rejects(mirror.start(), { code: 'unauthenticated' });
  } finally {
    await own.close();
  }
});

test('a stopped mirror gives no update', async () => {
  const { mirror, table } = await mirrored();
  mirror.stop();
  const { receipt } = await rowhouse.createItem(list, { name: 'Saw' });
  await mirror.absorb(receipt);
  const starting = mirror.start();
  mirror.stop();
  await assert.rejects(starting, { name: 'AbortError' });
  assert.equal(table.updates.length, 1);
  await mirror.start();
  assert.equal(mirror.rows.length, 2);
  mirror.stop();
});

test('a subscriber leaves, and an error of one does not harm another', async (context) => {
  const reported = [];
  // As in a browser. Node.js 20 has no such function, and ends the program instead.
  globalThis.reportError = (error) => reported.push(error.message);
  context.after(() => delete globalThis.reportError);
  const mirror = new client.ListMirror(rowhouse, list);
  const seen = [];
  const leave = mirror.subscribe(() => seen.push('first'));
  mirror.subscribe(() => { throw new Error('a subscriber failed'); });
  mirror.subscribe(() => seen.push('last'));
  await mirror.start();
  leave();
  await mirror.absorb((await rowhouse.createItem(list, { name: 'Saw' })).receipt);
  assert.deepEqual(seen, ['first', 'last', 'last']);
  assert.deepEqual(reported, ['a subscriber failed', 'a subscriber failed']);
  mirror.stop();
});
