import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, client, list, rowhouse, server, setUp } from './server.mjs';

setUp();

const titles = async (id = list) => (await rowhouse.rows(id, { sentinel: false })).rows.map((row) => row.title);

async function fill(...names) {
  const items = [];
  for (const name of names) items.push(await rowhouse.createItem(list, { name }));
  return items;
}

/** A client whose requests go through a function of the global `fetch`, with a log of them. */
function through(handler, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ method: init.method, url, headers: Object.fromEntries(init.headers), at: Date.now() });
    return handler(() => globalThis.fetch(url, init), requests.length);
  };
  return { requests, rowhouse: new client.Rowhouse(server.url, { fetch, retries: { firstDelay: 1 }, ...options }) };
}

const lost = () => {
  throw new TypeError('fetch failed');
};

test('lists are created, read, edited and deleted', async () => {
  const made = await rowhouse.createList({ title: 'Box', parentId: list, itemKind: 'car' });
  assert.equal((await rowhouse.list(made.id)).itemKind, 'car');
  assert.equal((await rowhouse.editList(made.id, { title: 'Garage' }, { ifMatch: made.revision })).title, 'Garage');
  assert.deepEqual((await rowhouse.lists({ parentId: list })).lists.map((each) => each.title), ['Garage']);
  assert.deepEqual((await rowhouse.listPath(made.id)).path.map((step) => step.title), ['Inventory', 'Shelf', 'Garage']);
  assert.equal((await rowhouse.resolve('/Shelf/Garage')).id, made.id);
  assert.equal((await rowhouse.deleteRow(made.id)).changed, true);
  await assert.rejects(rowhouse.list(made.id), { code: 'in_trash', status: 410, isMissing: true });
});

test('pages and views of rows', async () => {
  await fill('Saw', 'Hammer', 'Axe');
  const page = await rowhouse.rows(list, { limit: 2, offset: 1 });
  assert.deepEqual([page.count, page.rows.map((row) => row.title)], [3, ['Hammer', 'Axe', 'No more items!']]);
  const view = await rowhouse.rows(list, { sort: 'title', q: 'a', type: 'item', limit: 2, sentinel: false });
  assert.deepEqual([view.matched, view.rows.map((row) => row.title)], [3, ['Axe', 'Hammer']]);
  const all = [];
  for await (const row of rowhouse.eachRow(list, { limit: 2, sort: '-title' })) all.push(row.title);
  assert.deepEqual(all, ['Saw', 'Hammer', 'Axe']);
  const rows = rowhouse.eachRow(list, { limit: 1 });
  await rows.next();
  await fill('Pliers');
  await assert.rejects(rows.next(), { code: 'list_moved_on', status: 409 });
});

test('rows are moved, reordered, changed in batches and deleted', async () => {
  const [saw, hammer, axe] = await fill('Saw', 'Hammer', 'Axe');
  const receipt = await rowhouse.moveRow(list, { from: 2, to: 0, id: axe.id });
  assert.deepEqual(receipt.deltas[0].moves, [{ from: 2, to: 0 }]);
  await assert.rejects(rowhouse.moveRow(list, { from: 0, to: 1, id: saw.id }), { code: 'row_moved' });
  assert.equal((await rowhouse.moveTarget(list, { from: 0, to: 9 })).to, 2);
  await rowhouse.move(saw.id, { position: 'first' });
  assert.deepEqual(await titles(), ['Saw', 'Axe', 'Hammer']);
  await rowhouse.reorder(list, { ids: [hammer.id, axe.id, saw.id] });
  assert.deepEqual(await titles(), ['Hammer', 'Axe', 'Saw']);
  await rowhouse.reorder(list, { sort: 'title' });
  const { revision } = await rowhouse.list(list);
  const inserts = [{ index: 0, item: { name: 'Vice' } }];
  const batch = { deletes: [{ id: saw.id }], inserts, moves: [{ from: 0, to: 2 }] };
  const answer = await rowhouse.batch(list, batch, { ifMatch: revision });
  assert.equal(answer.results.inserts[0].name, 'Vice');
  assert.deepEqual(await titles(), ['Vice', 'Hammer', 'Axe']);
  const other = (await rowhouse.createList({ title: 'Other' })).id;
  await rowhouse.moveRows(other, { ids: [axe.id, hammer.id], position: 'first' });
  assert.deepEqual(await titles(other), ['Axe', 'Hammer']);
  assert.equal((await rowhouse.place(hammer.id)).index, 1);
  await rowhouse.deleteRowAt(other, 0, { id: axe.id });
  assert.equal((await rowhouse.changes(list, receipt.revision)).deltas[0].countAfter, 1);
  await assert.rejects(rowhouse.deleteRow(other), { code: 'list_not_empty' });
  assert.equal((await rowhouse.deleteRow(other, { recursive: true })).changed, true);
});

test('items are edited and replaced', async () => {
  const [drill] = await fill('Drill');
  const options = { ifMatch: drill.revision };
  const edited = await rowhouse.editItem(drill.id, { valueInDollars: 12.5, tags: ['tools'] }, options);
  assert.equal(edited.valueInDollars, 12.5);
  await assert.rejects(rowhouse.editItem(drill.id, { name: 'Old' }, options), (error) =>
    error instanceof client.RowhouseError && error.code === 'precondition_failed' && error.status === 412
    && error.problem.current.revision === edited.revision);
  const read = await rowhouse.item(drill.id);
  assert.equal((await rowhouse.replaceItem({ ...read, name: 'Lathe', tags: [] })).name, 'Lathe');
  const contents = await rowhouse.makeContents(drill.id);
  assert.equal(contents.itemId, drill.id);
  assert.equal((await rowhouse.neighbours(drill.id)).count, 1);
});

test('numbers that JavaScript would round are sent as they were read', async () => {
  const fields = '{"id":9007199254740993,"big":12345678901234567890123.123456789,"short":1.10,"nest":{"a":[-98765432109876543210,null,"9007199254740993"]}}';
  const raw = (path, options) => fetch(server.url + path, options).then((answer) => answer.text());
  const body = JSON.stringify({ name: 'Drill', notes: '\\"1e400,{', fields: null }).replace('null', fields);
  const made = JSON.parse(await raw(`/v1/lists/${list}/items`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }));
  const read = await rowhouse.item(made.id);
  assert.equal(read.notes, made.notes);
  const { id, big, short, nest } = read.fields;
  assert.ok(id instanceof client.ExactNumber && id > 9e15);
  assert.deepEqual([`${id}`, big.text, short, String(nest.a[0]), nest.a[2]], [
    '9007199254740993', '12345678901234567890123.123456789', 1.1, '-98765432109876543210', '9007199254740993']);
  read.notes = 'added';
  await rowhouse.editItem(made.id, read);
  await rowhouse.replaceItem({ ...read, fields: { ...read.fields, copy: id, other: new client.ExactNumber('0.12345678901234567891') } });
  const text = await raw(`/v1/items/${made.id}`);
  const after = fields.replace('1.10', '1.1').slice(0, -1);
  assert.ok(text.includes(`${after},"copy":9007199254740993,"other":0.12345678901234567891}`), text);
  assert.throws(() => new client.ExactNumber('1,"name":null'), TypeError);
});

test('JSON is read and written as by the browser, except for numbers that it rounds', () => {
  const exact = ['9007199254740991', '1234567890123456', '0.30000000000000004', '1e21', '1E+2', '-0', '0e5', '5e-324', '1.0000000000000000000'];
  for (const text of [...exact, '"a \\" 12345678901234567890"', '[ ]', '{"12345678901234567":"1e999"}', '[0.1,"\\\\",12.5]']) {
    assert.deepEqual(client.parseJSON(text), JSON.parse(text), text);
  }
  for (const text of ['9007199254740993', '-1e400', '1e-400', '0.12345678901234567', '[12345678901234567]', '{"a":[1,{"b":1234567890123456789}]}']) {
    assert.notEqual(JSON.stringify(JSON.parse(text)), text);
    assert.equal(client.writeJSON(client.parseJSON(text)), text);
  }
  for (const text of ['1.2.3.4.5.6.7.8.9.0.1', '0123456789012345678', '{"a":12345678901234567890', '']) {
    assert.throws(() => client.parseJSON(text), text);
  }
  for (const value of [undefined, null, [undefined, new Date(0)], { a: undefined, b: [NaN] }, 'x'.repeat(5_000_000) + '"']) {
    assert.equal(client.writeJSON(value), JSON.stringify(value));
  }
  const long = `["${'x\\"'.repeat(1_000_000)}",12345678901234567890,1${'0'.repeat(100_000)}1]`;
  assert.equal(client.writeJSON(client.parseJSON(long)), long);
});

test('an error has the problem with all errors of fields', async () => {
  await assert.rejects(rowhouse.createItem(list, { name: '', quantity: -1, colour: 'red' }), (error) => {
    assert.equal(error.name, 'RowhouseError');
    assert.deepEqual([error.code, error.status, error.isTemporary], ['invalid', 422, false]);
    assert.equal(error.message, error.detail);
    assert.equal(error.problem.type, '/problems/invalid');
    assert.deepEqual(error.errors.map((each) => each.pointer).sort(), ['/colour', '/name', '/quantity']);
    return true;
  });
  await assert.rejects(rowhouse.rows(list, { limits: 3 }), (error) => error.errors[0].parameter === 'limits');
});

test('only ids and indices become part of a path', () => {
  for (const id of [undefined, null, '', '..', 'a/b', 'a?b', {}]) assert.throws(() => rowhouse.item(id), TypeError);
  for (const url of ['ftp://a', 'nothing']) assert.throws(() => new client.Rowhouse(url), TypeError);
  assert.equal(new client.Rowhouse('http://a/rowhouse/?x#y').url, 'http://a/rowhouse');
});

test('texts come in another language', async () => {
  const page = await rowhouse.with({ language: 'ar' }).rows(list);
  assert.equal(page.dir, 'rtl');
});

test('a write whose answer is lost is repeated, and done once', async () => {
  const flaky = through(async (pass, attempt) => {
    const response = await pass();
    return attempt < 3 ? lost() : response;
  });
  await flaky.rowhouse.createItem(list, { name: 'Saw' });
  assert.equal(flaky.requests.length, 3);
  assert.equal(new Set(flaky.requests.map((request) => request.headers['idempotency-key'])).size, 1);
  assert.deepEqual(await titles(), ['Saw']);
  await flaky.rowhouse.createItem(list, { name: 'Saw' }, { idempotencyKey: 'mine' });
  assert.equal(flaky.requests.at(-1).headers['idempotency-key'], 'mine');
});

test('calls that take no key are sent once', async () => {
  const down = through(lost);
  const error = { code: 'unreachable', status: 0, isTemporary: true };
  await assert.rejects(down.rowhouse.createToken({ name: 'a', role: 'reader' }), error);
  await assert.rejects(down.rowhouse.createInventory({ title: 'a' }), error);
  await assert.rejects(down.rowhouse.revokeToken('a'), error);
  assert.equal(down.requests.length, 3);
  await assert.rejects(down.rowhouse.list(list), error);
  assert.equal(down.requests.length, 7);
  await assert.rejects(down.rowhouse.import(new Blob(['{}']).stream()), error);
  assert.equal(down.requests.length, 8);
});

test('a retry waits as long as the server asks', async () => {
  const busy = (seconds) => new Response('busy', { status: 503, headers: { 'Retry-After': seconds } });
  const patient = through((pass, attempt) => (attempt === 1 ? busy('1') : pass()));
  await patient.rowhouse.list(list);
  assert.ok(patient.requests[1].at - patient.requests[0].at >= 990);
  const refused = through(() => busy('60'));
  const error = { code: 'unreadable', status: 503, retryAfter: 60, isTemporary: true };
  await assert.rejects(refused.rowhouse.list(list), error);
  assert.equal(refused.requests.length, 1);
  const failed = through(() => new Response('', { status: 500 }));
  await assert.rejects(failed.rowhouse.list(list), { status: 500 });
  assert.equal(failed.requests.length, 1);
  const never = through(() => busy('0'), { retries: { attempts: 1 } });
  await assert.rejects(never.rowhouse.list(list), { status: 503 });
  assert.equal(never.requests.length, 1);
});

test('a call ends with its timeout or its signal', async () => {
  const fetch = (url, { signal }) =>
    new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  const waiting = new client.Rowhouse(server.url, { fetch, timeout: 20, retries: { attempts: 2, firstDelay: 1 } });
  await assert.rejects(waiting.list(list), { code: 'unreachable', message: /20 milliseconds/ });
  assert.equal((await rowhouse.list(list, { timeout: Infinity })).id, list);
  const abort = new AbortController();
  const call = waiting.list(list, { signal: abort.signal, timeout: 60_000 });
  abort.abort(new Error('enough'));
  await assert.rejects(call, { message: 'enough' });
  await assert.rejects(rowhouse.list(list, { signal: abort.signal }), { message: 'enough' });
  const delayed = through(lost, { retries: { firstDelay: 60_000, longestDelay: 60_000 } });
  const later = new AbortController();
  setTimeout(() => later.abort(), 20);
  await assert.rejects(delayed.rowhouse.list(list, { signal: later.signal }), { name: 'AbortError' });
});

/** The smallest GIF: one transparent pixel. */
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** The header of a square JPEG. */
const jpeg = (side) => Buffer.from(`ffd8ffc0000b08000${side}000${side}01011100ffd9`, 'hex');

test('photos go up, come down, change places and are deleted', async () => {
  const [drill] = await fill('Drill');
  const first = await rowhouse.addPhoto(drill.id, gif);
  const second = await rowhouse.addPhoto(drill.id, new Blob([gif], { type: 'image/png' }));
  assert.deepEqual([first.type, second.index], ['image/gif', 1]);
  assert.deepEqual(Buffer.from(await (await rowhouse.photo(drill.id, first.id)).arrayBuffer()), gif);
  const rendition = jpeg(1);
  await rowhouse.addRendition(drill.id, first.id, 208, rendition);
  assert.deepEqual(Buffer.from(await (await rowhouse.photo(drill.id, first.id, { size: 100 })).arrayBuffer()), rendition);
  await assert.rejects(rowhouse.addRendition(drill.id, first.id, 208, jpeg(2)), { code: 'rendition_taken' });
  const large = (type) => client.neededSizes(new Blob([Buffer.alloc(600_000)], { type }));
  assert.deepEqual([large('image/png'), large('image/gif')], [[96, 208, 1280], [96, 208]]);
  assert.deepEqual(client.neededSizes(new Blob(['small'], { type: 'image/heic' })), [96, 208, 1280]);
  // Node.js cannot make any.
  assert.equal((await client.makeRenditions(new Blob([gif]), [96])).size, 0);
  await rowhouse.reorderPhotos(drill.id, [second.id, first.id]);
  await rowhouse.deletePhoto(drill.id, first.id);
  assert.deepEqual((await rowhouse.photos(drill.id)).photos.map((photo) => photo.id), [second.id]);
});

test('searches, tags, the log, undo and the trash', async () => {
  const saw = await rowhouse.createItem(list, { name: 'Fretsaw', tags: ['fine'] });
  assert.equal((await rowhouse.search('frets', { listId: list })).hits[0].id, saw.id);
  assert.deepEqual((await rowhouse.tags({ prefix: 'fi' })).tags, [{ tag: 'fine', count: 1 }]);
  const receipt = await rowhouse.deleteRow(saw.id);
  assert.equal((await rowhouse.trash()).trash[0].id, saw.id);
  assert.equal((await rowhouse.log({ limit: 1 })).changes[0].revision, receipt.revision);
  await rowhouse.undo(receipt.revision);
  await rowhouse.deleteRow(saw.id);
  await rowhouse.restore(saw.id);
  assert.deepEqual(await titles(), ['Fretsaw']);
  await rowhouse.deleteRow(saw.id);
  assert.equal(await rowhouse.purge(saw.id), undefined);
  await assert.rejects(rowhouse.item(saw.id), { code: 'not_found' });
});

test('exports and imports are streams', async () => {
  await fill('Saw', 'Axe');
  const text = await new Response(await rowhouse.export({ listId: list })).text();
  assert.equal(text.trim().split('\n').length, 5);
  const { id } = await rowhouse.createInventory({ title: 'Copy' });
  const copy = rowhouse.with({ inventory: id });
  assert.equal((await copy.import(text, { dryRun: true })).items, 2);
  const report = await copy.import(await rowhouse.export({ listId: list }));
  assert.deepEqual([report.items, report.dryRun], [2, false]);
  const [made] = (await copy.lists()).lists;
  assert.equal(made.title, 'Shelf');
  const whole = await new Response(await rowhouse.exportTable('root', { subtree: true })).text();
  assert.ok(whole.includes('Saw') && whole.split('\n')[0].endsWith(',location\r'));
  const table = await new Response(await rowhouse.exportTable(list)).text();
  assert.equal((await rowhouse.importTable(list, table.replace('Saw', 'Hacksaw'))).updated, 1);
  assert.deepEqual(await titles(), ['Hacksaw', 'Axe']);
  await assert.rejects(rowhouse.import('nothing'), { code: 'invalid_lines' });
});

test('an export that is being read can be aborted', async () => {
  const abort = new AbortController();
  const stream = await rowhouse.export({ signal: abort.signal });
  abort.abort();
  await assert.rejects(new Response(stream).text(), { name: 'AbortError' });
});

test('any other call can be sent', async () => {
  assert.equal((await rowhouse.request('GET', '/healthz')).status, 'ok');
  const navigator = await rowhouse.request('POST', '/v1/navigators', { json: { name: 'phone' } });
  const path = client.withQuery('/v1/navigators', { name: 'phone', other: undefined });
  assert.equal((await rowhouse.request('GET', path)).navigators[0].id, navigator.id);
});

test('labels are drawings', async () => {
  const [hammer] = await fill('Hammer');
  for (const label of [await rowhouse.itemLabel(hammer.id), await rowhouse.listLabel(list)]) {
    assert.equal(label.type, 'image/svg+xml');
    assert.match(await label.text(), /^<svg /);
  }
});

test('tokens and inventories', async () => {
  const inventory = await rowhouse.createInventory({ title: 'Shop' });
  assert.equal((await rowhouse.inventory(inventory.id)).id, inventory.id);
  assert.equal((await rowhouse.editInventory(inventory.id, { depthLimit: 5 })).depthLimit, 5);
  assert.ok((await rowhouse.inventories()).inventories.length >= 2);
  assert.equal((await rowhouse.about()).name, 'Rowhouse');
  const own = await Server.start();
  try {
    const token = own.makeToken();
    const open = new client.Rowhouse(own.url);
    await assert.rejects(open.me(), { code: 'unauthenticated', status: 401 });
    const owner = open.with({ token });
    assert.equal((await owner.me()).role, 'owner');
    const made = await owner.createToken({ name: 'tablet', role: 'reader' });
    const reader = open.with({ token: made.token });
    await assert.rejects(reader.createList({ title: 'No' }), { code: 'role_forbids', status: 403 });
    assert.equal((await owner.tokens()).count, 2);
    assert.equal((await owner.renameToken(made.id, 'phone')).name, 'phone');
    const invitation = await owner.invite({ role: 'reader', name: 'Kim' });
    assert.equal(invitation.link, `${own.url}/#invite=${invitation.code}`);
    const shown = await open.previewInvitation(invitation.code);
    assert.deepEqual([shown.id, shown.title, shown.role], [invitation.id, 'Inventory', 'reader']);
    const other = await owner.invite({ role: 'reader' });
    assert.deepEqual((await owner.invitations()).invitations.map(({ id }) => id).sort(), [invitation.id, other.id].sort());
    assert.equal(await owner.withdrawInvitation(other.id), undefined);
    await assert.rejects(open.previewInvitation(other.code), { code: 'invitation_invalid', status: 404 });
    const kim = await open.acceptInvitation(invitation.code, 'Pad');
    assert.equal(kim.name, 'Kim (Pad)');
    assert.equal((await open.with({ token: kim.token }).me()).tokenId, kim.id);
    await assert.rejects(open.acceptInvitation(invitation.code, 'Pad'), { code: 'invitation_invalid', status: 404 });
    assert.equal(await owner.revokeToken(made.id), undefined);
    await assert.rejects(reader.me(), { code: 'unauthenticated' });
  } finally {
    await own.close();
  }
});

test('commands of an offline client are done once, and items are found by a serial number', async () => {
  const [hammer, saw] = await fill('Hammer', 'Saw');
  const batch = {
    clientId: client.newID(),
    commands: [
      { sequence: 1, type: 'createItem', listId: list, item: { id: client.newID(), name: 'Plane', serialNumber: 'P-1' },
        position: { after: hammer.id, else: 'last' } },
      { sequence: 2, type: 'editItem', id: saw.id, patch: { name: 'Hacksaw' }, from: { name: 'Handsaw' } },
      { sequence: 3, type: 'delete', id: client.newID() },
    ],
  };
  const answer = await rowhouse.sync(batch);
  assert.deepEqual(answer.outcomes.map((each) => each.outcome), ['done', 'overwrote', 'refused']);
  assert.deepEqual(answer.outcomes[1].overwritten, { name: 'Saw' });
  assert.equal(answer.outcomes[2].problem.code, 'not_found');
  assert.deepEqual((await rowhouse.sync(batch)).outcomes, answer.outcomes);
  assert.deepEqual(await titles(), ['Hammer', 'Plane', 'Hacksaw']);
  assert.deepEqual((await rowhouse.findItems({ serialNumber: 'P-1' })).items.map((item) => item.name), ['Plane']);
});
