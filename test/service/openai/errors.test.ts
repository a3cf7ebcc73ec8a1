import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { formatNames } from '../../../service/openai/request.js';
import {
  openAccount,
  startTestService,
  type TestService,
  withLedger,
} from '../../support/service/service.js';

const SPEECH = '/v1/audio/speech';
const valid = { model: 'tts-1', voice: 'nova', input: 'Good morning. The coffee is ready.' };

const errorBody = z.strictObject({
  error: z.strictObject({
    message: z.string().min(10),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** Bodies with a fault, with the status, the field and the code of the error. */
const faulty: ReadonlyArray<
  readonly [name: string, body: unknown, param: string | null, code: string | null, status?: number]
> = [
  ['a missing model', { ...valid, model: undefined }, 'model', 'missing_required_parameter'],
  ['a missing input', { ...valid, input: undefined }, 'input', 'missing_required_parameter'],
  ['an unknown model', { ...valid, model: 'whisper-1' }, 'model', 'model_not_found', 404],
  ['an empty input', { ...valid, input: '' }, 'input', 'invalid_value'],
  ['an input without a word', { ...valid, input: '... !' }, 'input', 'invalid_value'],
  ['an input of 4,097 characters', { ...valid, input: 'a'.repeat(4097) }, 'input', 'string_above_max_length'],
  ['an input that is a number', { ...valid, input: 7 }, 'input', 'invalid_type'],
  ['an input that is a list', { ...valid, input: ['a'] }, 'input', 'invalid_type'],
  ['an unknown voice', { ...valid, voice: 'nobody' }, 'voice', 'invalid_value'],
  ['a voice without an id', { ...valid, voice: {} }, 'voice', 'invalid_value'],
  ['an unknown format', { ...valid, response_format: 'm4a' }, 'response_format', 'invalid_value'],
  ['a speed below 0.25', { ...valid, speed: 0.2 }, 'speed', 'invalid_value'],
  ['a speed above 4', { ...valid, speed: 4.1 }, 'speed', 'invalid_value'],
  ['a speed that is a text', { ...valid, speed: '1' }, 'speed', 'invalid_type'],
  ['an unknown stream format', { ...valid, stream_format: 'websocket' }, 'stream_format', 'invalid_value'],
  ['instructions that are a list', { ...valid, instructions: [] }, 'instructions', 'invalid_type'],
  ['a language without a voice', { ...valid, language: 'tlh' }, 'language', 'invalid_value'],
  ['a language that no voice speaks', { ...valid, language: 'zz' }, 'language', 'invalid_value'],
  [
    'an input in letters of another language',
    { ...valid, voice: 'slt', input: '日本語' },
    'input',
    'invalid_value',
  ],
  ['a list', [valid], null, null],
  ['a text', 'speech', null, null],
];

describe('the routes of the OpenAI API', () => {
  let data: string;
  let service: TestService;
  const keys = { poor: '', busy: '' };
  before(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-openai-'));
    await withLedger(data, (ledger) => {
      keys.poor = openAccount(ledger, 'poor', 'creator', 0);
      keys.busy = openAccount(ledger, 'busy', 'free', 100);
    });
    service = await startTestService({ data, speech: { size: 1, maxQueued: 0 } });
  });
  after(async () => {
    await service.close();
    await rm(data, { recursive: true });
  });

  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(service.url + SPEECH, {
      method: 'POST',
      signal: signal ?? null,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}`, ...headers },
      body: typeof body === 'string' && headers['x-raw'] ? body : JSON.stringify(body),
    });
  /** Speaks as soon as the worker has stopped: the service has one worker and no queue. */
  const untilServed = async () => {
    let next = await post(valid);
    while (next.status === 503) next = await post(valid);
    assert.equal(next.status, 200);
    await next.arrayBuffer();
  };
  const errorOf = async (reply: Response) => errorBody.parse(await reply.json()).error;

  for (const [name, body, param, code, status = 400] of faulty) {
    it(`reject ${name} and name the field`, async () => {
      const reply = await post(body);
      const error = await errorOf(reply);
      assert.equal(reply.status, status, error.message);
      assert.deepEqual(
        { type: error.type, param: error.param, code: error.code },
        { type: 'invalid_request_error', param, code },
      );
    });
  }

  it('name the supported formats in the error of an unknown one', async () => {
    const { message } = await errorOf(await post({ ...valid, response_format: 'ogg' }));
    for (const name of formatNames) assert.ok(message.includes(`"${name}"`), message);
  });

  it('reject a broken JSON body, another content type and a body that is too long', async () => {
    const raw = { 'x-raw': 'yes' };
    for (const reply of [
      await post('{"model":', raw),
      await post('model=tts-1', { ...raw, 'content-type': 'application/x-www-form-urlencoded' }),
      await post({ ...valid, instructions: 'a'.repeat(70_000) }),
    ]) {
      assert.equal(reply.status, 400);
      assert.equal((await errorOf(reply)).type, 'invalid_request_error');
    }
  });

  it('ignore unknown fields, null and instructions', async () => {
    const more = {
      instructions: 'Speak in a cheerful tone.',
      speed: null,
      user: 'me',
      response_format: 'wav',
    };
    const reply = await post({ ...valid, ...more });
    assert.equal(reply.status, 200);
    assert.equal((await reply.arrayBuffer()).byteLength > 1000, true);
  });

  it('reject an unknown key on each route with a 401, and a missing one for speech', async () => {
    const lists = ['/v1/models', '/v1/models/tts-1', '/v1/audio/voices', '/v1/audio/models'];
    for (const authorization of ['', 'Bearer wrong', `Basic ${service.key}`, service.key]) {
      for (const route of authorization === '' ? [SPEECH] : [SPEECH, ...lists]) {
        const method = route === SPEECH ? 'POST' : 'GET';
        const reply = await fetch(service.url + route, { method, headers: { authorization } });
        assert.equal(reply.status, 401);
        const { code, message } = await errorOf(reply);
        assert.equal(code, 'invalid_api_key');
        assert.ok(!message.includes(service.key));
      }
    }
  });

  it('reject an account without credits with a 429 that clients do not repeat', async () => {
    const reply = await post(valid, { authorization: `Bearer ${keys.poor}` });
    assert.equal(reply.status, 429);
    assert.equal(reply.headers.get('x-should-retry'), 'false');
    const { type, code, message } = await errorOf(reply);
    assert.deepEqual([type, code], ['insufficient_quota', 'insufficient_quota']);
    assert.equal(message, 'the account has no credits: add credits');
  });

  it('reject an account above its rate with a 429 and the seconds to wait', async () => {
    const list = () =>
      fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${keys.busy}` } });
    let reply = await list();
    for (let count = 0; reply.status === 200 && count < 100; count += 1) reply = await list();
    assert.equal(reply.status, 429);
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
    assert.equal((await errorOf(reply)).code, 'rate_limit_exceeded');
  });

  it('reject a request with a 503 and the seconds to wait if the queue is full', async () => {
    const hangUp = new AbortController();
    const long = post({ ...valid, input: valid.input.repeat(8), speed: 0.25 }, {}, hangUp.signal);
    const replies = await Promise.all([post(valid), post(valid), post(valid)]);
    const refused = replies.filter(({ status }) => status === 503);
    assert.ok(refused.length >= 2, replies.map(({ status }) => status).join());
    for (const reply of refused) {
      assert.equal(reply.headers.get('retry-after'), '1');
      assert.equal((await errorOf(reply)).code, 'overloaded');
    }
    for (const reply of replies) if (reply.status === 200) await reply.arrayBuffer();
    hangUp.abort();
    await Promise.allSettled([long]);
    await untilServed();
  });

  for (const response_format of formatNames) {
    it(`stop the speech as ${response_format} of a caller that hangs up, and serve the next one`, async () => {
      const input = 'The train leaves at ten past nine. '.repeat(60);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.key}` };
      const request = http.request(service.url + SPEECH, { method: 'POST', headers });
      request.end(JSON.stringify({ ...valid, input, speed: 0.25, response_format }));
      const reply = z.instanceof(http.IncomingMessage).parse((await once(request, 'response'))[0]);
      await once(reply, 'data');
      reply.once('error', () => undefined);
      request.destroy();
      await untilServed();
    });
  }

  it('ask for the name of a model', async () => {
    const { message } = await errorOf(await post({ ...valid, model: undefined }));
    assert.equal(message, 'model is missing: expected the name of a model, such as tts-1');
  });

  it('name the input in the error of a text that the voice cannot speak', async () => {
    assert.match(
      (await errorOf(await post({ ...valid, voice: 'slt', input: '日本語' }))).message,
      /^input: nothing to speak/,
    );
  });

  for (const [method, where] of [
    ['GET', SPEECH],
    ['DELETE', SPEECH],
    ['POST', '/v1/audio/transcriptions'],
    ['POST', '/v1/chat/completions'],
    ['GET', '/v1'],
    ['POST', '/audio/transcriptions'],
    ['GET', '/audio/speech'],
    ['POST', '/chat/completions'],
    ['DELETE', '/models'],
  ] as const) {
    it(`answer ${method} ${where} with a 404 in the shape of the API, and with a 401 for a wrong key`, async () => {
      const send = async (key: string) =>
        fetch(service.url + where, { method, headers: { authorization: `Bearer ${key}` } });
      const reply = await send(service.key);
      assert.equal(reply.status, 404);
      const { code, message } = await errorOf(reply);
      assert.equal(code, 'unknown_url');
      assert.ok(message.startsWith(`${method} "${where}": unknown method or path.`), message);
      const stranger = await send('wrong');
      assert.equal(stranger.status, 401);
      assert.equal((await errorOf(stranger)).code, 'invalid_api_key');
    });
  }
});
