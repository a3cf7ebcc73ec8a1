import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { LogEntry } from '../../../service/kit/log.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const SPEECH = '/v1/audio/speech';
const valid = { model: 'tts-1', voice: 'nova', input: 'Good morning. The coffee is ready.' };
const errorBody = z.object({
  error: z.object({ message: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});

describe('programs that use the OpenAI API', () => {
  let service: TestService;
  const log: LogEntry[] = [];
  before(async () => {
    service = await startTestService({ log: (entry) => log.push(entry) });
  });
  after(() => service.close());

  const post = (body: object, more: Record<string, string> = {}) =>
    fetch(service.url + SPEECH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}`, ...more },
      body: JSON.stringify(body),
    });
  const errorOf = async (reply: Response) => errorBody.parse(await reply.json()).error;

  it('speak without /v1 in the path too', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.key}` };
    const send = (where: string, body: object) =>
      fetch(service.url + where, { method: 'POST', headers, body: JSON.stringify(body) });
    const form = { ...valid, response_format: 'wav', stream: false };
    const [audio, expected] = [await send('/audio/speech', form), await send(SPEECH, form)];
    assert.deepEqual([audio.status, expected.status], [200, 200]);
    assert.deepEqual(await audio.arrayBuffer(), await expected.arrayBuffer());
    const wrong = await send('/audio/speech', { ...valid, voice: 'nobody' });
    assert.equal((await errorOf(wrong)).param, 'voice');
  });

  it('answer an unknown path without a key with a 401 in the shape of the API', async () => {
    for (const where of ['/audio/speech', '/v1/audio/transcriptions', '/audio/transcriptions']) {
      const reply = await fetch(service.url + where, { method: 'POST' });
      assert.equal(reply.status, 401, where);
      const { code, message } = await errorOf(reply);
      assert.equal(code, 'invalid_api_key');
      assert.match(message, /TTS_OPENAI_KEY/);
    }
  });

  it('identify each reply, and its line in the log', async () => {
    const replies = [
      await post(valid),
      await post({ ...valid, stream_format: 'sse', input: 'Coffee. Tea.' }),
      await post({ ...valid, voice: 'nobody' }),
      await post(valid, { authorization: 'Bearer wrong' }),
      await fetch(`${service.url}/v1/models`),
      await fetch(`${service.url}/audio/unknown`),
    ];
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    const ids = replies.map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of ids) assert.match(id, /^req_[0-9a-f]{32}$/);
    assert.equal(new Set(ids).size, ids.length);
    const logged = log.map((entry) => entry['request']);
    assert.ok(ids.every((id) => logged.includes(id)));
    const native = await fetch(`${service.url}/v1/voices`);
    assert.equal(native.headers.get('x-request-id'), null);
  });

  for (const where of ['/v1/models', '/v1/models/tts-1', '/v1/audio/models', '/v1/audio/voices', '/models']) {
    it(`list ${where} to programs of this computer without a key`, async () => {
      const open = await fetch(service.url + where);
      const withKey = await fetch(service.url + where, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      assert.equal(open.status, 200);
      assert.deepEqual(await open.json(), await withKey.json());
      const blank = await fetch(service.url + where, { headers: { authorization: 'Bearer ' } });
      assert.equal(blank.status, 200);
    });

    it(`need a key for ${where} from another site, through a proxy, and if the key is wrong`, async () => {
      const strange: Record<string, string>[] = [
        { origin: 'http://example.com' },
        { 'sec-fetch-site': 'cross-site' },
        { 'x-forwarded-for': '192.0.2.1' },
        { authorization: 'Bearer wrong' },
      ];
      for (const headers of strange) {
        const reply = await fetch(service.url + where, { headers });
        assert.equal(reply.status, 401, JSON.stringify(headers));
        assert.match((await errorOf(reply)).message, /TTS_OPENAI_KEY/);
      }
    });
  }

  it('ask for the key of the native interface on its paths', async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const reply = await fetch(`${service.url}/v1/voices`, { headers });
    assert.equal(reply.status, 401);
    assert.match(await reply.text(), /x-sup-api-key is missing/);
  });

  it('do not change the errors of the other routes', async () => {
    const headers = { 'x-sup-api-key': service.key };
    const own = z.object({ status: z.literal('error'), message: z.unknown() });
    for (const [where, status] of [
      ['/v1/voices/nobody', 404],
      ['/v1/audio/unknown', 404],
      ['/v1/chat/completions', 404],
    ] as const) {
      const reply = await fetch(service.url + where, { headers });
      assert.equal(reply.status, status);
      own.parse(await reply.json());
    }
    const stranger = await fetch(`${service.url}/v1/voices`);
    assert.equal(stranger.status, 401);
    own.parse(await stranger.json());
  });
});
