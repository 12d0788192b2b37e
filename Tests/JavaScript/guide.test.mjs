import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server } from './server.mjs';

test('the example of GUIDE.md prints what it says', async () => {
  const guide = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8');
  const [, example, output] = guide.match(/```js\n(.*?)```.*?```text\n(.*?)```/s);
  const server = await Server.start();
  try {
    writeFileSync(join(server.folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(server.folder, 'rowhouse.js'), await server.file('client/rowhouse.js'));
    const program = join(server.folder, 'example.js');
    writeFileSync(program, example.replace('http://127.0.0.1:8080', server.url));
    assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 }), output);
  } finally {
    await server.close();
  }
});
