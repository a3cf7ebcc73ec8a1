import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createBreaker, SpeechError } from '../../../client/index.js';
import { asSpeechError } from '../../../client/base/errors.js';
import { runSession, type TextSpeaker, type TimedPiece } from '../../../client/speech/session.js';
import { withFakeClock } from '../../support/fake-clock.js';

/** Pieces in a text, each of a second. */
const COUNT = 6;
/** Failures after which a further attempt can help, and failures after which only another speaker can. */
const PASSING = ['no-connection', 'service-failed', 'rate-limited'] as const;
const CODES = [...PASSING, 'out-of-credits', 'silence'] as const;

/** The end of the use of a speaker after some pieces: a failure, or silence. */
type End = { pieces: number; code: (typeof CODES)[number] };

const ends = fc.array(fc.record({ pieces: fc.nat({ max: COUNT }), code: fc.constantFrom(...CODES) }), {
  maxLength: 12,
});

/** An abort after some pieces, or else after some milliseconds. A wait for another attempt has at most 30 seconds. */
const aborts = fc.record({
  after: fc.option(fc.integer({ min: 1, max: COUNT }), { nil: undefined }),
  at: fc.nat({ max: 60_000 }),
});

/** Whether a further attempt can help after each failure. */
const isPassing = (plan: readonly End[]) =>
  plan.every(({ code }) => PASSING.some((passing) => passing === code));

/** Creates speakers in turn, whose uses end one after the other as planned. Later uses speak to the end of the text. */
function speakers(count: number, plan: readonly End[]) {
  const left = [...plan];
  let opened = 0;
  let closed = 0;
  const create = (place: number): TextSpeaker<TimedPiece> => ({
    name: `speaker ${place}`,
    patience: () => 1000,
    breaker: createBreaker({ failures: 1000 }),
    next: () => (place < count ? create(place + 1) : undefined),
    async open(first, signal) {
      opened += 1;
      const end = left.shift();
      let index = first;
      return {
        async next() {
          if (signal.aborted) throw signal.reason;
          if (index === COUNT) return undefined;
          if (end !== undefined && index >= first + end.pieces) {
            // The last speaker has no time limit.
            if (end.code !== 'silence' || place === count)
              throw new SpeechError(end.code === 'silence' ? 'service-failed' : end.code, 'planned');
            await new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            );
          }
          const start = index - first;
          const phonemes = { start_times_seconds: [start] };
          return { index: index++, start, duration: 1, cached: false, phonemes };
        },
        end: async () => void (closed += 1),
      };
    },
  });
  return { first: () => create(1), uses: () => [opened, closed] };
}

describe('the session of a speech', () => {
  it('delivers each piece once, in order and with its time, up to a final failure, and ends each use of a speaker', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), ends, async (count, plan) => {
        await withFakeClock(async ({ advance, pending }) => {
          const { first, uses } = speakers(count, plan);
          const retries = { attempts: plan.length + 1, wait: 100_000 };
          const pieces: TimedPiece[] = [];
          const work = (async () => {
            for await (const piece of runSession({ speaker: first, retries })) pieces.push(piece);
          })();
          const ended = work.then(
            () => true,
            () => false,
          );
          await advance(60_000_000);
          const isComplete = await ended;
          if (isPassing(plan)) assert.ok(isComplete);
          const expected = [...Array(isComplete ? COUNT : pieces.length).keys()];
          assert.deepEqual(
            pieces.map(({ index, start, phonemes }) => [index, start, phonemes?.start_times_seconds[0]]),
            expected.map((index) => [index, index, index]),
          );
          const [opened, closed] = uses();
          assert.equal(closed, opened);
          assert.equal(pending(), 0);
        });
      }),
    ));

  it('ends with an abort at any time, delivers no piece after it, and leaves no use of a speaker and no timer', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), ends, aborts, async (count, plan, { after, at }) => {
        await withFakeClock(async ({ advance, pending }) => {
          const { first, uses } = speakers(count, plan);
          const retries = { attempts: plan.length + 1, wait: 100_000 };
          const stop = new AbortController();
          const pieces: number[] = [];
          const abort = () => stop.abort(new SpeechError('aborted', 'planned'));
          const work = (async () => {
            for await (const { index } of runSession({ speaker: first, retries, signal: stop.signal })) {
              assert.ok(!stop.signal.aborted);
              pieces.push(index);
              if (pieces.length === after) abort();
            }
          })();
          let hasEnded = false;
          const failure = work
            .then(
              () => undefined,
              (error: unknown) => asSpeechError(error),
            )
            .finally(() => (hasEnded = true));
          await advance(at);
          const isLate = hasEnded && !stop.signal.aborted;
          abort();
          await advance(0);
          assert.ok(hasEnded);
          const code = (await failure)?.code;
          if (isLate) assert.notEqual(code, 'aborted');
          else assert.equal(code, 'aborted');
          assert.deepEqual(pieces, [...pieces.keys()]);
          const [opened, closed] = uses();
          assert.equal(closed, opened);
          assert.equal(pending(), 0);
        });
      }),
    ));

  it('ends with the failure if the attempts are used up', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (attempts) => {
        await withFakeClock(async ({ advance, pending }) => {
          const plan = Array.from({ length: 10 }, (): End => ({ pieces: 0, code: 'service-failed' }));
          const { first, uses } = speakers(1, plan);
          const waits: number[] = [];
          const pieces = runSession({
            speaker: first,
            retries: { attempts, wait: 100_000 },
            onProgress: (progress) => progress.state === 'waiting' && waits.push(progress.seconds),
          });
          const failure = assert.rejects(pieces.next(), { code: 'service-failed' });
          await advance(60_000_000);
          await failure;
          assert.deepEqual(waits, [2, 4, 8].slice(0, attempts - 1));
          assert.deepEqual([uses()[0], pending()], [attempts, 0]);
        });
      }),
    ));
});
