import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, stat, writeFile } from 'node:fs/promises';
import readline from 'node:readline';
import { readFileSync } from 'node:fs';
import { CLI, isOpenToAll } from '../../support/cli.js';
import { runCommand } from '../../support/command-line.js';
import { useFolder } from '../../support/folder.js';
import { until } from '../../support/waiting.js';
import { spawned } from '../../support/spawned.js';

/** The program as a process. `command-line.test.ts` runs commands without a process. */
describe('herald-service', () => {
  const at = useFolder();
  let children: ChildProcess[] = [];
  afterEach(async () => {
    const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(running.map(async (child) => (child.kill('SIGKILL'), once(child, 'exit'))));
    children = [];
  });

  function start(args: string[], options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {}) {
    const child = spawned(spawn(process.execPath, [CLI, ...args], options));
    children.push(child);
    return child;
  }

  /** Starts the service with --json and reads the printed line. */
  async function serve(args: string[] = [], options?: Parameters<typeof start>[1]) {
    const child = start(['--port', '0', '--data', at('data'), '--json', ...args], options);
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

  it('prints one line with URL and valid key, and runs on when standard input ends; keeps the key, in a file for its owner only; exits with code 0 on SIGINT, and on SIGTERM after the current request', async () => {
    const { child, url, key, lines } = await serve();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    child.stdin.end();
    assert.equal((await speak(url, key)).status, 200);
    assert.equal(lines.length, 1);
    assert.equal(child.exitCode, null);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);

    const next = await serve(['--grace', '60000']);
    assert.equal(next.key, key);
    assert.equal((await stat(at('data', 'key'))).mode & 0o777, 0o600);
    const reply = speak(next.url, key);
    await fetch(`${next.url}/healthz`);
    next.child.kill('SIGTERM');
    assert.equal((await reply).status, 200);
    assert.deepEqual(await once(next.child, 'exit'), [0, null]);
  });

  it('reads environment variables, and prints its URL for users, but no secret to a file or a journal', async () => {
    const variables = { HERALD_PORT: '0', HERALD_HOST: '127.0.0.1', HERALD_DATA: at('data') };
    const child = start([], { env: { ...process.env, ...variables } });
    const lines: string[] = [];
    readline.createInterface(child.stdout).on('line', (line) => lines.push(line));
    await until(() => lines.length >= 3);
    assert.match(lines[0] ?? '', /^Herald service: http:\/\/127\.0\.0\.1:/);
    const key = readFileSync(at('data', 'key'), 'utf8').trim();
    const printed = lines.join('\n');
    assert.equal(printed.includes(key) || printed.includes('#token='), false, printed);
    assert.ok(printed.includes(at('data', 'key')), printed);
  });

  it('reads a settings file, and logs lines of JSON at the level in the file', async () => {
    const config = at('settings.json');
    await writeFile(config, JSON.stringify({ port: 0, data: at('data'), logLevel: 'info' }));
    const child = start(['--config', config, '--json']);
    const [line]: unknown[] = await once(readline.createInterface(child.stdout), 'line');
    const { url } = Object(JSON.parse(String(line)));
    const logged = once(readline.createInterface(child.stderr), 'line');
    await fetch(`${url}/healthz`);
    const [entry]: unknown[] = await logged;
    const { level, path: where, status } = Object(JSON.parse(String(entry)));
    assert.deepEqual([level, where, status], ['info', '/healthz', 200]);
  });

  it('serves commands while it runs: accounts with keys that are valid at once, and links to its console', async () => {
    const { child, url } = await serve();
    const place = ['--data', at('data')];
    const made = await runCommand(['accounts', 'create', 'radio', '--credits', '9', '--json', ...place]);
    assert.equal(made.code, 0, made.stderr);
    assert.equal((await speak(url, String(Object(JSON.parse(made.stdout)).key))).status, 200);

    const { console: asJson } = Object(
      JSON.parse((await runCommand(['console', '--json', ...place])).stdout),
    );
    for (const link of [(await runCommand(['console', ...place])).stdout.trim(), String(asJson)]) {
      const { origin, hash } = new URL(link);
      const headers = { origin, 'x-herald-token': hash.replace('#token=', '') };
      const { status } = await fetch(`${origin}/console/session`, { method: 'POST', headers });
      assert.equal(status, 200, link);
    }

    const { code, stderr } = await runCommand(['--port', '0', ...place]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^herald-service: .* in use by the process ${child.pid}: .*\n$`));
  });

  it('runs for a user without a home folder, as in a container, and exits when standard input ends, with --watch-stdin', async () => {
    // Only root can start a process as a user that does not exist. The environment lacks HOME in any case.
    const stranger = process.getuid?.() === 0 && isOpenToAll() ? { uid: 61_234, gid: 61_234 } : undefined;
    if (stranger) await chown(at(), stranger.uid, stranger.gid);
    const { HOME: _none, ...env } = process.env;
    const { child } = await serve(['--watch-stdin'], { env, ...stranger });
    child.stdin.end();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('exits with code 2 and the reason for a wrong flag', async () => {
    const child = start(['--nothing']);
    let printed = '';
    child.stderr.on('data', (piece) => (printed += String(piece)));
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.equal(printed, 'herald-service: --nothing: unknown flag\nSee herald-service --help\n');
  });
});
