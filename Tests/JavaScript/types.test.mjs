import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './server.mjs';

let server, client, types;

before(async () => {
  server = await Server.start();
  client = await server.client();
  types = await server.file('client/rowhouse.d.ts');
});

after(() => server.close());

const sorted = (names) => [...new Set(names)].sort();

test('the types name what the module exports', () => {
  const named = [...types.matchAll(/^export (?:class|function|const) (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(sorted(named), sorted(Object.keys(client)));
});

test('the types of a class name its methods', () => {
  for (const [, name, body] of types.matchAll(/^export class (\w+)[^{]*\{\n(.*?)^\}/gms)) {
    const named = [...body.matchAll(/^ {2}(?:get )?(\w+)[(<]/gm)].map((match) => match[1]);
    assert.deepEqual(sorted(named), sorted(Object.getOwnPropertyNames(client[name].prototype)), name);
  }
});
