import assert from 'node:assert/strict';
import net from 'node:net';
import { parseWav } from '@herald-speech/client/audio';
import type { LogEntry } from '../../../service/kit/log.js';
import { once } from 'node:events';
import { startTestService, withLedger, openAccount } from '../../support/service/service.js';
import { startMessage } from '../../../service/cli/start-message.js';
import { samplesOf, typesOf, WyomingClient } from './support.js';

const HELLO = { type: 'synthesize', data: { text: 'Hello there.' } };
const LOCAL = { host: '127.0.0.1', port: 0, account: 'local' };

describe('a service with Wyoming', () => {
  it('speaks over Wyoming until it closes, and names the address at the start', async () => {
    const service = await startTestService({ wyoming: LOCAL });
    try {
      assert(service.wyomingUrl);
      assert.match(service.wyomingUrl, /^tcp:\/\/127\.0\.0\.1:\d+$/);
      assert.equal(startMessage(service, '', { isTerminal: false }).at(-1), `Wyoming: ${service.wyomingUrl}`);
      const client = new WyomingClient(service.wyomingUrl).send(HELLO);
      assert.deepEqual(typesOf(await client.rest()), ['audio-start', 'audio-chunk', 'audio-stop']);
      const idle = new WyomingClient(service.wyomingUrl).send({ type: 'ping' });
      await idle.next();
      await service.stop();
      assert.deepEqual(await idle.until(''), []);
      const { hostname, port } = new URL(service.wyomingUrl);
      const [error] = await once(net.connect(Number(port), hostname), 'error').catch((error: unknown) => [
        error,
      ]);
      assert.equal(error.code, 'ECONNREFUSED');
    } finally {
      await service.close();
    }
  });

  it('speaks with the default voice of the setting, over Wyoming and over the OpenAI API without a voice', async () => {
    const service = await startTestService({ voice: ['de-anna'], wyoming: LOCAL });
    try {
      const text = 'Die Waschmaschine ist fertig.';
      const native = await service.send('POST', '/v1/text-to-speech/de-anna', { text, language: 'de' });
      const expected = Buffer.from(parseWav(new Uint8Array(await native.arrayBuffer())).data);
      const client = new WyomingClient(String(service.wyomingUrl));
      assert.deepEqual(samplesOf(await client.send({ type: 'synthesize', data: { text } }).rest()), expected);
      for (const voice of [undefined, null, '']) {
        const body = JSON.stringify({
          model: 'tts-1',
          input: text,
          voice,
          response_format: 'wav',
          stream: false,
        });
        const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
        const reply = await fetch(`${service.url}/v1/audio/speech`, { method: 'POST', body, headers });
        const { data } = parseWav(new Uint8Array(await reply.arrayBuffer()));
        assert.deepEqual(Buffer.from(data), expected);
      }
    } finally {
      await service.close();
    }
  });

  it('starts with an unknown default voice, and logs its name', async () => {
    const entries: LogEntry[] = [];
    const service = await startTestService({ voice: ['nobody', 'rms'], log: (entry) => entries.push(entry) });
    await service.close();
    const errors = entries.filter(({ level }) => level === 'error').map(({ error }) => error);
    assert.deepEqual(errors, ['--voice "nobody": unknown voice. Another voice speaks in its place']);
  });

  it('has no address without the setting', async () => {
    const service = await startTestService();
    await service.close();
    assert.equal(service.wyomingUrl, undefined);
  });

  it('charges the account of the setting, within its rate and credits', async () => {
    const first = await startTestService();
    await first.stop();
    const { data } = first;
    await withLedger(data, (ledger) => openAccount(ledger, 'home', 'free', 0));
    const service = await startTestService({ data, wyoming: { ...LOCAL, account: 'home' } });
    try {
      const events = await new WyomingClient(String(service.wyomingUrl)).send(HELLO).until('');
      assert.equal(events.at(-1)?.data['code'], 'payment-required');
    } finally {
      await service.close();
      await first.close();
    }
  });

  it('does not start for an unknown account or a port in use', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    await assert.rejects(startTestService({ wyoming: { ...LOCAL, account: 'nobody' } }), /nobody/);
    await assert.rejects(startTestService({ wyoming: { ...LOCAL, port: address.port } }), /--wyoming/);
    server.close();
  });
});
