import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { inspectAudio } from '@herald-speech/client';
import { eventReply } from '../../../service/openai/replies.js';
import {
  openAccount,
  startTestService,
  type TestService,
  withLedger,
} from '../../support/service/service.js';

const SENTENCES = 'The coffee is ready. The train leaves at ten past nine. Have a nice day.';

describe('a reply with events', () => {
  it('ends with an event for a failure, and rejects, so that the log contains the failure', async () => {
    async function* failing() {
      yield Buffer.from('audio');
      throw new RangeError('the voice failed');
    }
    let failure: Promise<unknown> | undefined;
    const server = http.createServer((_, outgoing) => {
      const call = { outgoing, signal: new AbortController().signal };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      failure = assert.rejects(
        eventReply(failing(), () => usage, { headers: () => ({}), trailers: () => ({}) }, call),
        RangeError,
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    const text = await (await fetch(`http://127.0.0.1:${address.port}`)).text();
    assert.match(text, /speech\.audio\.delta.*\n\ndata: \{"type":"error".*\}\n\n$/s);
    assert(failure);
    await failure;
    server.close();
  });
});

describe('the replies of the OpenAI API', function () {
  let data: string;
  let service: TestService;
  const keys = { rich: '', short: '' };
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-openai-'));
    await withLedger(data, (ledger) => {
      keys.rich = openAccount(ledger, 'rich', 'creator', 1000);
      keys.short = openAccount(ledger, 'short', 'creator', 2);
    });
    service = await startTestService({ data });
  });
  after(async () => {
    await service.close();
    await rm(data, { recursive: true });
  });

  const post = (key: string, more: object, signal: AbortSignal | null = null) =>
    fetch(`${service.url}/v1/audio/speech`, {
      signal,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'tts-1',
        voice: 'rms',
        input: SENTENCES,
        response_format: 'pcm',
        ...more,
      }),
    });
  const balance = async (key: string) => {
    const reply = await fetch(`${service.url}/v1/credits`, { headers: { 'x-sup-api-key': key } });
    return (await reply.json()).balance;
  };

  it('begin with half a second of a sentence, before the rest is converted', async () => {
    const reply = await post(service.key, { stream_format: 'sse' });
    const [first = ''] = (await reply.text()).split('\n\n');
    const audio = /"audio":"([^"]+)"/.exec(first)?.[1] ?? '';
    assert.equal(Buffer.from(audio, 'base64').length, 24_000);
  });

  it('end with an error event if the credits end within the speech', async () => {
    const reply = await post(keys.short, { stream_format: 'sse' });
    assert.equal(reply.status, 200);
    const events = (await reply.text()).trim().split('\n\n');
    assert.match(events[0] ?? '', /"speech\.audio\.delta"/);
    assert.match(events.at(-1) ?? '', /"type":"error","error":\{.*"code":"insufficient_quota"/);
  });

  it('charge a stream and a complete reply with the seconds of their audio', async () => {
    for (const stream of [true, false]) {
      const before = await balance(keys.rich);
      const audio = await (await post(keys.rich, { stream })).arrayBuffer();
      const charged = before - (await balance(keys.rich));
      assert.ok(Math.abs(charged - audio.byteLength / 48_000) < 0.01, `${charged} s`);
    }
  });

  it('charge nothing for a complete reply that fails', async () => {
    const before = await balance(keys.short);
    const reply = await post(keys.short, { stream: false, input: SENTENCES.repeat(3) });
    assert.equal(reply.status, 429);
    await reply.text();
    assert.equal(await balance(keys.short), before);
  });

  it('charge the audio that was sent to a caller that hung up', async () => {
    for (const response_format of ['pcm', 'opus'] as const) {
      const before = await balance(keys.rich);
      const hangUp = new AbortController();
      const input = SENTENCES.repeat(10);
      const reply = await post(keys.rich, { response_format, input }, hangUp.signal);
      await reply.body?.getReader().read();
      hangUp.abort();
      let charged = 0;
      while (charged === 0) charged = before - (await balance(keys.rich));
      assert.ok(charged < 20, `${charged} s`);
    }
  });

  it('have a length if the request has HTTP/1.0', async () => {
    const body = JSON.stringify({ model: 'tts-1', voice: 'rms', input: SENTENCES, response_format: 'wav' });
    const { hostname, port } = new URL(service.url);
    const socket = net.connect(Number(port), hostname);
    const head = [
      'POST /v1/audio/speech HTTP/1.0',
      'Host: localhost',
      `Authorization: Bearer ${service.key}`,
    ];
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.write(`${[...head, ...type].join('\r\n')}\r\n\r\n${body}`);
    socket.setEncoding('latin1');
    const [headers = '', audio = ''] = (await readText(socket)).split(/\r\n\r\n(.*)/s);
    assert.match(headers, /^HTTP\/1\.\d 200/);
    const length = /content-length: (\d+)/i.exec(headers)?.[1];
    assert.equal(Number(length), Buffer.from(audio, 'latin1').length);
    assert.equal(inspectAudio(Buffer.from(audio, 'latin1')).format, 'wav');
  });

  it('speak the language of the voice', async () => {
    for (const voice of ['de-anna', 'de', 'Anna']) {
      const reply = await post(service.key, { voice, input: 'Der Kaffee ist fertig.' });
      assert.equal(reply.status, 200);
      assert.ok((await reply.arrayBuffer()).byteLength > 24_000);
    }
  });
});
