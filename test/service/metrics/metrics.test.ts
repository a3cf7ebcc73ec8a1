import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import {
  openAccount,
  startTestService,
  type TestService,
  withLedger,
} from '../../support/service/service.js';
import { parseExposition, type Sample, valueOf } from './exposition.js';

const HELLO = { text: 'Hello there. How are you today?', language: 'en' };
const SECRET = 'Nineteen purple elephants';

/** Lets a Wyoming server speak, and resolves at the end of the audio. */
async function synthesize(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${JSON.stringify({ type: 'synthesize', data: { text: 'Hello there.' } })}\n`);
  let received = '';
  for await (const bytes of socket.setEncoding('latin1')) {
    received += String(bytes);
    if (received.includes('"audio-stop"')) break;
  }
  assert.match(received, /"audio-stop"/);
}

describe('GET /metrics', () => {
  let service: TestService;
  before(async () => {
    const wyoming = { host: '127.0.0.1', port: 0, account: 'local' };
    service = await startTestService({ metrics: true, wyoming, speech: { size: 1, maxQueued: 4 } });
  });
  after(() => service.close());

  const speak = async (body: object = {}, voice = 'slt') =>
    service.send('POST', `/v1/text-to-speech/${voice}`, { ...HELLO, ...body });
  const scrape = async (): Promise<Sample[]> => {
    const reply = await fetch(`${service.url}/metrics`);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    return parseExposition(await reply.text());
  };

  it('is unknown unless the setting is on', async () => {
    const plain = await startTestService();
    try {
      assert.equal((await fetch(`${plain.url}/metrics`)).status, 404);
      assert.deepEqual(await (await fetch(`${plain.url}/healthz`)).json(), { status: 'ok' });
    } finally {
      await plain.close();
    }
  });

  it('counts requests by operation and status, and speech by time and length', async () => {
    const spoken = await speak();
    const { duration } = inspectAudio(new Uint8Array(await spoken.arrayBuffer()));
    assert.equal((await speak({}, 'nobody')).status, 404);
    assert.equal((await speak({ language: 'de' })).status, 400);
    assert.equal((await service.send('GET', '/v1/voices', undefined, { 'x-sup-api-key': 'x' })).status, 401);
    const samples = await scrape();
    const native = { front_end: 'native' };
    const requests = (operation: string, status: string) =>
      valueOf(samples, 'herald_requests_total', { ...native, operation, status });
    assert.equal(requests('createSpeech', '200'), 1);
    assert.equal(requests('createSpeech', '404'), 1);
    assert.equal(requests('createSpeech', '400'), 1);
    assert.equal(requests('listVoices', '401'), 1);
    assert.ok(Math.abs(valueOf(samples, 'herald_speech_audio_seconds_total', native) - duration) < 0.001);
    for (const name of [
      'herald_first_audio_seconds',
      'herald_synthesis_seconds',
      'herald_real_time_factor',
    ]) {
      assert.equal(valueOf(samples, `${name}_count`, native), 1, name);
    }
    const took = valueOf(samples, 'herald_synthesis_seconds_sum', native);
    const factor = valueOf(samples, 'herald_real_time_factor_sum', native);
    assert.ok(took > 0 && Math.abs(factor - took / duration) < 0.001);
    const failures = { ...native, reason: 'not-found' };
    assert.equal(valueOf(samples, 'herald_speech_failures_total', failures), 1);
  });

  it('counts speech of the OpenAI API and of Wyoming', async () => {
    const reply = await fetch(`${service.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
      body: JSON.stringify({ model: 'tts-1', input: 'Hello there.', voice: 'alloy', response_format: 'pcm' }),
    });
    assert.equal(reply.status, 200);
    await reply.arrayBuffer();
    await synthesize(service.wyomingUrl ?? '');
    const samples = await scrape();
    for (const front_end of ['openai', 'wyoming']) {
      assert.ok(valueOf(samples, 'herald_speech_audio_seconds_total', { front_end }) > 0.3, front_end);
      assert.equal(valueOf(samples, 'herald_requests_total', { front_end }), 1, front_end);
    }
  });

  it('counts voice samples from the cache', async () => {
    const url = `${service.url}/samples/slt/en/neutral/main_speech_1.wav`;
    for (let time = 0; time < 3; time++) assert.equal((await fetch(url)).status, 200);
    const samples = await scrape();
    assert.equal(valueOf(samples, 'herald_sample_cache_requests_total', { result: 'miss' }), 1);
    assert.equal(valueOf(samples, 'herald_sample_cache_requests_total', { result: 'hit' }), 2);
    assert.ok(valueOf(samples, 'herald_memory_bytes', { process: 'service' }) > 10_000_000);
    assert.ok(valueOf(samples, 'herald_memory_bytes', { process: 'speech' }) > 10_000_000);
  });

  it('is complete during load, with jobs, rejected requests and callers that hang up', async () => {
    const callers = Array.from({ length: 12 }, async (_, number) => {
      const signal = number === 0 ? AbortSignal.timeout(1) : undefined;
      const text = `${SECRET} number ${number}. `.repeat(3);
      const reply = await fetch(`${service.url}/v1/text-to-speech/slt`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sup-api-key': service.key },
        body: JSON.stringify({ ...HELLO, text }),
        ...(signal && { signal }),
      });
      await reply.arrayBuffer();
      return reply.status;
    });
    const scrapes = Array.from({ length: 20 }, () => scrape());
    const statuses = await Promise.allSettled(callers);
    const during = await Promise.all(scrapes);
    assert.ok(during.every((samples) => valueOf(samples, 'herald_jobs', { state: 'queued' }) <= 4));
    const ends = statuses.map((result) => (result.status === 'fulfilled' ? result.value : 'hung up'));
    const samples = await scrape();
    const full = valueOf(samples, 'herald_speech_failures_total', { reason: 'full' });
    assert.equal(full, ends.filter((status) => status === 503).length);
  });

  it('counts speech that the account cannot pay as out of credits', async () => {
    const data = await mkdtemp(path.join(os.tmpdir(), 'herald-metrics-'));
    const key = await withLedger(data, (ledger) => openAccount(ledger, 'poor', 'pro', 0.1));
    const poor = await startTestService({ data, metrics: true });
    const post = async (where: string, body: object) =>
      fetch(poor.url + where, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sup-api-key': key, authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
    try {
      for (const where of ['/v1/text-to-speech/slt', '/v1/text-to-speech/slt/stream'])
        assert.equal((await post(where, HELLO)).status, 402);
      for (const more of [{}, { stream: false }, { stream_format: 'sse' }]) {
        const body = { model: 'tts-1', input: HELLO.text, voice: 'alloy', ...more };
        assert.equal((await post('/v1/audio/speech', body)).status, 429);
      }
      const samples = parseExposition(await (await fetch(`${poor.url}/metrics`)).text());
      const failures = (labels: Record<string, string>) =>
        valueOf(samples, 'herald_speech_failures_total', labels);
      assert.equal(failures({ front_end: 'native', reason: 'out-of-credits' }), 2);
      assert.equal(failures({ front_end: 'openai', reason: 'out-of-credits' }), 3);
      assert.equal(failures({ reason: 'stopped' }), 0);
    } finally {
      await poor.close();
      await rm(data, { recursive: true });
    }
  });

  it('has no texts, keys, voices or accounts', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    for (const secret of [SECRET, service.key, 'slt', 'local', 'nobody'])
      assert.ok(!text.includes(secret), secret);
  });

  it('is documented completely', async () => {
    const guide = await readFile(path.join(__dirname, '../../../docs/service.md'), 'utf8');
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const names = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const documented = new Set([...guide.matchAll(/^\| `(herald_\w+)`/gm)].map(([, name]) => name));
    assert.deepEqual(documented, names);
  });
});
