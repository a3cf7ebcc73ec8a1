import assert from 'node:assert/strict';
import { reasonOf } from '../../../client/base/abort.js';
import type { CreditLatch } from '../../../client/calls/credit-latch.js';
import { SpeechError } from '../../../client/base/errors.js';
import { operations } from '../../../client/interface/operations.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withRedis } from '../../support/programs/redis.js';
import { rejection } from '../../support/rejection.js';
import { joinPatiently, soon, withMembers } from './support.js';
import { until } from '../../support/waiting.js';

const { createSpeech, getCredits } = operations;
const refused = new SpeechError('out-of-credits', 'no credits', { status: 402 });

/** Waits until the signal aborts. */
const waitFor = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(reasonOf(signal))));

function isClosed(latch: CreditLatch): boolean {
  try {
    latch.check(createSpeech);
    return false;
  } catch {
    return true;
  }
}

describeWith(['redis-server'], 'the credits of a fleet', () => {
  it('stop paid calls of all members after a 402, also calls that wait', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async (fleets) => {
        const [one, two] = fleets.map((fleet) => fleet.sharing.credits());
        assert(one && two);
        const waiting = rejection(two.guard(createSpeech, soon(), (signal) => waitFor(signal)));
        one.failed(refused);
        assert.equal((await waiting).code, 'out-of-credits');
        assert.throws(() => two.check(createSpeech), { code: 'out-of-credits' });
        two.check(getCredits);
      }),
    ));

  it('stop paid calls of a member that joins later', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1 }, async (fleets) => {
        const one = fleets[0]?.sharing.credits();
        one?.failed(refused);
        const late = joinPatiently(redis);
        await late.joined(soon());
        assert.throws(() => late.sharing.credits().check(createSpeech), { code: 'out-of-credits' });
        await late.close();
      }),
    ));

  it('let all members go on when one reads a balance above zero', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async (fleets) => {
        const [one, two] = fleets.map((fleet) => fleet.sharing.credits());
        assert(one && two);
        one.failed(refused);
        await until(() => isClosed(two));
        two.succeeded(getCredits, { balance: 0 });
        assert.ok(isClosed(two));
        two.succeeded(getCredits, { balance: 12 });
        await until(() => !isClosed(one));
        assert.ok(!isClosed(two));
      }),
    ));
});
