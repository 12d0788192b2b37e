import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, client, list, rowhouse, server, setUp } from './server.mjs';

setUp();

const next = async (events) => (await events.next()).value;

/** The next event other than `position`. */
async function nextChange(events) {
  for (;;) {
    const event = await next(events);
    if (event?.type !== 'position') return event;
  }
}

const stream = ':hello\n\nretry: 20\nid: 4\nevent: position\ndata: {"a":1}\n\n'
  + 'event:change\nid: 5\ndata: one\ndata:two\n\nid: 6\n\ndata\nnonsense: x\n\nid: 7\nevent: change\ndata: cut';
const events = [
  { name: 'position', data: '{"a":1}', id: '4' }, { name: 'change', data: 'one\ntwo', id: '5' },
  { name: 'message', data: '', id: '6' },
];

for (const [name, end] of [['LF', '\n'], ['CR', '\r'], ['CR LF', '\r\n']]) {
  test(`a stream with ${name} is parsed the same at every split`, () => {
    const text = stream.replaceAll('\n', end);
    for (let split = 0; split <= text.length; split += 1) {
      const parser = new client.EventParser('3');
      assert.equal(parser.lastID, '3');
      const found = [...parser.feed(text.slice(0, split)), ...parser.feed(''), ...parser.feed(text.slice(split))];
      assert.deepEqual(found, events, `split at ${split}`);
      // The last block is not complete, so the server sends it again.
      assert.deepEqual([parser.lastID, parser.retry], ['6', 20]);
      parser.restart();
      assert.deepEqual(parser.feed(`data: new${end}${end}`), [{ name: 'message', data: 'new', id: '6' }]);
    }
  });
}

test('events of a list arrive, and the last one says that it is gone', async () => {
  const events = rowhouse.events({ list });
  const { revision } = await rowhouse.list(list);
  assert.deepEqual(await next(events), { type: 'position', revision });
  const receipt = (await rowhouse.createItem(list, { name: 'Saw' })).receipt;
  const change = await next(events);
  assert.deepEqual([change.type, change.revision, change.requestId], ['change', receipt.revision, receipt.requestId]);
  assert.deepEqual(change.deltas, receipt.deltas.filter((delta) => delta.listId === list));
  await rowhouse.deleteRow(list, { recursive: true });
  assert.equal((await next(events)).type, 'gone');
  assert.deepEqual(await events.next(), { done: true, value: undefined });
});

test('events of the inventory start after a revision', async () => {
  const { revision } = await rowhouse.createItem(list, { name: 'Saw' });
  const other = await rowhouse.createList({ title: 'Other' });
  const events = rowhouse.events({ since: revision });
  const change = await nextChange(events);
  assert.deepEqual([change.fromRevision, change.lists.includes(other.id)], [revision, true]);
  await events.return();
});

test('a stream resumes after the server was killed, with all missed changes in one event', async () => {
  const own = await Server.start();
  try {
    const quick = new client.Rowhouse(own.url, { retries: { firstDelay: 1 } });
    const { id, revision } = await quick.createList({ title: 'Shelf' });
    const events = quick.events({ list: id });
    assert.equal((await next(events)).type, 'position');
    const waiting = nextChange(events);
    await own.kill();
    await own.run();
    for (const name of ['Saw', 'Axe', 'Vice']) await quick.createItem(id, { name });
    let change = await waiting;
    assert.equal(change.fromRevision, revision);
    let inserted = change.deltas[0].inserts.length;
    while (inserted < 3) {
      change = await nextChange(events);
      inserted += change.deltas[0].inserts.length;
    }
    await events.return();
  } finally {
    await own.close();
  }
});

/** A client whose streams are given by functions in turn. The last one is given again. */
function streaming(...answers) {
  const sent = [];
  const fetch = async (url, init) => {
    sent.push(init.headers['Last-Event-ID']);
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (typeof answer !== 'string') return answer();
    return new Response(answer, { headers: { 'Content-Type': 'text/event-stream' } });
  };
  return { sent, rowhouse: new client.Rowhouse(server.url, { fetch, retries: { firstDelay: 1 } }) };
}

test('each connection names the last complete event', async () => {
  const { sent, rowhouse } = streaming(
    'id: 4\nevent: position\ndata: {"revision":4}\n\nid: 5\nevent: change\ndata: {"revi',
    () => { throw new TypeError('fetch failed'); },
    () => new Response('busy', { status: 503 }),
    () => new Response('<form>', { headers: { 'Content-Type': 'text/html' } }),
    'id: 5\nevent: change\ndata: {"revision":5}\n\nevent: newer\ndata: 1\n\n',
    'id: 9\nevent: resync\ndata: {"revision":9}\n\n',
    'event: gone\ndata: {"listId":"a"}\n\n');
  const seen = [];
  for await (const event of rowhouse.events({ since: 3 })) seen.push(event);
  assert.deepEqual(seen, [
    { type: 'position', revision: 4 }, { type: 'change', revision: 5 }, { type: 'resync', revision: 9 },
    { type: 'gone', listId: 'a' },
  ]);
  assert.deepEqual(sent, ['3', '4', '4', '4', '4', '5', '9']);
});

test('a refused stream throws, unless the list was deleted while it was disconnected', async () => {
  await assert.rejects(next(rowhouse.events({ list: '0198c0de-0000-7000-8000-00000000ffff' })), { code: 'not_found' });
  const gone = () => Response.json(
    { code: 'in_trash', status: 410, title: 'Deleted' },
    { status: 410, headers: { 'Content-Type': 'application/problem+json' } });
  const events = streaming('id: 4\nevent: position\ndata: {"revision":4}\n\n', gone).rowhouse.events();
  assert.equal((await next(events)).type, 'position');
  assert.equal((await next(events)).type, 'gone');
  assert.equal((await events.next()).done, true);
  const broken = streaming('event: change\ndata: {\n\n').rowhouse.events();
  await assert.rejects(next(broken), { code: 'unreadable' });
});

test('a stream ends with its signal, also while it waits', async () => {
  const abort = new AbortController();
  const events = rowhouse.events({ list, signal: abort.signal });
  await next(events);
  const waiting = events.next();
  abort.abort(new Error('enough'));
  await assert.rejects(waiting, { message: 'enough' });
  const down = new client.Rowhouse('http://127.0.0.1:9', { retries: { firstDelay: 60_000, longestDelay: 60_000 } });
  const later = new AbortController();
  setTimeout(() => later.abort(), 50);
  await assert.rejects(next(down.events({ signal: later.signal })), { name: 'AbortError' });
});
