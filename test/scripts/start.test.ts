import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from '@herald-speech/client';
import { spawned } from '../support/spawned.js';

const root = path.join(__dirname, '../..');
type Command = readonly [string, ...string[]];
const NPM_START: Command = ['npm', '--silent', 'start'];
/** The command of `start` in package.json. */
const SCRIPT: Command = [process.execPath, 'scripts/start.mjs'];

describe('npm start', () => {
  let folder: string;
  let children: ChildProcess[] = [];
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-npm-start-'));
  });
  afterEach(async () => {
    const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(running.map(async (child) => (child.kill('SIGTERM'), once(child, 'close'))));
    children = [];
  });
  after(() => rmSync(folder, { recursive: true }));

  function run([program, ...args]: Command, env: Record<string, string>) {
    const child = spawned(spawn(program, args, { cwd: root, env: { ...process.env, ...env } }));
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece) => (output.stdout += String(piece)));
    child.stderr.on('data', (piece) => (output.stderr += String(piece)));
    return { child, output };
  }

  /** Runs the script of `npm start` until it exits. Only one test pays for npm itself. */
  async function refused(env: Record<string, string>, command = SCRIPT) {
    const { child, output } = run(command, { HERALD_DATA: path.join(folder, 'unused'), ...env });
    const [code]: unknown[] = await once(child, 'close');
    return { code, ...output };
  }

  for (const port of ['abc', '0', '65536', '-1', '18.5']) {
    it(`exits with one line for PORT=${port}`, async () => {
      assert.deepEqual(await refused({ PORT: port }, port === 'abc' ? NPM_START : SCRIPT), {
        code: 1,
        stdout: '',
        stderr: `PORT "${port}": expected an integer from 1 to 65535. Use for example PORT=1881 npm start\n`,
      });
    });
  }

  it('exits with one line that names a free port if the port is in use', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = z.object({ port: z.number() }).parse(server.address());
      const { stderr, ...rest } = await refused({ PORT: String(port) });
      assert.deepEqual(rest, { code: 1, stdout: '' });
      assert.match(
        stderr,
        new RegExp(
          `^PORT ${port}: another program uses this port\\. Use another port: PORT=\\d+ npm start\\n$`,
        ),
      );
    } finally {
      server.close();
    }
  });

  it('exits with one line if a file is in the place of the data folder', async () => {
    const file = path.join(folder, 'a-file');
    writeFileSync(file, '');
    for (const data of [file, path.join(file, 'data')]) {
      const { stderr, ...rest } = await refused({ HERALD_DATA: data, PORT: await freePort() });
      assert.deepEqual(rest, { code: 1, stdout: '' });
      assert.match(
        stderr,
        /^HERALD_DATA ".*a-file.*": the data folder cannot be written \(\w+\)\. Use .*\n$/,
      );
    }
  });

  it('exits with one line if the file system accepts no folders', async () => {
    const { stderr, code } = await refused({ HERALD_DATA: '/proc/herald', PORT: await freePort() });
    assert.equal(code, 1);
    assert.match(stderr, /^HERALD_DATA "\/proc\/herald": the data folder cannot be written \(ENOENT\).*\n$/);
  });

  it('prints the addresses of editor and console and no warning, lists no announcement, and caches audio in the data folder', async () => {
    const port = await freePort();
    const data = path.join(folder, 'data');
    const { child, output } = run(NPM_START, { HERALD_DATA: data, HERALD_CACHE: '', PORT: port });
    const lines = createInterface(child.stdout);
    for await (const line of lines) if (line.includes('/console#token=')) break;
    assert.match(output.stdout, new RegExp(`^ +http://127\\.0\\.0\\.1:${port}/$`, 'm'));
    assert.ok(output.stdout.includes(`curl -o hello.wav 'http://127.0.0.1:${port}/say?text=Hello'`));
    assert.doesNotMatch(output.stdout + output.stderr, /\[(warn|error)\]/);
    const console = /^ +(http:\/\/127\.0\.0\.1:\d+\/console)#token=/m.exec(output.stdout)?.[1] ?? '';
    assert.equal((await fetch(console)).status, 200);
    const activity = await fetch(`http://127.0.0.1:${port}/herald/activity`);
    const { announcements } = z.object({ announcements: z.array(z.unknown()) }).parse(await activity.json());
    assert.deepEqual(announcements, []);
    assert.equal((await fetch(`http://127.0.0.1:${port}/say?text=Hello`)).status, 200);
    const again = await refused({ HERALD_DATA: data, PORT: await freePort() });
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(
      again.stderr,
      new RegExp(`Herald already runs .* http://127\\.0\\.0\\.1:${port}/\\. Open .*\\n$`),
    );
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.ok(readdirSync(path.join(data, 'cache')).some((name) => name.endsWith('.speech')));
  });
});

async function freePort(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  await once(server, 'close');
  return String(port);
}

/** The line of the documentation, with another port and data folder. */
describe('npx herald-service', () => {
  it('starts the service with the options of docs/service.md', async () => {
    const page = readFileSync(path.join(root, 'docs/service.md'), 'utf8');
    const line = /^npx (herald-service .*?) *(?:#.*)?$/m.exec(page)?.[1] ?? assert.fail('no line');
    const data = mkdtempSync(path.join(os.tmpdir(), 'herald-npx-'));
    const args = line
      .replace(/--port \d+/, '--port 0')
      .replace(/--data \S+/, `--data ${data}`)
      .split(' ');
    const child = spawned(spawn('npm', ['exec', '--offline', '--', ...args, '--watch-stdin'], { cwd: root }));
    try {
      const [first]: unknown[] = await once(createInterface(child.stdout), 'line');
      const { url, key } = z.object({ url: z.url(), key: z.string() }).parse(JSON.parse(String(first)));
      const reply = await fetch(`${url}/v1/credits`, { headers: { 'x-sup-api-key': key } });
      assert.equal(reply.status, 200);
    } finally {
      child.stdin.end();
      await once(child, 'close');
      rmSync(data, { recursive: true });
    }
  });
});
