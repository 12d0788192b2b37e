import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';

const program = process.env.ROWHOUSE_PROGRAM;
if (!program) throw new Error('Set ROWHOUSE_PROGRAM, or run scripts/test-javascript.');

const modules = ['rowhouse.js', 'offline.js', 'view.js', 'storage.js', 'renditions.js'];

/** What the tests of a file share, after `setUp`. */
export let server, client, rowhouse, list;

/** Starts a server for the tests of a file, and creates a list for each of them. */
export function setUp(options = {}, ...settings) {
  before(async () => {
    server = await Server.start(...settings);
    client = await server.client();
  });
  after(() => server.close());
  beforeEach(async () => {
    rowhouse = new client.Rowhouse(server.url, options);
    list = (await rowhouse.createList({ title: 'Shelf' })).id;
  });
}

/** The real program on a port and a database of its own. */
export class Server {
  /** @param settings more arguments for the program. */
  static async start(...settings) {
    const server = new Server();
    server.settings = settings;
    server.folder = mkdtempSync(join(tmpdir(), 'rowhouse-javascript-'));
    server.database = settings.includes('--test-mode') ? ':memory:' : join(server.folder, 'rowhouse.sqlite');
    server.port = 0;
    await server.run();
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the program, on the port that it had before. */
  run() {
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('ROWHOUSE_'));
    this.process = spawn(
      program, ['serve', '--db', this.database, '--listen', `127.0.0.1:${this.port}`, '--log-format', 'none',
        ...this.settings],
      { stdio: ['ignore', 'pipe', 'inherit'], env: Object.fromEntries(environment) });
    return new Promise((done, fail) => {
      let told = '';
      this.process.once('exit', () => fail(new Error(`The server did not start: ${told}`)));
      this.process.stdout.setEncoding('utf8').on('data', (text) => {
        told += text;
        const address = told.match(/127\.0\.0\.1:(\d+)\s/);
        if (!address) return;
        this.port = Number(address[1]);
        done();
      });
    });
  }

  /** Ends the program as a crash would. */
  kill() {
    return new Promise((done) => {
      this.process.removeAllListeners('exit').once('exit', done);
      this.process.kill('SIGKILL');
    });
  }

  async close() {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  /** Creates a token. From the first one on, every request needs one. */
  makeToken(role = 'owner') {
    const { stdout } = spawnSync(
      program, ['token', 'create', '--create', '--db', this.database, '--name', 'phone', '--role', role],
      { encoding: 'utf8' });
    return stdout.match(/rh_\w+/)[0];
  }

  /** A file as the server serves it, or as it is below the folder `ROWHOUSE_PAGES`. */
  async file(path) {
    const pages = process.env.ROWHOUSE_PAGES;
    return pages ? readFileSync(join(pages, path), 'utf8') : (await fetch(`${this.url}/${path}`)).text();
  }

  /** The client's modules. Node.js imports none from a server, so they are copied. */
  async client() {
    writeFileSync(join(this.folder, 'package.json'), '{"type": "module"}');
    for (const name of modules) {
      writeFileSync(join(this.folder, name), await this.file(`client/${name}`));
    }
    const [rowhouse, offline, view, , renditions] = await Promise.all(modules.map((name) => import(join(this.folder, name))));
    return { ...rowhouse, ...offline, ...renditions, view };
  }
}

/** Resolves when a condition holds. Fails after 30 seconds. */
export async function until(condition) {
  for (let waited = 0; !(await condition()); waited += 20) {
    if (waited > 30_000) throw new Error(`Not reached: ${condition}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Random numbers below a limit, the same for each seed (https://en.wikipedia.org/wiki/Xorshift). */
export function randomNumbers(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}
