/** Tests with the harness: node --test scripts/examples/harness/harness.test.mjs */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { Refused, RowhouseServer } from './rowhouse-harness.mjs';

let server;

before(async () => {
  server = await RowhouseServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  await server.reset();
  await server.call('DELETE', '/v1/test/requests');
});

/** Adds an item, and tries again once if no answer comes: what a careful client does. */
async function add(name, key) {
  const attempt = () => server.call('POST', '/v1/lists/root/items', { name }, { 'Idempotency-Key': key });
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Refused) throw error;
    return attempt();
  }
}

async function titles(of = server) {
  const { rows } = await of.call('GET', '/v1/lists/root/rows?sentinel=false');
  return rows.map((row) => row.title);
}

test('a lost answer makes nothing twice', async () => {
  await server.fail([{ method: 'POST', nth: 1, effect: 'loseAnswer' }]);
  await add('Saw', 'saw-1');
  assert.deepEqual(await titles(), ['Saw']);
  assert.deepEqual((await server.requests()).slice(0, 2).map((request) => request.effect), ['loseAnswer', null]);
});

test('each test begins at the start', async () => {
  assert.deepEqual(await titles(), []);
  assert.equal((await server.call('GET', '/v1/test/faults')).count, 0);
});

test('a busy server says so', async () => {
  await server.fail([{ route: '/v1/lists/{listId}/rows', delay: 100, effect: 'refuse', status: 503 }]);
  await assert.rejects(titles(), (error) => error.status === 503 && error.problem.code === 'overloaded');
});

test('an answer that is cut is an error, not a short list', async () => {
  await server.fail([{ route: '/v1/lists/{listId}/rows', effect: 'cutAnswer', bytes: 40 }]);
  await assert.rejects(titles(), (error) => !(error instanceof Refused));
});

test('the trash is purged after a month', async () => {
  const { id } = await add('Saw', 'saw-1');
  await server.call('DELETE', `/v1/items/${id}`);
  assert.equal((await server.call('GET', '/v1/trash')).count, 1);
  await server.advance(31 * 86_400);
  assert.equal((await server.call('GET', '/v1/trash')).count, 0);
});

test('a server can begin with a demo, and stop twice', async () => {
  const demo = await RowhouseServer.start({ seed: 'demo' });
  assert.deepEqual(await titles(demo), ['Home', 'Garage']);
  await demo.stop();
  await demo.stop();
});

test('a server that does not start is reported', async () => {
  await assert.rejects(RowhouseServer.start({ options: ['--nonsense'] }), /status 64/);
});
