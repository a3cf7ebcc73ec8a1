import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { chunkText } from '@herald-speech/client';
import { MAX_SPEECH_TEXT } from '../../../service/speech/chunks.js';
import { chargedPieces } from '../../../service/speech/start-speech.js';
import { WorkerError } from '../../../service/kit/worker-error.js';
import { StoreError } from '../../../service/kit/store-error.js';
import { audioOf, collected, CREDITS, openSpeechPath, secondsOf, SLOW, type SpeechPath } from './support.js';

const SENTENCE = 'The quick brown fox jumps over the lazy dog near the old river bank. ';
const LONG = { voice_id: 'slt', language: 'en', text: SENTENCE.repeat(16).trim() };
const SHORT = { voice_id: 'slt', language: 'en', text: 'Hello there.' };

describe('speech of all front ends', () => {
  let path: SpeechPath;
  before(async () => {
    path = await openSpeechPath();
  });
  after(() => path.close());

  const speak = async (request: typeof SHORT) =>
    collected((await path.start({ ...request, waits: true })).pieces);

  it('speaks a long text in chunks, as a client that cuts the text speaks them', async () => {
    const text = SENTENCE.repeat(8).trim();
    const pieces = await speak({ ...LONG, text });
    assert.deepEqual([...new Set(pieces.map(({ sampleRate }) => sampleRate))], [16_000]);
    const chunks = [SENTENCE.trim(), ...chunkText(text.slice(SENTENCE.length))];
    const alone = [];
    for (const chunk of chunks) alone.push(...(await speak({ ...LONG, text: chunk })));
    assert.ok(audioOf(pieces).equals(audioOf(alone)));
  });

  it('gives other callers their turn between two chunks', async () => {
    const order: string[] = [];
    const long = path.start({ ...LONG, waits: true }).then(async ({ pieces }) => {
      for await (const { seconds } of pieces) if (seconds > 0) order.push('long');
    });
    await path.start({ ...SHORT, waits: true }).then(async ({ pieces }) => collected(pieces));
    order.push('short');
    await long;
    assert.ok(order.indexOf('short') <= 6, `the short text waited for ${order.indexOf('short')} sentences`);
    assert.equal(order.filter((kind) => kind === 'long').length, 16);
  });

  it('starts the next chunk only when its caller has read the chunk before', async () => {
    const { pieces, charge } = await path.start({ ...LONG, waits: true });
    const reader = pieces[Symbol.asyncIterator]();
    await reader.next();
    await speak(SHORT);
    // The first chunk has left the queue, so both places are free.
    const stop = new AbortController();
    const jobs = [await path.start(SLOW, stop.signal), await path.start(SLOW, stop.signal)];
    await assert.rejects(path.start(SHORT), isFull);
    stop.abort(new Error('over'));
    for (const { pieces, charge } of jobs) {
      await assert.rejects(collected(pieces), /over/);
      charge.release();
    }
    await reader.return?.();
    charge.release();
  });

  it('lets a later chunk wait for a place in a full queue', async () => {
    const { pieces, charge } = await path.start({
      ...LONG,
      text: SENTENCE.repeat(9).trim(),
      waits: true,
    });
    const reader = pieces[Symbol.asyncIterator]();
    await reader.next();
    await speak(SHORT);
    const stop = new AbortController();
    const jobs = [await path.start(SLOW, stop.signal), await path.start(SLOW, stop.signal)];
    const rest = collected({ [Symbol.asyncIterator]: () => reader });
    await turn();
    stop.abort(new Error('over'));
    assert.equal((await rest).filter(({ seconds }) => seconds > 0).length, 8);
    for (const job of [...jobs, { charge }]) job.charge.release();
  });

  it('rejects a first chunk with "full", unless its request waits', async () => {
    const stop = new AbortController();
    const jobs = [await path.start(SLOW, stop.signal), await path.start(SLOW, stop.signal)];
    await assert.rejects(path.start(SHORT), isFull);
    const waiting = path.start({ ...SHORT, waits: true });
    stop.abort(new Error('over'));
    const { pieces, charge } = await waiting;
    assert.ok(secondsOf(await collected(pieces)) > 0);
    for (const job of [...jobs, { charge }]) job.charge.release();
  });

  it('speaks later texts when they arrive, at the wished sample rate', async () => {
    const texts = ['Second text.', '... ', 'Third text.'];
    const more = (async function* () {
      for (const text of texts) {
        await turn();
        yield text;
      }
    })();
    const { pieces } = await path.start({ ...SHORT, more, sampleRate: 24_000, waits: true });
    const spoken = await collected(pieces);
    assert.deepEqual([...new Set(spoken.map(({ sampleRate }) => sampleRate))], [24_000]);
    let expected = 0;
    for (const text of [SHORT.text, 'Second text.', 'Third text.']) {
      expected += secondsOf(await speak({ ...SHORT, text }));
    }
    assert.ok(Math.abs(secondsOf(spoken) - expected) < 0.01);
    const samples = audioOf(spoken).length / 2;
    assert.ok(Math.abs(samples / 24_000 - secondsOf(spoken)) < 0.001);
  });

  it('rejects a text without letters and digits, and a text that is too long', async () => {
    await assert.rejects(path.start({ ...SHORT, text: '?!' }), {
      status: 400,
      message: /no letter and no digit/,
    });
    const text = 'a'.repeat(MAX_SPEECH_TEXT + 1);
    await assert.rejects(path.start({ ...SHORT, text }), { status: 400, message: /expected at most 20000/ });
  });

  describe('the charge', () => {
    it('is the audio of all pieces', async () => {
      const before = path.spent();
      const pieces = await collected(chargedPieces(await path.start({ ...SHORT, waits: true })));
      assert.ok(Math.abs(path.spent() - before - secondsOf(pieces)) < 0.001);
    });

    it('is the audio of the pieces before the caller left, and the worker is free at once', async () => {
      const before = path.spent();
      let seconds = 0;
      for await (const piece of chargedPieces(await path.start({ ...LONG, waits: true }))) {
        seconds += piece.seconds;
        if (seconds > 10) break;
      }
      assert.ok(Math.abs(path.spent() - before - seconds) < 0.001);
      assert.ok((await speak(SHORT)).length > 0);
    });

    it('is the audio of the pieces before a caller hung up', async () => {
      const before = path.spent();
      const caller = new AbortController();
      let seconds = 0;
      const pieces = chargedPieces(await path.start({ ...LONG, waits: true }, caller.signal));
      const read = async () => {
        for await (const piece of pieces) {
          seconds += piece.seconds;
          caller.abort(new Error('hung up'));
        }
      };
      await assert.rejects(read(), /hung up/);
      assert.ok(seconds > 0);
      assert.ok(Math.abs(path.spent() - before - seconds) < 0.001);
    });

    it('is nothing for speech that failed before any of it was sent, and returns the reserved credits', async () => {
      const before = path.spent();
      const pieces = chargedPieces(await path.start({ ...LONG, waits: true }), () => false);
      await assert.rejects(async () => {
        for await (const _ of pieces) throw new Error('the encoder failed');
      }, /the encoder failed/);
      assert.equal(path.spent(), before);
    });

    it('returns the reserved credits if the disk fails', async () => {
      const { credits } = path.dependencies.ledger;
      credits.settle = () => {
        throw new StoreError('full', 'the disk is full');
      };
      const spoken = await path.start({ ...SHORT, waits: true });
      await assert.rejects(collected(chargedPieces(spoken)), StoreError);
      Reflect.deleteProperty(credits, 'settle');
      credits.release(credits.reserve(path.account.id, CREDITS - path.spent()));
    });

    it('is nothing for speech that was not read', async () => {
      const before = path.spent();
      const stop = new AbortController();
      const { charge } = await path.start({ ...LONG, waits: true }, stop.signal);
      stop.abort();
      charge.release();
      assert.equal(path.spent(), before);
    });
  });
});

const isFull = (error: unknown) => error instanceof WorkerError && error.code === 'full';
