import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { client, randomNumbers, rowhouse, server, setUp, until } from './server.mjs';
import { closeAll, crash, Disk, open } from './stores.mjs';

setUp({ retries: { firstDelay: 1 } });
afterEach(closeAll);

const { ROWHOUSE_TEST_SEEDS: count = 3, ROWHOUSE_TEST_FIRST_SEED: first = 1 } = process.env;
const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
const storesInAll = 5;
const commandsEach = 40;

/** A client whose requests and answers are lost at random, and which writes down what it was answered. */
function lossy(inventory, random, outcomes) {
  const network = { isDown: false, crashes: 0 };
  const lose = () => {
    throw new TypeError('fetch failed');
  };
  network.rowhouse = new client.Rowhouse(server.url, {
    inventory, retries: { firstDelay: 1, longestDelay: 20 },
    async fetch(url, init) {
      if (network.isDown || random(12) === 0) lose();
      const { crashes } = network;
      const answer = await fetch(url, init);
      // A late answer to a page that is gone may be about commands that another page has sent again.
      if (network.crashes > crashes) lose();
      const isStream = url.endsWith('/events');
      if (!isStream && random(8) === 0) lose();
      if (!url.endsWith('/sync')) return answer;
      const { commands, clientId } = JSON.parse(init.body);
      const text = await answer.text();
      for (const outcome of JSON.parse(text).outcomes ?? []) {
        const command = commands.find((each) => each.sequence === outcome.sequence);
        outcomes.set(`${clientId}/${outcome.sequence}`, { ...outcome, command });
      }
      return new Response(text, answer);
    },
  });
  return network;
}

/**
 * Gives a random command to a store. Resolves to its entry, or undefined if there is nothing to do it with.
 *
 * @param deleted the rows that a store has deleted.
 */
function act(store, lists, deleted, random, number) {
  const inner = lists.flatMap((id) => store.rows(id) ?? []).filter((row) => store.list(row.id) && !lists.includes(row.id));
  const known = [...lists, ...inner.map((row) => row.id)];
  const [id, target] = [known[random(known.length)], known[random(known.length)]];
  const pick = (of) => of[random(of.length || 1)]?.id;
  const rows = (store.rows(id) ?? []).filter((row) => row.id && !lists.includes(row.id));
  const items = rows.filter((row) => row.type === 'item');
  switch (random(10)) {
    case 0: case 1: {
      const draft = { name: `Item ${number}`, valueInDollars: random(100) };
      return store.createItem(id, draft, { at: random(rows.length + 1) });
    }
    case 2: return items.length && store.editItem(pick(items), { name: `Named ${number}` });
    case 3: return items.length && store.editItem(pick(items), { notes: `Note ${number}`, tags: [`t${random(3)}`] });
    case 4: case 5: {
      const moved = [...new Set([pick(rows), pick(rows)])].filter(Boolean);
      const others = (store.rows(target) ?? []).length;
      return moved.length && store.move(moved, target, random(others + 1));
    }
    case 6: return rows.length && random(2) && store.delete(pick(rows), { recursive: random(3) > 0 });
    case 7: return random(3) === 0 && store.createList(id, { title: `List ${number}` }, { at: random(rows.length + 1) });
    case 8: return inner.length && store.editList(pick(inner), { title: `Titled ${number}` });
    default: return deleted.length && store.restore(deleted[random(deleted.length)]);
  }
}

for (const seed of seeds) {
  test(`a random history of ${storesInAll} stores, seed ${seed}`, async () => {
    const random = randomNumbers(seed);
    const outcomes = new Map();
    // A token has at most 500 offline clients in an inventory.
    const inventory = (await rowhouse.createInventory({ title: `Seed ${seed}` })).id;
    const owner = rowhouse.with({ inventory });
    const list = (await owner.list('root')).id;
    const serverRevision = async () => (await owner.log({ limit: 1 })).changes[0].revision;
    const serverRows = async (id) => (await owner.rows(id, { limit: 1000 })).rows;
    const whole = (await open({ from: owner, keep: list })).store;
    const other = (await whole.createList(list, { title: 'Other' })).command.list.id;
    const lists = [list, other];
    for (let number = 0; number < 6; number += 1) await whole.createItem(lists[number % 2], { name: `First ${number}` });
    await until(() => whole.status.waiting.length === 0 && whole.list(other)?.revision > 0);
    await whole.reached(await serverRevision());
    const start = { lists: new Map(lists.map((id) => [id, recordOf(whole, id)])), items: new Map() };
    await whole.stop();

    const stores = [];
    const stored = [];
    for (let number = 0; number < storesInAll; number += 1) {
      const network = lossy(inventory, random, outcomes);
      // The first two are pages of one browser.
      const one = { network, disk: number === 1 ? stores[0].disk : new Disk() };
      one.disk.wrote = (changes) => changes.has('base') && stored.push(baseOf(one.disk));
      Object.assign(one, await open({ disk: one.disk, from: network.rowhouse, keep: list }));
      await one.store.keep(other);
      if (number > 2) await one.store.keepAll();
      lists.forEach((id) => one.store.rows(id));
      stores.push(one);
    }
    const given = [];
    for (let number = 0; number < storesInAll * commandsEach; number += 1) {
      const one = stores[random(storesInAll)];
      const deleted = given.filter(({ command }) => command.type === 'delete').map(({ command }) => command.id);
      const entry = await act(one.store, lists, deleted, random, number);
      if (entry) given.push(entry);
      if (random(4) === 0) await new Promise((done) => setTimeout(done, random(10)));
      if (random(15) === 0) one.network.isDown = !one.network.isDown;
      if (random(25) === 0) {
        await one.store.stop();
        one.store.start();
      }
      if (random(25) === 0) {
        crash(one);
        one.network.crashes += 1;
        Object.assign(one, await open({ disk: one.disk, from: one.network.rowhouse, keep: null }));
        lists.forEach((id) => one.store.rows(id));
      }
      if (random(100) === 0) {
        await server.kill();
        await server.run();
      }
    }
    for (const { network, store } of stores) {
      network.isDown = false;
      store.retryNow();
    }
    for (const { store } of stores) await until(() => store.status.waiting.length === 0);
    const revision = await serverRevision();
    for (const { store } of stores) {
      store.retryNow();
      await store.reached(revision);
      await Promise.all(lists.map((id) => store.keep(id)));
    }

    // Everyone has the server's rows.
    for (const id of lists) {
      const rows = await serverRows(id);
      for (const { store } of stores) assert.deepEqual(store.rows(id), rows);
      for (const { id: inner } of rows.filter((row) => row.type === 'list')) {
        const wanted = await serverRows(inner);
        for (const { store } of stores) if (store.list(inner)) assert.deepEqual(store.rows(inner), wanted);
      }
    }
    // Each command has one outcome.
    const answered = [...outcomes.values()];
    assert.equal(answered.filter((outcome) => outcome.outcome === 'repeated').length, 0);
    const described = ({ command }) => JSON.stringify({ ...command, sequence: undefined });
    assert.deepEqual(answered.map(described).sort(), given.map(described).sort());
    const refusals = new Set(stores.flatMap(({ store }) => store.refused.map((notice) => notice.id)));
    assert.equal(refusals.size, answered.filter((outcome) => outcome.outcome === 'refused').length);
    // The commands that changed something, done one after the other, lead to the server's rows.
    const changes = answered.filter((outcome) => outcome.revision).sort((left, right) => left.revision - right.revision);
    assert.equal(new Set(changes.map((change) => change.revision)).size, changes.length);
    const model = new client.view.View(start);
    for (const base of stored.sort((left, right) => left.revision - right.revision)) {
      while (changes[0]?.revision <= base.revision) model.apply(changes.shift().command);
      // At each revision that a store has stored, its lists have had these rows.
      for (const { list: { id }, rows } of base.lists) {
        assert.deepEqual(rows.map(indexed), model.lists.get(id)?.rows.map(indexed), `${id} at ${base.revision}`);
      }
    }
    for (const { command } of changes) model.apply(command);
    for (const id of lists) {
      assert.deepEqual(model.lists.get(id).rows.map(indexed), (await serverRows(id)).slice(0, -1));
    }
  });
}

const indexed = (row, index) => ({ ...row, index });

/** What a store has stored of the server's rows. */
const baseOf = (disk) => ({
  revision: disk.records.get('base').revision, lists: disk.keys('list').map((key) => disk.records.get(key)),
});

const recordOf = (store, id) => ({ list: store.list(id), rows: store.rows(id).slice(0, -1) });
