import assert from 'node:assert/strict';
import path from 'node:path';
import { inspectAudio, operations } from '@herald-speech/client';
import {
  startTestService,
  type TestService,
  withLedger,
  openAccount,
} from '../../support/service/service.js';

const engines = [path.join(__dirname, '..', 'voices', 'engines', 'plug-ins', 'unhurried.mjs')];
const VOICE = 'en_GB-unhurried-medium';
/** The simple voice with the language and the gender of the natural voice. */
const SIMPLE = 'slt';
/** Seconds of each text that the natural voice speaks. */
const SECONDS = 0.123;
const LATE = { text: 'Slow trains arrive late.', language: 'en' };
const PROMPT = { text: 'Quick trains arrive early.', language: 'en' };

/** docs/service.md#natural-voices */
describe('a natural voice with the setting simpleVoiceAfter', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ engines, simpleVoiceAfter: 200 });
  });
  after(() => service.close());

  const speak = (body: object, form = '') => service.send('POST', `/v1/text-to-speech/${VOICE}${form}`, body);
  const bytesOf = async (reply: Response) => {
    assert.equal(reply.status, 200, reply.status === 200 ? '' : await reply.text());
    return new Uint8Array(await reply.arrayBuffer());
  };

  it('speaks if its audio arrives in time', async () => {
    const reply = await speak(PROMPT);
    assert.equal(reply.headers.get('x-voice-fallback'), null);
    const { duration, sampleRate } = inspectAudio(await bytesOf(reply));
    assert.equal(sampleRate, 22_050);
    assert.ok(Math.abs(duration - SECONDS) < 0.001);
  });

  it('gives way to the simple voice of its language and gender, at its own sample rate', async () => {
    const reply = await speak(LATE);
    assert.equal(reply.headers.get('x-voice-fallback'), SIMPLE);
    const { duration, sampleRate } = inspectAudio(await bytesOf(reply));
    assert.equal(sampleRate, 22_050);
    assert.ok(Math.abs(duration - Number(reply.headers.get('x-audio-length'))) < 0.001);
    const simple = await service.send('POST', `/v1/text-to-speech/${SIMPLE}`, LATE);
    assert.ok(Math.abs(duration - inspectAudio(await bytesOf(simple)).duration) < 0.001);
  });

  it('gives way in a stream, in MP3 and in a reply with phonemes', async () => {
    const stream = await speak({ ...LATE, output_format: 'mp3' }, '/stream');
    assert.equal(stream.headers.get('x-voice-fallback'), SIMPLE);
    assert.equal(inspectAudio(await bytesOf(stream)).format, 'mp3');
    const marked = await speak({ ...LATE, include_phonemes: true });
    assert.equal(marked.headers.get('x-voice-fallback'), SIMPLE);
    const { phonemes } = (await marked.json()) as { phonemes: { symbols: string[] } };
    assert.ok(phonemes.symbols.length > 10);
  });

  it('predicts its own duration', async () => {
    const reply = await service.send('POST', `/v1/predict-duration/${VOICE}`, PROMPT);
    assert.deepEqual(await reply.json(), { duration: SECONDS });
  });
});

describe('the charge of a simple voice in place of a natural voice', () => {
  it('contains the delivered audio once, under the voice that spoke', async () => {
    const first = await startTestService({});
    await first.stop();
    const { data } = first;
    const key = await withLedger(data, (ledger) => openAccount(ledger, 'radio', 'pro', 100));
    const service = await startTestService({ data, engines, simpleVoiceAfter: 100 });
    const send = (method: string, where: string, body?: object) =>
      service.send(method, where, body, { 'x-sup-api-key': key });
    try {
      const reply = await send('POST', `/v1/text-to-speech/${VOICE}`, LATE);
      const charged = Number(reply.headers.get('x-audio-length'));
      const { balance } = operations.getCredits.response.parse(
        await (await send('GET', '/v1/credits')).json(),
      );
      assert.ok(charged > 1);
      assert.ok(Math.abs((balance ?? 0) - (100 - charged)) < 0.001);
      const day = new Date().toISOString().slice(0, 10);
      const usage = await send('GET', `/v1/voice-usage?start_date=${day}&end_date=${day}`);
      const { usages } = operations.getVoiceUsage.response.parse(await usage.json());
      assert.deepEqual(
        usages.map(({ voice_id }) => voice_id),
        [SIMPLE],
      );
    } finally {
      await service.close();
      await first.close();
    }
  });
});

describe('a natural voice without the setting simpleVoiceAfter', () => {
  it('gives way only after its time limit', async () => {
    // The simple voice starts within the same limit, also on a busy computer.
    const timeLimit = 8000;
    const service = await startTestService({ engines, speech: { size: 1, timeLimit } });
    try {
      const start = performance.now();
      const reply = await service.send('POST', `/v1/text-to-speech/${VOICE}`, LATE);
      assert.equal(reply.headers.get('x-voice-fallback'), SIMPLE);
      assert.match(reply.headers.get('x-voice-fallback-reason') ?? '', /time%20limit%20of%20\d+%20s/);
      assert.ok(performance.now() - start > timeLimit);
    } finally {
      await service.close();
    }
  });
});
