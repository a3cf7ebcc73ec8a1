import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { CLI, isOpenToAll } from '../../support/cli.js';
import { spawned } from '../../support/spawned.js';

describe('herald-service', () => {
  let data: string;
  let children: ChildProcess[] = [];
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-cli-'));
  });
  afterEach(async () => {
    const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(running.map(async (child) => (child.kill('SIGKILL'), once(child, 'exit'))));
    children = [];
  });
  after(async () => rm(data, { recursive: true, force: true }));

  function start(args: string[], env: Record<string, string> = {}) {
    const child = spawned(
      spawn(process.execPath, [CLI, ...args], {
        env: { ...process.env, ...env },
      }),
    );
    children.push(child);
    return child;
  }

  /** Runs the program until it exits. */
  async function run(args: string[], env?: Record<string, string>) {
    const child = start(args, env);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece) => (output.stdout += String(piece)));
    child.stderr.on('data', (piece) => (output.stderr += String(piece)));
    const [code]: unknown[] = await once(child, 'close');
    return { ...output, code };
  }

  /** Starts the service with --json and reads the printed line. */
  async function serve(args: string[] = [], env?: Record<string, string>) {
    const child = start(['--port', '0', '--data', data, '--json', ...args], env);
    const lines: string[] = [];
    const reader = readline.createInterface(child.stdout).on('line', (line) => lines.push(line));
    await once(reader, 'line');
    const printed: unknown = JSON.parse(lines[0] ?? '');
    assert.ok(typeof printed === 'object' && printed !== null && 'url' in printed && 'key' in printed);
    const { url, key, ...rest } = printed;
    assert.deepEqual(rest, {});
    return { child, lines, url: String(url), key: String(key) };
  }

  const speak = (url: string, key: string) =>
    fetch(`${url}/v1/text-to-speech/rms`, {
      method: 'POST',
      headers: { 'x-sup-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello.', language: 'en' }),
    });

  it('prints one line with URL and valid key for --json', async () => {
    const { url, key, lines } = await serve();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await speak(url, key)).status, 200);
    assert.equal(lines.length, 1);
  });

  it('keeps its key after a restart, in a file that only its owner can read', async () => {
    const first = await serve();
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    assert.equal((await serve()).key, first.key);
    assert.equal((await stat(path.join(data, 'key'))).mode & 0o777, 0o600);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`exits with code 0 on ${signal} after a speech request`, async () => {
      const { child, url, key } = await serve();
      assert.equal((await speak(url, key)).status, 200);
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });
  }

  it('finishes the current request before it exits', async () => {
    const { child, url, key } = await serve(['--grace', '60000']);
    const reply = speak(url, key);
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    assert.equal((await reply).status, 200);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('exits when standard input ends, with --watch-stdin', async () => {
    const { child } = await serve(['--watch-stdin']);
    child.stdin?.end();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('continues when standard input ends, without --watch-stdin', async () => {
    const { child, url } = await serve();
    child.stdin?.end();
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal(child.exitCode, null);
  });

  it('reads port, host and data folder from environment variables', async () => {
    const child = start(['--json'], { HERALD_PORT: '0', HERALD_HOST: '127.0.0.1', HERALD_DATA: data });
    const [line]: unknown[] = await once(readline.createInterface(child.stdout), 'line');
    assert.match(String(line), /127\.0\.0\.1/);
  });

  it('prints its URL for users without --json, but no secret to a file or a journal', async () => {
    const child = start(['--port', '0', '--data', data]);
    const lines: string[] = [];
    const reader = readline.createInterface(child.stdout).on('line', (line) => lines.push(line));
    while (lines.length < 3) await once(reader, 'line');
    assert.match(lines[0] ?? '', /^Herald service: http:/);
    const key = (await readFile(path.join(data, 'key'), 'utf8')).trim();
    const printed = lines.join('\n');
    assert.equal(printed.includes(key) || printed.includes('#token='), false, printed);
    assert.ok(printed.includes(path.join(data, 'key')), printed);
  });

  it('prints a link to its console on request', async () => {
    await serve();
    const { stdout } = await run(['console', '--data', data]);
    const json: unknown = JSON.parse((await run(['console', '--data', data, '--json'])).stdout);
    assert.ok(typeof json === 'object' && json !== null && 'console' in json);
    for (const link of [stdout.trim(), String(json.console)]) {
      const { origin, hash } = new URL(link);
      const headers = { origin, 'x-herald-token': hash.replace('#token=', '') };
      const { status } = await fetch(`${origin}/console/session`, { method: 'POST', headers });
      assert.equal(status, 200, link);
    }
  });

  it('reports in one line that no service runs, for a link to the console', async () => {
    const { code, stderr } = await run(['console', '--data', data]);
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: no running service uses [^\n]+\n$/);
  });

  it('prints every option for --help', async () => {
    const { stdout, code } = await run(['--help']);
    for (const flag of ['port', 'host', 'data', 'json', 'watch-stdin', 'help', 'version']) {
      assert.match(stdout, new RegExp(`--${flag}\\b`));
    }
    assert.equal(code, 0);
  });

  it('prints the version for --version', async () => {
    const { stdout, code } = await run(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(code, 0);
  });

  it('runs for a user without a home folder, as in a container', async () => {
    // Only root can start a process as a user that does not exist. The environment lacks HOME in any case.
    const stranger = process.getuid?.() === 0 && isOpenToAll() ? { uid: 61_234, gid: 61_234 } : undefined;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-homeless-'));
    if (stranger) await chown(folder, stranger.uid, stranger.gid);
    const { HOME: _none, ...env } = process.env;
    const args = [CLI, '--port', '0', '--data', folder, '--json'];
    const child = spawned(spawn(process.execPath, args, { env, ...stranger }));
    children.push(child);
    const [line]: unknown[] = await once(readline.createInterface(child.stdout), 'line');
    assert.match(String(line), /"url"/);
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(folder, { recursive: true });
  });

  it('creates an account in a running service, with a key that is valid at once', async () => {
    const { url } = await serve();
    const made = await run([
      'accounts',
      'create',
      'radio',
      '--tier',
      'pro',
      '--credits',
      '9',
      '--data',
      data,
      '--json',
    ]);
    assert.equal(made.code, 0, made.stderr);
    const printed: unknown = JSON.parse(made.stdout);
    assert.ok(typeof printed === 'object' && printed !== null && 'key' in printed);
    assert.equal((await speak(url, String(printed.key))).status, 200);
  });

  it('manages accounts without a running service, and reports a refusal in one line with code 1', async () => {
    const again = await run(['accounts', 'create', 'radio', '--data', data]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^herald-service: name is "radio": expected a name that is not in use\n$/);
    const { stdout } = await run(['accounts', 'list', '--data', data]);
    assert.match(stdout, /^name +tier +credits +created\nlocal +unlimited +- .*\nradio +pro /);
  });

  it('reports a data folder in use in one line with code 1', async () => {
    const { child } = await serve();
    const { code, stderr } = await run(['--port', '0', '--data', data]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^herald-service: .* in use by the process ${child.pid}: .*\n$`));
  });

  it('reports a damaged database in one line with code 1, and does not change it', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-cli-'));
    const file = path.join(folder, 'herald.sqlite');
    await writeFile(file, 'no database at all, and long enough to be read as the head of one'.repeat(100));
    const before = await readFile(file);
    const { code, stderr } = await run(['--port', '0', '--data', folder]);
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: .*herald\.sqlite: it is damaged or not a database.*\n$/);
    assert.deepEqual(await readFile(file), before);
    await rm(folder, { recursive: true });
  });

  it('reads a settings file, and logs lines of JSON at the level in the file', async () => {
    const config = path.join(data, 'settings.json');
    await writeFile(config, JSON.stringify({ port: 0, data, logLevel: 'info' }));
    const child = start(['--config', config, '--json']);
    const [line]: unknown[] = await once(readline.createInterface(child.stdout), 'line');
    const { url } = Object(JSON.parse(String(line)));
    const logged = once(readline.createInterface(child.stderr), 'line');
    await fetch(`${url}/healthz`);
    const [entry]: unknown[] = await logged;
    const { level, path: where, status } = Object(JSON.parse(String(entry)));
    assert.deepEqual([level, where, status], ['info', '/healthz', 200]);
  });

  const misuses = [
    ['--tier', 'pro'],
    ['accounts', 'destroy'],
    ['--config', '/nowhere'],
    ['--nothing'],
    ['--port', 'x'],
    ['--port', '70000'],
    ['stray'],
    ['--port'],
  ];
  for (const args of misuses) {
    it(`rejects "${args.join(' ')}" with code 2 and the reason`, async () => {
      const { stderr, stdout, code } = await run(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /^herald-service: .+\nSee herald-service --help\n$/);
    });
  }

  it('names the value that a flag lacks, and a flag without a value', async () => {
    for (const [args, message] of [
      [['--wyoming'], '--wyoming: the value is missing. Use --wyoming [HOST:]PORT'],
      [['--wyoming', '--metrics'], '--wyoming: the value is missing. Use --wyoming [HOST:]PORT'],
      [['--metrics=on'], '--metrics has no value: use --metrics alone'],
      [['--metrics', 'on'], '--metrics has no value: leave "on" out'],
    ] as const) {
      const { code, stderr } = await run([...args]);
      assert.deepEqual([code, stderr.split('\n')[0]], [2, `herald-service: ${message}`]);
    }
  });

  it('reports a port in use in one line with code 1', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const { stderr, code } = await run(['--port', String(address.port), '--data', data]);
    server.close();
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: the port is in use .*--port\n$/);
  });

  it('reports an unusable data folder in one line with code 1', async () => {
    const file = path.join(data, 'a-file');
    await writeFile(file, '');
    const { stderr, code } = await run(['--port', '0', '--data', path.join(file, 'below')]);
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: .*a-file.*not usable.*\n$/);
  });
});
