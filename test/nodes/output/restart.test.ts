import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { type FlowNode, startNodeRed } from '../../support/node-red/node-red.js';

/** A flow that answers an HTTP request with the URL of a sentence. */
const flows: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { id: 'ask', type: 'http in', z: 'tab', x: 1, y: 1, url: '/say', method: 'get', wires: [['text']] },
  {
    id: 'text',
    type: 'change',
    z: 'tab',
    x: 1,
    y: 1,
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'Hello.', tot: 'str' }],
    wires: [['speech']],
  },
  { id: 'speech', type: 'herald-text-to-speech', z: 'tab', x: 1, y: 1, output: 'url', wires: [['reply']] },
  { id: 'reply', type: 'http response', z: 'tab', x: 1, y: 1, statusCode: '200', wires: [] },
];

const bcrypt = z
  .object({ hashSync: z.function({ input: [z.string(), z.number()], output: z.string() }) })
  .parse(createRequire(require.resolve('node-red'))('bcryptjs'));

describe('the URL of a speech after a restart of Node-RED', () => {
  let data = '';
  /** Keeps the folder `herald` of the user directory. */
  const script = () =>
    `require('fs').symlinkSync(${JSON.stringify(data)}, require('path').join(__dirname, 'herald'));`;
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-restart-'));
  });
  after(() => rm(data, { recursive: true, force: true }));

  it('works below httpNodeRoot, and needs the login of httpNodeAuth', async () => {
    const before = await startNodeRed(flows, { script: script() });
    let url = '';
    try {
      url = await (await fetch(`${before.url}say`)).text();
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/herald\/audio\/\w+\.wav$/);
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
    } finally {
      await before.stop();
    }
    const httpNodeAuth = { user: 'tv', pass: bcrypt.hashSync('secret', 4) };
    const settings = { httpNodeRoot: '/nodes', httpNodeAuth };
    const after = await startNodeRed(flows, { settings, script: script() });
    try {
      const moved = `${after.url}nodes${new URL(url).pathname}`;
      assert.equal((await fetch(moved, { method: 'HEAD' })).status, 401);
      const authorization = `Basic ${Buffer.from('tv:secret').toString('base64')}`;
      const reply = await fetch(moved, { headers: { authorization } });
      assert.equal(reply.status, 200);
      assert.ok(inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration > 0.2);
    } finally {
      await after.stop();
    }
  });
});
