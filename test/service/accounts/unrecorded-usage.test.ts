import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_PENDING, UnrecordedUsage } from '../../../service/accounts/unrecorded-usage.js';
import type { PastUse } from '../../../service/accounts/usage-record.js';
import { StoreError } from '../../../service/kit/store-error.js';
import { someUse } from './support.js';

describe('unrecorded usage', () => {
  const full = new StoreError('full', 'the disk is full');
  const use = (voice_id = 'rms'): PastUse => {
    return { account: 'a', amount: 1_500_000, use: { ...someUse, voice_id }, at: 0 };
  };
  let isFull: boolean;
  let recorded: PastUse[];
  let errors: unknown[];
  let unrecorded: UnrecordedUsage;
  beforeEach(() => {
    isFull = true;
    recorded = [];
    errors = [];
    unrecorded = new UnrecordedUsage(
      ({ error }) => errors.push(error),
      (uses) => {
        if (isFull) throw full;
        recorded.push(...uses);
      },
      1,
    );
  });
  afterEach(() => unrecorded.close());

  it('is recorded completely after the next successful commit, with one log entry', () => {
    for (let request = 0; request < 5; request += 1) unrecorded.add(use(), full);
    unrecorded.retry();
    isFull = false;
    unrecorded.retry();
    unrecorded.retry();
    unrecorded.close();
    assert.deepEqual(recorded, [{ ...use(), amount: 5 * 1_500_000 }]);
    assert.deepEqual(errors, ['usage not yet recorded, 1.5 s of audio in 1 request: the disk is full']);
  });

  it('is recorded when the service closes, or logged with its sum', () => {
    for (let request = 0; request < 5; request += 1) unrecorded.add(use(), full);
    unrecorded.close();
    assert.equal(errors.at(-1), 'usage lost, 7.5 s of audio in 5 requests: the disk is full');
    unrecorded.add(use(), full);
    isFull = false;
    unrecorded.close();
    assert.deepEqual(recorded, [use()]);
  });

  it('is logged with its sum at each interval', async () => {
    for (let request = 0; request < 5; request += 1) unrecorded.add(use(), full);
    const sum = 'usage not yet recorded, 7.5 s of audio in 5 requests: the disk is full';
    while (!errors.includes(sum)) await delay(1);
  });

  it('keeps a limited number of combinations, and logs the remaining usage as lost', () => {
    for (let voice = 0; voice < MAX_PENDING + 2; voice += 1) unrecorded.add(use(`voice ${voice}`), full);
    isFull = false;
    unrecorded.retry();
    assert.equal(recorded.length, MAX_PENDING);
    assert.match(String(errors.at(-1)), /^usage lost, 3 s of audio in 2 requests: /);
  });
});
