import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Spare } from '../../../service/openai/encoders/spare.js';
import { formats } from '../../../service/openai/formats.js';
import type { SynthesizedAudio } from '../../../service/voices/workers/jobs.js';
import { startTestService } from '../../support/service/service.js';
import { until } from '../../support/waiting.js';

/** Real threads without work that `startThread` started and that run. */
let running = 0;
/** Threads that `startThread` has started. */
let started = 0;

async function startThread() {
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  worker.unref();
  worker.once('exit', () => (running -= 1));
  await once(worker, 'online');
  running += 1;
  started += 1;
  return { end: async () => void (await worker.terminate()) };
}

describe('the spare thread', () => {
  let closing: AbortController;
  beforeEach(() => (closing = new AbortController()));
  afterEach(async () => {
    closing.abort();
    await until(() => running === 0);
  });

  it('serves the next use, and only one use', async () => {
    const spare = new Spare(startThread);
    spare.prepare(closing.signal);
    spare.prepare(closing.signal);
    const first = await spare.take();
    assert.equal(running, 1);
    const second = await spare.take();
    assert.equal(running, 2);
    closing.abort();
    await new Promise(setImmediate);
    assert.equal(running, 2);
    await Promise.all([first.end(), second.end()]);
  });

  it('ends after its idle time', async () => {
    const spare = new Spare(startThread, 20);
    const before = started;
    spare.prepare(closing.signal);
    await until(() => started > before && running === 0);
    await (await spare.take()).end();
  });

  it('ends with the service, also while it starts, and does not start again', async () => {
    let starts = 0;
    const spare = new Spare(() => {
      starts += 1;
      return startThread();
    });
    spare.prepare(closing.signal);
    closing.abort();
    spare.prepare(closing.signal);
    assert.equal(starts, 1);
    await until(() => running === 1);
    await until(() => running === 0);
  });

  it('starts anew after a start that failed', async () => {
    let starts = 0;
    const spare = new Spare(async () => {
      starts += 1;
      if (starts === 1) throw new RangeError('no memory');
      return startThread();
    });
    spare.prepare(closing.signal);
    await new Promise(setImmediate);
    await (await spare.take()).end();
    assert.equal(starts, 2);
  });
});

const RATE = 24_000;
const audio = Buffer.from(Int16Array.from({ length: RATE }, (_, at) => 9000 * Math.sin(at / 9)).buffer);
const piece: SynthesizedAudio = { audio, seconds: 1, took: 0, sampleRate: RATE, phonemes: [] };

async function* spoken() {
  yield piece;
  yield piece;
}

async function* failing() {
  yield piece;
  throw new RangeError('the voice failed');
}

/** Threads of encoders that run. */
const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

describe('the threads of AAC and FLAC', function () {
  let closing: AbortController;
  beforeEach(() => (closing = new AbortController()));
  afterEach(() => closing.abort());

  for (const name of ['aac', 'flac'] as const) {
    /** Encodes to a whole file. */
    const encoded = async (pieces: AsyncIterable<SynthesizedAudio>) => {
      const parts: Uint8Array[] = [];
      const options = { isWhole: true, mark: undefined, closing: closing.signal };
      for await (const part of formats[name].encode(pieces, options)) parts.push(part);
      return Buffer.concat(parts);
    };

    it(`encode ${name} to equal files in a new thread, the idle thread, and after an aborted and a failed reply`, async () => {
      const before = threads();
      const cold = await encoded(spoken());
      await until(() => threads() === before + 1);
      const warm = await encoded(spoken());
      const options = { isWhole: false, mark: undefined, closing: closing.signal };
      for await (const _ of formats[name].encode(spoken(), options)) {
        assert.equal(threads(), before + 1); // The idle thread encodes this reply.
        break;
      }
      const afterAbort = await encoded(spoken());
      await assert.rejects(encoded(failing()), RangeError);
      const afterFailure = await encoded(spoken());
      for (const file of [warm, afterAbort, afterFailure]) assert.ok(file.equals(cold));
      await until(() => threads() === before + 1);
      closing.abort();
      await until(() => threads() === before);
    });
  }

  it('do not start for callers that hang up before their first audio', async () => {
    let starts = 0;
    const count = () => void (starts += 1);
    process.on('worker', count);
    for (const name of ['aac', 'flac'] as const) {
      for (let callers = 0; callers < 5; callers += 1) {
        const caller = new AbortController();
        const options = { isWhole: false, mark: undefined, closing: closing.signal, signal: caller.signal };
        const next = async () => {
          await new Promise(setImmediate);
          caller.abort(new RangeError('the caller hung up'));
          return Promise.reject(caller.signal.reason);
        };
        const pieces: AsyncIterable<SynthesizedAudio> = { [Symbol.asyncIterator]: () => ({ next }) };
        await assert.rejects(async () => {
          for await (const _ of formats[name].encode(pieces, options));
        }, RangeError);
      }
    }
    process.off('worker', count);
    assert.equal(starts, 0);
  });

  it('end with the service', async () => {
    const before = threads();
    const service = await startTestService();
    for (const response_format of ['aac', 'flac']) {
      const headers = { authorization: `Bearer ${service.key}` };
      const body = { model: 'tts-1', voice: 'slt', input: 'Hello.', response_format };
      const reply = await service.send('POST', '/v1/audio/speech', body, headers);
      assert.ok((await reply.arrayBuffer()).byteLength > 0);
    }
    await until(() => threads() > before);
    await service.close();
    await until(() => threads() === before);
  });
});
