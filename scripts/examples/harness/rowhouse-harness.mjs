/**
 * A Rowhouse server for tests, which can fail on purpose. Needs Node 18 and the program `rowhouse`: the one that
 * ROWHOUSE_EXECUTABLE names, or the first one on the PATH.
 *
 *     const server = await RowhouseServer.start();
 *     await server.fail([{ method: 'POST', nth: 1, effect: 'loseAnswer' }]);
 *     await server.reset();
 *     await server.stop();
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An answer with a status from 400 on. `problem` is its body. */
export class Refused extends Error {
  constructor(status, problem) {
    super(`${status}: ${problem?.detail}`);
    this.status = status;
    this.problem = problem;
  }
}

export class RowhouseServer {
  #process;

  constructor(process, url) {
    this.#process = process;
    this.url = url;
  }

  /** Starts the program in test mode, in memory, on a free port of loopback. It ends with this process at the latest. */
  static async start({ seed = 'empty', options = [] } = {}) {
    // ROWHOUSE_ variables of the test run are meant for other servers.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROWHOUSE_')));
    const child = spawn(process.env.ROWHOUSE_EXECUTABLE ?? 'rowhouse', [
      'serve', '--db', ':memory:', '--listen', '127.0.0.1:0', '--print-url', '--test-mode', '--clock', 'fixed',
      '--ids', 'sequential', '--log-format', 'none', '--end-with-stdin', '--seed', seed, ...options,
    ], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const failure = new Promise((_, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => reject(new Error(`rowhouse ended with status ${status}.`)));
    });
    failure.catch(() => {});
    const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), failure]);
    return new RowhouseServer(child, url);
  }

  /** Sends one request, and returns the JSON of its answer. Throws Refused, or TypeError if there is no answer. */
  async call(method, path, body, headers = {}) {
    const answer = await fetch(this.url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const value = text ? JSON.parse(text) : null;
    if (!answer.ok) throw new Refused(answer.status, value);
    return value;
  }

  /** Goes back to the start, and ends all faults. */
  async reset() {
    await this.call('POST', '/v1/test/reset');
  }

  /** Lets chosen requests fail, in place of those chosen before. */
  async fail(rules, seed = 0) {
    return this.call('POST', '/v1/test/faults', { seed, rules });
  }

  /** Advances the clock. What has expired by then is gone when this returns. */
  async advance(seconds) {
    return (await this.call('POST', '/v1/test/clock', { advance: seconds })).time;
  }

  /** What the server was asked, oldest first. */
  async requests() {
    return (await this.call('GET', '/v1/test/requests')).requests;
  }

  /** Stops the server and waits for its end. A second call does nothing. */
  async stop() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }
}
