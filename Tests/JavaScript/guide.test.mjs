import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server } from './server.mjs';

test('the examples of GUIDE.md print what it says', async () => {
  const guide = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/```js\n(.*?)```.*?```text\n(.*?)```/gs)];
  assert.equal(examples.length, 2);
  const server = await Server.start();
  try {
    await server.client();
    const program = join(server.folder, 'example.js');
    for (const [, example, output] of examples) {
      writeFileSync(program, example.replace('http://127.0.0.1:8080', server.url));
      assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 }), output);
    }
  } finally {
    await server.close();
  }
});
