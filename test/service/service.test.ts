import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startService } from '@herald-speech/local-service';
import { administer } from '../../service/accounts/administer.js';
import { loadTypescript } from '../support/run-typescript.js';
import { startTestService } from '../support/service/service.js';
import { spawned } from '../support/spawned.js';

describe('the service at start and close', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-start-'));
  });
  after(async () => rm(folder, { recursive: true, force: true }));

  it('creates the data folder, with access for its owner only', async () => {
    const data = path.join(folder, 'new', 'folder');
    const service = await startService({ port: 0, data });
    await service.close();
    assert.equal((await stat(data)).mode & 0o777, 0o700);
  });

  it('rejects a data folder in use with the PID of the other process', async () => {
    const data = path.join(folder, 'shared');
    const first = await startService({ port: 0, data });
    const locked = { name: 'StoreError', kind: 'locked', message: new RegExp(`process ${process.pid}`) };
    await assert.rejects(startService({ port: 0, data, patience: 0 }), locked);
    await first.close();
  });

  it('waits for a service that is stopping, and has the same key', async () => {
    const data = path.join(folder, 'relay');
    let current = await startService({ port: 0, data });
    const { key } = current;
    for (let turn = 0; turn < 3; turn++) {
      const next = startService({ port: 0, data });
      await current.close();
      current = await next;
      assert.equal(current.key, key);
    }
    await current.close();
  });

  it('releases the data folder after a failed start', async () => {
    const data = path.join(folder, 'free');
    const first = await startTestService();
    const port = Number(new URL(first.url).port);
    await assert.rejects(startService({ port, data, patience: 0 }), { code: 'EADDRINUSE' });
    await first.close();
    await (await startService({ port: 0, data, patience: 0 })).close();
  });

  it('replaces a revoked or lost key at its next start, also next to three other active keys', async () => {
    const data = path.join(folder, 'keys');
    const service = await startTestService({ data });
    const first = service.key;
    await administer(data, { command: 'keys revoke', account: 'local', key: 'key-file' });
    for (let count = 0; count < 3; count += 1) {
      await administer(data, { command: 'keys create', account: 'local' });
    }
    assert.equal((await service.send('GET', '/v1/credits')).status, 401);
    await service.stop();
    const second = await startTestService({ data });
    assert.notEqual(second.key, first);
    assert.equal((await second.send('GET', '/v1/credits')).status, 200);
    await second.stop();
    await rm(path.join(data, 'key'));
    const third = await startTestService({ data });
    assert.notEqual(third.key, second.key);
    assert.equal((await third.send('GET', '/v1/credits')).status, 200);
    await third.stop();
  });

  it('rejects a key file without a key', async () => {
    await writeFile(path.join(folder, 'key'), 'short');
    await assert.rejects(startService({ port: 0, data: folder }), /does not contain a key/);
  });

  it('accepts a second close', async () => {
    const service = await startTestService();
    await Promise.all([service.close(), service.close()]);
    await assert.rejects(fetch(`${service.url}/healthz`));
  });

  it('ends the current requests after the grace time, with a 503 if possible', async () => {
    const service = await startTestService({ grace: 0 });
    const text = '9'.repeat(300);
    const reply = service.send('POST', '/v1/text-to-speech/rms', { text, language: 'en' }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    while ((await service.send('GET', '/healthz')).status !== 200);
    await service.close();
    assert.ok([503, 'cut off'].includes(await reply), String(await reply));
  });

  it('leaves no timer, worker or server, so that the process can exit', async () => {
    const program = `
      const { startService } = require(${JSON.stringify(path.join(__dirname, '../../service/service.ts'))});
      (async () => {
        const service = await startService({ port: 0, data: ${JSON.stringify(path.join(folder, 'child'))} });
        const headers = { 'x-sup-api-key': service.key, 'content-type': 'application/json' };
        const body = JSON.stringify({ text: 'One. Two. Three.', language: 'en', output_format: 'mp3' });
        const reply = await fetch(service.url + '/v1/text-to-speech/slt', { method: 'POST', headers, body });
        await reply.arrayBuffer();
        await service.close();
        console.log(reply.status, process.getActiveResourcesInfo().filter((name) => /Worker|Message|Timeout|Server/.test(name)));
      })();`;
    // A file, because the speech process inherits the options of Node.js: `-e` would run the program once more.
    const file = path.join(folder, 'program.cjs');
    await writeFile(file, program);
    const child = spawned(
      spawn(process.execPath, [...loadTypescript, file], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(output, '200 []\n');
  });
});
