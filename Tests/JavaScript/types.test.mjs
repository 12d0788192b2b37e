import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, server, setUp } from './server.mjs';

setUp();

const readTypes = async () => await server.file('client/rowhouse.d.ts') + await server.file('client/offline.d.ts')
  + await server.file('client/renditions.d.ts');

const sorted = (names) => [...new Set(names)].sort();

test('the types name what the module exports', async () => {
  const types = await readTypes();
  const named = [...types.matchAll(/^export (?:class|function|const) (\w+)/gm)].map((match) => match[1]);
  const { view, ...exported } = client;
  assert.deepEqual(sorted(named), sorted(Object.keys(exported)));
});

test('the types of a class name its methods', async () => {
  const types = await readTypes();
  for (const [, name, body] of types.matchAll(/^export class (\w+)[^{]*\{\n(.*?)^\}/gms)) {
    const named = [...body.matchAll(/^ {2}(?:get |private )?(\w+)[(<]/gm)].map((match) => match[1]);
    assert.deepEqual(sorted(named), sorted(Object.getOwnPropertyNames(client[name].prototype)), name);
  }
});
