import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { openToOthers } from '../../support/open-to-others.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { spawned } from '../../support/spawned.js';

/** User and group of a second local user. Only root can start its processes. */
const NOBODY = 65_534;

/** A program of the second user. It tries each way to a session, and prints the status or error of each attempt. */
const ATTACK = `
const [url, data] = process.argv.slice(1);
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const own = { origin: url, 'x-herald-console': '1' };
const status = (method, where, headers = {}) => fetch(url + where, { method, headers }).then((r) => r.status);
const read = (file) => { try { return fs.readFileSync(file, 'utf8') && 'read'; } catch (e) { return e.code; } };
const connect = (file) => new Promise((resolve) => net.connect(file)
  .once('connect', () => resolve('connected')).once('error', (e) => resolve(e.code)));
(async () => console.log(JSON.stringify({
  session: await status('POST', '/console/session', own),
  guess: await status('POST', '/console/session', { ...own, 'x-herald-token': 'x'.repeat(43) }),
  link: await status('POST', '/console/api/links', own),
  create: await status('POST', '/console/api/keys', own),
  revoke: await status('DELETE', '/console/api/keys/key-file', own),
  speak: await status('POST', '/v1/text-to-speech/rms', own),
  key: read(path.join(data, 'key')),
  control: await connect(path.join(data, 'run', 'control.sock')),
})))();`;

describe('a local user without the key', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  it('gets no session, link, key or speech, and reaches no file of the data folder', async () => {
    const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
    const child = spawned(
      spawn(process.execPath, ['-e', ATTACK, service.url, service.data], {
        cwd: '/',
        env: {},
        stdio: ['ignore', 'pipe', 'inherit'],
        ...other,
      }),
    );
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const { key, control, ...statuses }: Record<string, unknown> = JSON.parse(printed);
    assert.deepEqual(statuses, {
      session: 403,
      guess: 403,
      link: 401,
      create: 401,
      revoke: 401,
      speak: 401,
    });
    // The owner of the files can open them. The modes refuse every other user.
    assert.deepEqual([key, control], other ? ['EACCES', 'EACCES'] : ['read', 'connected']);
    const secrets = await readdir(service.data);
    for (const name of ['key', 'run', 'clones', 'herald.sqlite', 'herald.sqlite-wal']) {
      assert.ok(secrets.includes(name), `${name} is missing: ${secrets.join()}`);
    }
    // The folder `run` hides its sockets.
    assert.deepEqual(
      openToOthers(service.data).filter((name) => !name.startsWith('run/')),
      [],
    );
    assert.equal((await service.send('GET', '/v1/credits')).status, 200);
  });
});
