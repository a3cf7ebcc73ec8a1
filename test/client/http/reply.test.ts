import assert from 'node:assert/strict';
import { createSpeech, operations, streamSpeech } from '../../../client/interface/operations.js';
import { mp3Of, wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import type { SpeechError } from '../../../client/base/errors.js';
import type { Client } from '../../../client/api/client.js';
import type { Scripted } from '../../support/net/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const json = (body: unknown, status = 200): Scripted => ({ status, body });
const text = (body: string, type: string, status = 200): Scripted => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(body),
});

/** Runs `run` with a client whose service always sends `reply`. */
const answered = <Result>(reply: Scripted, run: (client: Client) => Promise<Result>) =>
  withService(() => reply, run, { attempts: 1 });

const failed = (reply: Scripted): Promise<SpeechError> =>
  answered(reply, (client) => rejection(client.call(operations.getCredits, {})));

const spokenBy = (reply: Scripted) => answered(reply, (client) => client.call(createSpeech, speech));

/** Error bodies (docs/interface.md#error-body) and the error text to extract. */
const errorBodies: [string, Scripted, string | undefined][] = [
  ['a message', json({ status: 'error', message: 'Too long' }, 400), 'Too long'],
  [
    'a nested message',
    json({ status: 'error', message: { message: 'No key', error: 'Unauthorized', statusCode: 401 } }, 401),
    'No key',
  ],
  [
    'a nested message with status_code',
    json({ message: { message: 'No key', status_code: 401 } }, 401),
    'No key',
  ],
  [
    'a list of messages',
    json({ message: { message: ['text is empty', 'no voice'] } }, 400),
    'text is empty; no voice',
  ],
  ['a plain list of messages', json({ message: ['one', 'two'] }, 400), 'one; two'],
  ['an empty message', json({ status: 'error', message: '' }, 400), undefined],
  ['a missing message', json({ status: 'error' }, 403), undefined],
  ['null', json(null, 500), undefined],
  ['an empty object', json({}, 500), undefined],
  ['an HTML page', text('<html><h1>Bad gateway</h1></html>', 'text/html', 502), undefined],
  ['incomplete JSON', text('{"status": "err', 'application/json', 500), undefined],
  ['an empty body', { status: 503 }, undefined],
];

describe('an error reply', () => {
  for (const [what, reply, words] of errorBodies) {
    it(`is parsed if it has ${what}`, async () => {
      const error = await failed(reply);
      assert.deepEqual([error.status, error.service], [reply.status, words]);
    });
  }

  it('of a known status has a plain sentence with the fix, without the text of the service', async () => {
    const plain: [status: number, message: RegExp][] = [
      [401, /does not accept the API key \(401\): use a valid key/],
      [402, /no credits left \(402\): add credits/],
      [403, /does not permit this operation \(403\)/],
      [408, /in time \(408\): send it again/],
      [413, /too large for the service \(413\): shorten/],
      [415, /does not support this kind of file \(415\): use WAV or MP3/],
      [429, /too many requests \(429\): send again later/],
      [503, /is busy or stops \(503\): send again later/],
      [500, /has a fault \(500\): send again later/],
      [599, /has a fault \(599\)/],
    ];
    for (const [status, message] of plain) {
      const error = await failed(json({ status: 'error', message: 'E_INTERNAL_17' }, status));
      assert.match(error.message, message);
      assert.deepEqual([error.service, /E_INTERNAL/.test(error.message)], ['E_INTERNAL_17', false]);
    }
  });

  it('of any other status has the text of the service', async () => {
    const error = await failed(json({ message: 'text is empty' }, 400));
    assert.equal(error.message, 'the service replied 400: text is empty');
    assert.equal((await failed({ status: 418 })).message, 'the service replied 418');
  });

  it('is shortened to 300 characters', async () => {
    const error = await failed(json({ message: 'x'.repeat(10_000) }, 400));
    assert.equal(error.service, 'x'.repeat(300));
  });
});

describe('a reply', () => {
  it('keeps undocumented fields', async () => {
    const body = { balance: 5, currency: 'credits', plan: { name: 'pro' } };
    assert.deepEqual(await answered(json(body), (client) => client.call(operations.getCredits, {})), body);
  });

  it('is rejected with the name of a missing required field', async () => {
    const error = await failed(json({ amount: 5 }));
    assert.deepEqual([error.code, error.route, error.status], ['bad-reply', 'fatal', 200]);
    assert.match(error.message, /balance: /);
  });

  it('is rejected with the path, but not the value, of a field of the wrong type', async () => {
    const error = await answered(json({ items: [{ voice_id: 'private', name: 5 }] }), (client) =>
      rejection(client.call(operations.listCustomVoices, {})),
    );
    assert.match(error.message, /items\.0\.name: /);
    assert.doesNotMatch(error.message, /private/);
  });

  it('completes a voice that lacks a field, and keeps the others of the page', async () => {
    const whole = { voice_id: 'v2', name: 'Ann', use_cases: ['game'], language: ['en'], extra: 1 };
    const items = [{ voice_id: 'v1', samples: [{ url: 'http://127.0.0.1/a.wav' }], age: null }, whole];
    const page = await answered(json({ items, total: null }), (client) =>
      client.call(operations.searchVoices, {}),
    );
    assert.deepEqual(
      page.items.map(({ voice_id: id, name, age, language, styles }) => [id, name, age, language, styles]),
      [
        ['v1', '', '', [], []],
        ['v2', 'Ann', '', ['en'], []],
      ],
    );
    assert.deepEqual(
      [page.items[0]?.samples?.[0]?.style, page.items[1]?.['extra'], page.total],
      ['', 1, undefined],
    );
  });

  it('completes a custom voice without name and a voice usage without optional fields', async () => {
    const voices = await answered(json({ items: [{ voice_id: 'c1' }] }), (client) =>
      client.call(operations.searchCustomVoices, {}),
    );
    assert.deepEqual(voices.items, [{ voice_id: 'c1', name: '' }]);
    const usages = [{ date: '2026-11-01', total_minutes_used: 2 }];
    const dates = { start_date: '2026-11-01', end_date: '2026-11-02' };
    const usage = await answered(json({ usages }), (client) => client.call(operations.getVoiceUsage, dates));
    assert.deepEqual(usage.usages, [{ date: '2026-11-01', total_minutes_used: 2, voice_id: '' }]);
  });

  for (const [what, body] of Object.entries({
    'no token': { items: [] },
    'the token null': { items: [], next_page_token: null },
    'no total': { items: [], next_page_token: 't' },
  })) {
    it(`is a valid page if it has ${what}`, async () =>
      assert.deepEqual(
        await answered(json(body), (client) => client.call(operations.searchVoices, {})),
        body,
      ));
  }

  for (const name of ['searchVoices', 'listVoices', 'listCustomVoices', 'searchCustomVoices'] as const) {
    it(`is an empty page after a 404 to ${name}`, async () => {
      const page = await answered(json({ status: 'error', message: 'none' }, 404), (client) =>
        client.call(operations[name], {}),
      );
      assert.deepEqual(page, { items: [], total: 0 });
    });
  }

  it('is not-found after a 404 to a search with an HTML body', () =>
    answered(text('<html>Not found</html>', 'text/html', 404), async (client) => {
      assert.equal((await rejection(client.call(operations.searchVoices, {}))).code, 'not-found');
    }));

  it('is not-found after a 404 to getVoice', () =>
    answered(json({ status: 'error', message: 'no such voice' }, 404), async (client) => {
      const error = await rejection(client.call(operations.getVoice, { voice_id: 'v1' }));
      assert.deepEqual([error.code, error.service], ['not-found', 'no such voice']);
    }));

  it('resolves a deletion with undefined, and rejects an HTML page', async () => {
    const remove = (client: Client) => client.call(operations.deleteCustomVoice, { voice_id: 'c1' });
    assert.equal(await answered({ status: 204 }, remove), undefined);
    assert.equal(await answered(json({ status: 'ok' }), remove), undefined);
    const page = text('<html>Sign in</html>', 'text/html');
    assert.equal((await answered(page, (client) => rejection(remove(client)))).code, 'bad-reply');
  });

  for (const [what, reply] of Object.entries({
    'a page that claims to be JSON': text('<html>Sign in</html>', 'application/json'),
    'an error with the status 200': json({ status: 'error', message: 'not now' }),
    'a list': json([]),
    'a text': json('deleted'),
    audio: { headers: { 'content-type': 'audio/wav' }, body: wavOf() },
  })) {
    it(`is rejected if ${what} answers a deletion`, async () => {
      const remove = (client: Client) =>
        rejection(client.call(operations.deleteCustomVoice, { voice_id: 'c1' }));
      assert.match((await answered(reply, remove)).code, /^(bad|no)-reply$/);
    });
  }

  it('is rejected with its content type and the expected content', async () => {
    const page = text('<html>Sign in</html>', 'text/html; charset=utf-8');
    assert.equal((await failed(page)).message, 'the reply is text/html, expected JSON: check the URL');
    const speak = (client: Client) => rejection(client.call(createSpeech, speech));
    const untyped = await answered(text('Lorem ipsum', ''), speak);
    assert.equal(untyped.message, 'the reply has no content type, expected audio: check the URL');
  });
});

const phonemes = (symbols: string[]) => ({
  symbols,
  start_times_seconds: symbols.map((_symbol, index) => index / 10),
  durations_seconds: symbols.map(() => 0.1),
});
const base64 = (bytes: Buffer) => bytes.toString('base64');

describe('a reply with audio', () => {
  it('has the audio, its duration and the charged seconds of its header', async () => {
    const audio = wavOf({ seconds: 0.5 });
    const headers = { 'content-type': 'audio/wav', 'x-audio-length': '0.48' };
    const reply = await spokenBy({ headers, body: audio });
    assert.deepEqual(Buffer.from(reply.audio), audio);
    const { format, mime, duration, charged } = reply;
    assert.deepEqual(
      { format, mime, duration, charged },
      { format: 'wav', mime: 'audio/wav', duration: 0.5, charged: 0.48 },
    );
  });

  it('has the charged seconds of its trailer if streamed', () =>
    answered(
      {
        headers: { 'content-type': 'audio/wav', trailer: 'X-Audio-Length' },
        trailers: { 'X-Audio-Length': '0.1' },
        body: wavOf(),
      },
      async (client) => assert.equal((await client.call(streamSpeech, speech)).charged, 0.1),
    ));

  it('is valid without charged seconds', async () => {
    const { charged } = await spokenBy({ headers: { 'content-type': 'audio/wav' }, body: wavOf() });
    assert.equal(charged, undefined);
  });

  it('is detected as MP3 for any content type', async () => {
    for (const type of ['audio/mpeg', 'audio/wav', 'application/octet-stream', 'Audio/MPEG; x=1']) {
      const { format, mime } = await spokenBy({ headers: { 'content-type': type }, body: mp3Of() });
      assert.deepEqual([format, mime], ['mp3', 'audio/mpeg']);
    }
  });

  it('is rejected with no-reply if the MP3 is truncated', async () => {
    const reply = { headers: { 'content-type': 'audio/mpeg' }, body: mp3Of(10).subarray(0, 4000) };
    const error = await answered(reply, (client) => rejection(client.call(createSpeech, speech)));
    assert.deepEqual([error.code, error.route], ['no-reply', 'retryable']);
  });

  it('is rejected with bad-reply if text has an audio content type', async () => {
    const reply = text('Lorem ipsum dolor sit amet', 'audio/wav');
    const error = await answered(reply, (client) => rejection(client.call(createSpeech, speech)));
    assert.deepEqual([error.code, error.route, error.attempts], ['bad-reply', 'fatal', 1]);
  });

  it('has audio and phonemes if it is JSON', async () => {
    const marks = phonemes(['', 'h', 'ə', '']);
    const reply = await spokenBy(json({ audio_base64: base64(wavOf()), phonemes: marks }));
    assert.deepEqual(Buffer.from(reply.audio), wavOf());
    assert.deepEqual(reply.phonemes, marks);
  });

  it('joins audio and phonemes of JSON lines', () => {
    const audio = wavOf();
    const lines = [
      { audio_base64: base64(audio.subarray(0, 20)), phonemes: null },
      { audio_base64: null, phonemes: phonemes(['h']) },
      { audio_base64: base64(audio.subarray(20)), phonemes: null },
      { audio_base64: null, phonemes: phonemes(['i', '']) },
    ];
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    return answered(text(body, 'application/x-ndjson'), async (client) => {
      const reply = await client.call(streamSpeech, { ...speech, include_phonemes: true });
      assert.deepEqual(Buffer.from(reply.audio), audio);
      assert.deepEqual(reply.phonemes?.symbols, ['h', 'i', '']);
    });
  });

  it('is sent once if it is complete JSON without complete audio: a second request could be charged again', async () => {
    const half = base64(wavOf({ seconds: 1 }).subarray(0, 500));
    const bodies = [{}, { status: 'ok' }, { audio_base64: '' }, { audio_base64: null, phonemes: null }];
    for (const body of [...bodies, { audio_base64: half }, [], 'audio']) {
      await withService(
        () => json(body),
        async (client, server) => {
          const error = await rejection(client.call(createSpeech, speech));
          assert.deepEqual([error.code, error.route, server.requests.length], ['bad-reply', 'fatal', 1]);
        },
        { attempts: 4 },
      );
    }
  });

  it('is read from JSON with several lines and with escaped slashes', async () => {
    const audio = base64(wavOf({ seconds: 0.2 })).replaceAll('/', '\\/');
    const body = `{\n  "phonemes": null,\n  "audio_base64" : "${audio}"\n}\n`;
    const { duration } = await spokenBy(text(body, 'application/json'));
    assert.equal(duration, 0.2);
  });

  it('is rejected with bad-reply if the phoneme lists differ in length', async () => {
    const marks = { ...phonemes(['h', 'i']), durations_seconds: [0.1] };
    const reply = json({ audio_base64: base64(wavOf()), phonemes: marks });
    const error = await answered(reply, (client) => rejection(client.call(createSpeech, speech)));
    assert.equal(error.code, 'bad-reply');
  });
});
