import assert from 'node:assert/strict';
import { failures, SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { MAX_WAITING } from '../../../nodes/runtime/queue.js';
import { type Activity, createStatus, type StatusBoard } from '../../../nodes/runtime/status.js';

const codes = Object.keys(failures).filter((code): code is keyof typeof failures => code in failures);

/** What is shown under a node after `use`, while so many wait. */
function shown(waiting: number | (() => number), use: (status: StatusBoard) => void): string[] {
  const texts: string[] = [];
  const node = {
    status: (status: string | { text?: string | undefined }) => {
      texts.push(typeof status === 'string' ? status : (status.text ?? ''));
    },
  };
  use(createStatus(node, typeof waiting === 'number' ? () => waiting : waiting));
  return texts;
}

const activity: fc.Arbitrary<Activity> = fc.oneof(
  fc.constantFrom<Activity>({ state: 'queued' }, { state: 'sending' }),
  fc.double({ min: 0, max: 600, noNaN: true }).map((seconds): Activity => ({ state: 'waiting', seconds })),
  fc
    .tuple(fc.nat(400), fc.nat(400))
    .map(([a, b]): Activity => ({ state: 'speaking', done: Math.min(a, b), count: Math.max(a, b, 1) })),
);

describe('the status of a node', () => {
  it('stays under 20 characters, whatever it tells', () =>
    fc.assert(
      fc.property(fc.nat(MAX_WAITING), activity, fc.constantFrom(...codes), (waiting, doing, code) => {
        const texts = shown(waiting, (status) => {
          status.progress(doing);
          status.refresh();
          status.failed(new SpeechError(code, 'failed'));
          status.done();
          status.clear();
        });
        assert.deepEqual(
          texts.filter(({ length }) => length >= 20),
          [],
        );
      }),
    ));

  it('counts those that wait', () => {
    assert.deepEqual(
      shown(3, (status) => status.progress({ state: 'speaking', done: 1, count: 5 })),
      ['speaking 2/5 +3'],
    );
    assert.deepEqual(
      shown(3, (status) => status.progress({ state: 'waiting', seconds: 11.2 })),
      ['waiting 12 s +3'],
    );
  });

  it('counts one more as soon as it comes', () => {
    let waiting = 0;
    const texts = shown(
      () => waiting,
      (status) => {
        status.progress({ state: 'speaking', done: 0, count: 2 });
        waiting = 1;
        status.refresh();
      },
    );
    assert.deepEqual(texts, ['speaking 1/2', 'speaking 1/2 +1']);
  });

  it('keeps the count where the words would be too long', () => {
    assert.deepEqual(
      shown(1000, (status) => status.progress({ state: 'speaking', done: 99, count: 167 })),
      ['100/167 +1000'],
    );
  });

  it('keeps a failure in sight when nothing else is shown', () => {
    assert.deepEqual(
      shown(0, (status) => status.failed(new SpeechError('out-of-credits', 'none'))),
      ['no credits'],
    );
    assert.deepEqual(
      shown(0, (status) => status.refresh()),
      [],
    );
  });
});
