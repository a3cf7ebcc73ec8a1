import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { voiceSettings } from '@herald-speech/client';
import type { LogEntry } from '../../../service/kit/log.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';

const hello = { text: 'Hello there.', language: 'en' };
const SPEECH = '/v1/text-to-speech/slt';

async function upload(service: TestService): Promise<Response> {
  const form = new FormData();
  form.append('name', 'Me');
  form.append('files', new Blob([toneFile(120, 2)]), 'me.wav');
  return service.send('POST', '/v1/custom-voices/cloned-voice', form);
}

/** docs/interface.md#errors */
describe('an error of the local service', () => {
  let service: TestService;
  const entries: LogEntry[] = [];
  before(async () => {
    service = await startTestService({ log: (entry) => entries.push(entry) });
  });
  after(async () => service.close());

  /** Asserts status and body of an error reply, and returns the message. */
  async function refused(reply: Response, status: number): Promise<string> {
    const body: unknown = await reply.json();
    assert.equal(reply.status, status, JSON.stringify(body));
    assert.ok(typeof body === 'object' && body !== null && 'status' in body && 'message' in body);
    assert.equal(body.status, 'error');
    const { message } = body;
    if (status === 400 || status === 415) {
      assert.ok(typeof message === 'string');
      return message;
    }
    assert.ok(typeof message === 'object' && message !== null && 'message' in message && 'error' in message);
    assert.equal(message.error, http.STATUS_CODES[status]);
    assert.ok('statusCode' in message && 'status_code' in message);
    assert.deepEqual([message.statusCode, message.status_code], [status, status]);
    return String(message.message);
  }

  describe('with status 400', () => {
    const settings = Object.entries(voiceSettings).flatMap(([name, { min, max }]) => [
      { name, value: min - 0.1 },
      { name, value: max + 0.1 },
    ]);
    for (const { name, value } of settings) {
      it(`names ${name} and its value ${value}, which is out of range`, async () => {
        const reply = await service.send('POST', SPEECH, { ...hello, voice_settings: { [name]: value } });
        assert.match(await refused(reply, 400), new RegExp(`voice_settings\\.${name} is ${value}`));
      });
    }

    const bodies: Array<[string, object, RegExp]> = [
      ['no text', { language: 'en' }, /text is missing/],
      [
        '301 characters in 201 code points',
        { ...hello, text: `a${'😀'.repeat(150)}` },
        /text is .*at most 300/,
      ],
      ['301 characters', { ...hello, text: 'a'.repeat(301) }, /text is .*at most 300/],
      ['a text without a letter or digit', { ...hello, text: '...' }, /text is/],
      [
        'a text that the voice cannot read',
        { ...hello, text: '你好' },
        /^text: nothing to speak\. The voice \w+ does not speak Chinese\. Choose a voice that speaks Chinese/,
      ],
      ['no language', { text: 'Hi' }, /language is missing/],
      ['a language that the voice lacks', { ...hello, language: 'ko' }, /language is "ko".*en/],
      ['a style that the voice lacks', { ...hello, style: 'rapping' }, /style is "rapping".*neutral, happy/],
      ['an unknown model', { ...hello, model: 'nonsense' }, /model is "nonsense".*main_speech_1/],
      ['an unknown format', { ...hello, output_format: 'ogg' }, /output_format is "ogg"/],
      [
        'include_phonemes without a boolean',
        { ...hello, include_phonemes: 'yes' },
        /include_phonemes is "yes"/,
      ],
    ];
    for (const [name, body, message] of bodies) {
      it(`replies to ${name}`, async () =>
        assert.match(await refused(await service.send('POST', SPEECH, body), 400), message));
    }

    it('does not occur with 300 characters', async () => {
      const text = 'word '.repeat(60).trim().padEnd(300, '.');
      assert.equal(text.length, 300);
      assert.equal((await service.send('POST', SPEECH, { ...hello, text })).status, 200);
    });

    it('replies to JSON with another content type', async () => {
      const reply = await service.send('POST', SPEECH, hello, { 'content-type': 'text/plain' });
      assert.match(await refused(reply, 400), /application\/json/);
    });

    for (const body of ['{"text":', '', '[]', '"text"', 'null']) {
      it(`replies to the body ${JSON.stringify(body)}`, async () => {
        const headers = { 'x-sup-api-key': service.key, 'content-type': 'application/json' };
        await refused(await fetch(service.url + SPEECH, { method: 'POST', headers, body }), 400);
      });
    }

    for (const query of [
      'page_size=9',
      'page_size=101',
      'page_size=ten',
      'next_page_token=nobodys',
      'style=happy,sad;angry',
    ]) {
      it(`names the field of the voice search with ${query}`, async () => {
        const name = query.split('=')[0] ?? '';
        assert.match(
          await refused(await service.send('GET', `/v1/voices/search?${query}`), 400),
          new RegExp(name),
        );
      });
    }
  });

  describe('with status 401', () => {
    const headers: Array<[string, Record<string, string>]> = [
      ['no key', {}],
      ['a wrong key', { 'x-sup-api-key': 'x'.repeat(43) }],
      ['an empty key', { 'x-sup-api-key': '' }],
    ];
    for (const [name, given] of headers) {
      it(`replies to ${name}`, async () =>
        refused(await fetch(`${service.url}/v1/voices`, { headers: given }), 401));
    }

    it('replies to a key with additional or missing characters', async () => {
      for (const key of [
        `${service.key}\u00a0`,
        `${service.key}x`,
        service.key.slice(1),
        `"${service.key}"`,
      ]) {
        await refused(await fetch(`${service.url}/v1/voices`, { headers: { 'x-sup-api-key': key } }), 401);
      }
    });

    it('replies to a key in the query', async () => {
      await refused(await fetch(`${service.url}/v1/voices?x-sup-api-key=${service.key}`), 401);
    });

    it('has priority over other errors', async () => {
      await refused(await fetch(`${service.url}/v1/nothing`), 401);
    });
  });

  describe('with status 404', () => {
    const calls: Array<[string, string, object?]> = [
      ['GET', '/v1/nothing'],
      ['GET', '/'],
      ['PUT', '/v1/voices'],
      ['GET', '/v1/voices/nobody'],
      ['POST', '/v1/text-to-speech/nobody', hello],
      ['POST', '/v1/text-to-speech/nobody/stream', hello],
      ['POST', '/v1/predict-duration/nobody', hello],
      ['GET', '/v1/custom-voices/slt'],
      ['PATCH', '/v1/custom-voices/nobody', { name: 'x' }],
      ['DELETE', '/v1/custom-voices/nobody'],
    ];
    for (const [method, path, body] of calls) {
      it(`replies to ${method} ${path}`, async () => refused(await service.send(method, path, body), 404));
    }
  });

  it('has status 400 for a JSON body over 64 KB', async () => {
    await refused(await service.send('POST', SPEECH, { ...hello, text: 'x'.repeat(70_000) }), 400);
  });

  it('has status 500 without internal details, which are in the log', async () => {
    const broken = await startTestService({ log: (entry) => entries.push(entry) });
    await rm(path.join(broken.data, 'clones'), { recursive: true });
    const reply = await upload(broken);
    await broken.close();
    assert.equal(await refused(reply, 500), 'internal error: see the log of the service');
    assert.match(JSON.stringify(entries), /ENOENT/);
  });

  it('is logged without text, key and query', async () => {
    await service.send('POST', `${SPEECH}?secret=1`, { ...hello, text: 'Unspeakable words.' });
    const log = JSON.stringify(entries);
    assert.match(log, /"path":"\/v1\/text-to-speech\/slt","status":200/);
    for (const secret of [service.key, 'Unspeakable', 'secret']) assert.ok(!log.includes(secret), secret);
  });
});

describe('the service under too much load', () => {
  let service: TestService;
  afterEach(async () => service.close());

  it('replies 503 with Retry-After when its queue is full, and then continues', async () => {
    service = await startTestService({ speech: { size: 1, maxQueued: 1 } });
    const replies = await Promise.all(
      Array.from({ length: 6 }, async () =>
        service.send('POST', SPEECH, { ...hello, text: 'word '.repeat(50) }),
      ),
    );
    const refused = replies.filter((reply) => reply.status !== 200);
    assert.ok(refused.length > 0 && refused.length < 6);
    for (const reply of refused) {
      assert.equal(reply.status, 503);
      assert.equal(reply.headers.get('retry-after'), '1');
    }
    assert.equal((await service.send('POST', SPEECH, hello)).status, 200);
  });

  it('replies 408 when speech takes too long', async () => {
    service = await startTestService({ speech: { size: 1, timeLimit: 1, grace: 60_000 } });
    const reply = await service.send('POST', SPEECH, hello);
    assert.equal(reply.status, 408);
    assert.match(await reply.text(), /"error":"Request Timeout"/);
  });

  it('stops the synthesis for a caller that hung up', async () => {
    service = await startTestService({ speech: { size: 1, maxQueued: 8 } });
    const controller = new AbortController();
    const headers = { 'x-sup-api-key': service.key, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...hello, text: '9'.repeat(300) });
    const calls = Array.from({ length: 8 }, async () =>
      fetch(service.url + SPEECH, { method: 'POST', headers, body, signal: controller.signal }),
    );
    setTimeout(() => controller.abort(), 500);
    await Promise.all(calls.map((call) => assert.rejects(call)));
    assert.equal((await service.send('POST', SPEECH, hello)).status, 200);
  });
});
