import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startService } from '@herald-speech/local-service';
import { startTestService } from '../support/service.js';

describe('starting and closing the service', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-start-'));
  });
  after(async () => rm(folder, { recursive: true, force: true }));

  it('makes the data folder, for its owner alone', async () => {
    const data = path.join(folder, 'new', 'folder');
    const service = await startService({ port: 0, data });
    await service.close();
    assert.equal((await stat(data)).mode & 0o777, 0o700);
  });

  it('two services that start at once on one folder have one key', async () => {
    const data = path.join(folder, 'shared');
    const services = await Promise.all([1, 2, 3].map(async () => startService({ port: 0, data })));
    await Promise.all(services.map(async (service) => service.close()));
    assert.equal(new Set(services.map((service) => service.key)).size, 1);
  });

  it('says so when the key file holds no key', async () => {
    await writeFile(path.join(folder, 'key'), 'short');
    await assert.rejects(startService({ port: 0, data: folder }), /holds no key/);
  });

  it('may be closed twice', async () => {
    const service = await startTestService();
    await Promise.all([service.close(), service.close()]);
    await assert.rejects(fetch(`${service.url}/healthz`));
  });

  it('closing cuts off what is not done within the grace, with an answer', async () => {
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

  it('leaves nothing behind: a process that used it ends by itself', async () => {
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
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(output, '200 []\n');
  });
});
