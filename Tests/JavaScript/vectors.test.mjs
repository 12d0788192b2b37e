import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { client, setUp } from './server.mjs';

setUp();

/** The corpus that the model of the server's tests has made, or the sample of it in this project. */
const corpus = process.env.ROWHOUSE_VECTORS ?? new URL('../Vectors/offline.ndjson', import.meta.url);
const vectors = readFileSync(corpus, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

const pick = (object, names) =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
const rowNames = ['rowCount', 'totalValueInDollars', 'glyph', 'colour'];
const listNames = ['title', 'parentId', 'sentinel', 'deleteLabel', ...rowNames];
const itemNames = [
  'listId', 'kind', 'name', 'serialNumber', 'valueInDollars', 'quantity', 'notes', 'tags', 'fields', 'car',
];

/** A base as the store has it. */
function baseOf({ revision, lists, items }) {
  return {
    revision,
    lists: new Map(lists.map(({ rows, ...list }) => (
      [list.id, { list, rows: rows.filter((row) => row.type !== 'sentinel') }]))),
    items: new Map(items.map((item) => [item.id, item])),
  };
}

/** A view as the corpus has it. */
function described(view) {
  const shown = (row, index) => ({
    ...pick(row, ['id', 'type', 'title', 'detail']), ...pick(row.list ?? {}, rowNames), index,
  });
  const lists = [...view.lists].map(([id, { list, rows }]) => {
    const end = { id: null, type: 'sentinel', title: list.sentinel.text, detail: null };
    const all = list.sentinel.visible ? [...rows, end] : rows;
    return [id, { ...pick(list, listNames), rows: all.map(shown) }];
  });
  return {
    lists: Object.fromEntries(lists),
    items: Object.fromEntries([...view.items].map(([id, item]) => [id, pick(item, itemNames)])),
  };
}

/** Applies a batch update as a table view does, and checks it against its rules. */
function performed(before, batch, after) {
  const leaving = new Set([...batch.deletes, ...batch.moves.map((move) => move.from)]);
  assert.equal(leaving.size, batch.deletes.length + batch.moves.length);
  assert.ok(batch.reloads.every((index) => !leaving.has(index)));
  const rows = before.filter((_, index) => !leaving.has(index)).map((row) => row.id);
  const arriving = [
    ...batch.inserts.map((index) => [index, after[index].id]),
    ...batch.moves.map(({ from, to }) => [to, before[from].id]),
  ].sort(([left], [right]) => left - right);
  for (const [index, id] of arriving) {
    assert.ok(index <= rows.length);
    rows.splice(index, 0, id);
  }
  return rows;
}

function checkBatches(before, after, wanted) {
  for (const [id, { rows }] of before.lists) {
    if (!after.lists.has(id)) continue;
    const next = after.lists.get(id).rows;
    const batch = client.view.batchBetween(rows, next) ?? { deletes: [], inserts: [], moves: [], reloads: [], reconfigures: [] };
    assert.deepEqual(performed(rows, batch, next), next.map((row) => row.id));
    const numbers = {
      deletes: batch.deletes.length, inserts: batch.inserts.length, moves: batch.moves.length,
      changed: batch.reloads.length + batch.reconfigures.length,
    };
    assert.deepEqual(numbers, wanted[id] ?? { deletes: 0, inserts: 0, moves: 0, changed: 0 });
  }
}

/** The base after an event. */
function stepped(base, event) {
  const lists = new Map(base.lists);
  const items = new Map(base.items);
  // The server also tells of lists that the client does not have.
  for (const delta of event.deltas.filter(({ listId }) => lists.has(listId))) {
    const record = client.view.recordAfter(lists.get(delta.listId), delta, base.revision);
    assert.ok(record, 'the delta fits');
    lists.set(delta.listId, record);
  }
  for (const item of event.items) items.set(item.id, item);
  for (const id of event.gone) if (!lists.delete(id)) items.delete(id);
  return { revision: event.revision, lists, items };
}

const sameBase = (found, wanted) => {
  assert.equal(found.revision, wanted.revision);
  const fields = ({ revision, createdAt, updatedAt, ...others }) => others;
  const plain = ({ lists, items }) => ({
    lists: Object.fromEntries([...lists].map(([id, record]) => (
      [id, { list: fields(record.list), rows: record.rows.map((row, index) => ({ ...row, index })) }]))),
    items: Object.fromEntries([...items].map(([id, item]) => [id, fields(item)])),
  });
  assert.deepEqual(plain(found), plain(wanted));
};

test('the corpus has vectors', () => assert.ok(vectors.length >= 5));

for (const vector of vectors) {
  test(`corpus, seed ${vector.seed}`, () => {
    let base = baseOf(vector.base);
    let queue = vector.queue.map((command, index) => ({ sequence: index + 1, command, revision: Infinity }));
    let view = new client.view.View(base, queue);
    assert.deepEqual(described(view), vector.view);
    checkBatches(base, view, vector.batches);
    for (const [number, { answer, event, ...step }] of vector.steps.entries()) {
      if (event) base = stepped(base, event);
      for (const outcome of answer?.outcomes ?? []) {
        const entry = queue.find((each) => each.sequence === outcome.sequence);
        if (outcome.outcome === 'refused') queue = queue.filter((each) => each !== entry);
        else entry.revision = outcome.revision ?? answer.revision;
      }
      queue = queue.filter((entry) => entry.revision > base.revision);
      sameBase(base, baseOf(step.base));
      const next = new client.view.View(base, queue);
      assert.deepEqual(described(next), step.view, `step ${number}`);
      checkBatches(view, next, step.batches);
      view = next;
    }
    assert.deepEqual(queue, []);
  });
}
