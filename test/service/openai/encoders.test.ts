import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { describeWith } from '../../support/programs/describe-with.js';
import { MAX_ENCODER_THREADS } from '../../../service/openai/encoders/aac-flac.js';
import { ThreadEncoder } from '../../../service/openai/encoders/thread-encoder.js';
import { formats } from '../../../service/openai/formats.js';
import { formatNames } from '../../../service/openai/request.js';
import type { SynthesizedAudio } from '../../../service/voices/workers/jobs.js';
import { startEncoder } from '../../../service/kit/audio/encoder.js';
import { until } from '../../support/waiting.js';

const RATE = 24_000;
const mark = undefined;
/** Of a service that is closed, so that no thread stays idle. */
const closing = AbortSignal.abort();

const toneOf = (samples: number) =>
  Int16Array.from({ length: samples }, (_, index) => Math.round(9000 * Math.sin(index / 9)));

async function pieceOf(samples: number, encoding: 'mp3' | 'pcm'): Promise<SynthesizedAudio> {
  const encoder = await startEncoder(encoding, RATE);
  const audio = encoder.encode(toneOf(samples));
  return { audio, seconds: samples / RATE, took: 0, sampleRate: RATE, phonemes: [] };
}

/** Threads of encoders, and other handles. */
const handles = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

/** Returns the number of threads that start during the work. The work gets the number so far. */
async function countingStarts(work: (started: () => number) => Promise<void>): Promise<number> {
  const { start } = ThreadEncoder;
  let starts = 0;
  ThreadEncoder.start = async (...how) => {
    starts += 1;
    return start(...how);
  };
  try {
    await work(() => starts);
  } finally {
    ThreadEncoder.start = start;
  }
  return starts;
}

describe('the encoders of the OpenAI API', function () {
  for (const name of formatNames) {
    const { pieces: encoding, encode } = formats[name];

    it(`read ${name} only as fast as the caller, and end with the caller`, async () => {
      const piece = await pieceOf(RATE, encoding === 'mp3' ? 'mp3' : 'pcm');
      const before = handles();
      let read = 0;
      let hasEnded = false;
      async function* endless() {
        try {
          for (;;) {
            await sleep(0);
            read += 1;
            yield piece;
          }
        } finally {
          hasEnded = true;
        }
      }
      for await (const part of encode(endless(), { isWhole: false, mark, closing })) {
        assert.ok(part.length > 0);
        await sleep(300); // Time for an encoder without a limit to read hundreds of pieces.
        break;
      }
      assert.ok(read <= 20, `${read} pieces of one second`);
      await until(() => hasEnded && handles() <= before);
    });

    it(`fail ${name} with the error of the speech, and leave nothing`, async () => {
      const piece = await pieceOf(RATE, encoding === 'mp3' ? 'mp3' : 'pcm');
      const before = handles();
      for (const isWhole of [true, false]) {
        async function* failing() {
          yield piece;
          throw new RangeError('the voice failed');
        }
        await assert.rejects(async () => {
          for await (const _ of encode(failing(), { isWhole, mark, closing }));
        }, RangeError);
      }
      await until(() => handles() <= before);
    });
  }

  for (const name of ['aac', 'flac'] as const) {
    it(`leave no thread if the speech fails while the thread of ${name} starts`, async () => {
      const before = handles();
      for (const isWhole of [true, false]) {
        const next = () => Promise.reject(new RangeError('the voice failed'));
        const failing: AsyncIterable<SynthesizedAudio> = { [Symbol.asyncIterator]: () => ({ next }) };
        await assert.rejects(async () => {
          for await (const _ of formats[name].encode(failing, { isWhole, mark, closing }));
        }, RangeError);
      }
      await until(() => handles() <= before);
    });
  }

  it('wait for each other above the limit of threads, and all finish', async () => {
    const piece = await pieceOf(RATE, 'pcm');
    async function* spoken() {
      yield piece;
    }
    const starts = await countingStarts(async (started) => {
      const readers = Array.from({ length: MAX_ENCODER_THREADS + 3 }, () =>
        formats.aac.encode(spoken(), { isWhole: false, mark, closing })[Symbol.asyncIterator](),
      );
      const first = readers.map((reader) => reader.next());
      await Promise.all(first.slice(0, MAX_ENCODER_THREADS));
      const early = started();
      for (const reader of readers)
        for (let next = await reader.next(); next.done !== true; next = await reader.next());
      assert.equal(early, MAX_ENCODER_THREADS);
    });
    assert.equal(starts, MAX_ENCODER_THREADS + 3);
  });

  it('start no thread for a caller that hung up while it waited', async () => {
    const piece = await pieceOf(RATE, 'pcm');
    async function* spoken() {
      for (;;) yield piece;
    }
    const readers = Array.from({ length: MAX_ENCODER_THREADS }, () =>
      formats.aac.encode(spoken(), { isWhole: false, mark, closing })[Symbol.asyncIterator](),
    );
    await Promise.all(readers.map(async (reader) => reader.next()));
    const caller = new AbortController();
    const options = { isWhole: false, mark, closing, signal: caller.signal };
    const starts = await countingStarts(async () => {
      const waiting = assert.rejects(
        formats.aac.encode(spoken(), options)[Symbol.asyncIterator]().next(),
        RangeError,
      );
      setImmediate(() => caller.abort(new RangeError('hung up')));
      await waiting;
      await Promise.all(readers.map(async (reader) => reader.return?.()));
    });
    assert.equal(starts, 0);
  });

  it('encode a sound in a new thread of AAC before the speech, so that the first frames of the speech find compiled functions', async () => {
    const { postMessage } = Worker.prototype;
    let frames = 0;
    Worker.prototype.postMessage = function (message: { command?: { type: string } }, ...rest) {
      if (message.command?.type === 'encode') frames += 1;
      return postMessage.call(this, message, ...rest);
    };
    try {
      const pieces = Readable.from([await pieceOf(10 * 1024, 'pcm')]);
      for await (const _ of formats.aac.encode(pieces, { isWhole: true, mark, closing }));
    } finally {
      Worker.prototype.postMessage = postMessage;
    }
    assert.equal(frames, 5 + 10);
  });

  describeWith(['ffmpeg'], 'in ffmpeg', () => {
    it('start AAC with 43 ms of silence, and no sound but the speech', async () => {
      for (const isWhole of [true, false]) {
        const silent = { ...(await pieceOf(RATE, 'pcm')), audio: new Uint8Array(2 * RATE) };
        const nothing = samplesOf(
          await decoded(formats.aac.encode(Readable.from([silent]), { isWhole, mark, closing })),
        );
        assert.ok(nothing.every((sample) => Math.abs(sample) < 20));
        const tone = samplesOf(
          await decoded(
            formats.aac.encode(Readable.from([await pieceOf(RATE, 'pcm')]), { isWhole, mark, closing }),
          ),
        );
        const first = tone.findIndex((sample) => Math.abs(sample) > 3000);
        assert.ok(first >= 900 && first <= 1100, `sound at sample ${first}`);
        assert.ok(tone.length >= RATE + 1024 && tone.length <= RATE + 3 * 1024, `${tone.length} samples`);
      }
    });

    it('keep each sample of FLAC and the length of Opus, for any lengths of the pieces', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 500, max: 3000 }), { minLength: 1, maxLength: 8 }),
          fc.boolean(),
          async (lengths, isWhole) => {
            const all = Buffer.concat(
              await Promise.all(lengths.map(async (length) => (await pieceOf(length, 'pcm')).audio)),
            );
            async function* pieces() {
              for (const length of lengths) yield await pieceOf(length, 'pcm');
            }
            const flac = await decoded(formats.flac.encode(pieces(), { isWhole, mark, closing }));
            assert.deepEqual(flac.subarray(2), all);
            const opus = await decoded(formats.opus.encode(pieces(), { isWhole, mark, closing }));
            assert.equal(opus.length, all.length);
          },
        ),
        { numRuns: 6 },
      );
    });
  });
});

const samplesOf = (audio: Buffer) => new Int16Array(Uint8Array.from(audio).buffer);

async function decoded(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  const output = ['-f', 's16le', '-ar', String(RATE), '-ac', '1', '-'];
  return execFileSync('ffmpeg', ['-v', 'fatal', '-i', '-', ...output], { input: Buffer.concat(all) });
}
