import assert from 'node:assert/strict';
import { createSpeech, predictDuration } from '../../../../client/interface/operations.js';
import { secondsIn, statedLimits, waitIn } from '../../../../client/upstreams/openai/limits.js';
import { refused, type Scripted, spoken } from '../../../support/net/scripted-server.js';
import { rejection } from '../../../support/rejection.js';
import { failed, speech, withOpenAi } from './support.js';

const spokenWith = (headers: Record<string, string>): Scripted => {
  const reply = spoken();
  return { ...reply, headers: { ...reply.headers, ...headers } };
};

describe('the limits of an OpenAI-compatible service', () => {
  for (const [duration, seconds] of [
    ['1s', 1],
    ['6m0s', 360],
    ['120ms', 0.12],
    ['1h2m3.5s', 3723.5],
    ['2d', 172_800],
    ['7.66', 7.66],
    [' 20 ', 20],
    ['0s', 0],
    ['', undefined],
    ['soon', undefined],
    ['1s later', undefined],
    ['-3', undefined],
    ['1x', undefined],
    ['1s'.repeat(100), undefined],
    ['Infinity', undefined],
  ] as const)
    it(`read "${duration.slice(0, 12)}" as ${seconds} seconds`, () => {
      assert.equal(secondsIn(duration), seconds);
    });

  it('read a time since 1970 as the seconds until then', () => {
    const left = secondsIn(String(Date.now() / 1000 + 50)) ?? 0;
    assert.ok(left > 45 && left <= 50, `${left} seconds`);
  });

  it('are requests per minute, and a pause only while no request is left and the reply asks for no wait', () => {
    const limit = { 'x-ratelimit-limit-requests': '500', 'x-ratelimit-reset-requests': '12s' };
    assert.deepEqual(statedLimits({ ...limit, 'x-ratelimit-remaining-requests': '499' }), {
      perMinute: 500,
      pause: undefined,
    });
    assert.deepEqual(statedLimits({ ...limit, 'x-ratelimit-remaining-requests': '0' }), {
      perMinute: 500,
      pause: 12,
    });
    const tokens = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m' };
    assert.equal(statedLimits({ ...limit, ...tokens, 'x-ratelimit-remaining-requests': '0' })?.pause, 60);
    const empty = { ...limit, 'x-ratelimit-remaining-requests': '0' };
    for (const asked of ['retry-after', 'retry-after-ms'])
      assert.equal(statedLimits({ ...empty, [asked]: '1' })?.pause, undefined);
    assert.equal(statedLimits({ 'content-type': 'audio/wav' }), undefined);
    for (const wrong of ['', '0', '-1', 'many', 'Infinity', 'NaN'])
      assert.equal(statedLimits({ 'x-ratelimit-limit-requests': wrong }), undefined, wrong);
  });

  it('make a refused caller wait: retry-after-ms before retry-after before a reset, and never longer than the limit', () => {
    const reset = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' };
    assert.equal(waitIn({ ...reset, 'retry-after': '3', 'retry-after-ms': '1500' }, 900), 1.5);
    assert.equal(waitIn({ ...reset, 'retry-after': '3' }, 900), 3);
    assert.equal(waitIn(reset, 900), 360);
    assert.equal(waitIn(reset, 100), 100);
    assert.equal(waitIn({ 'retry-after-ms': '9e9' }, 100), 100);
    assert.equal(waitIn({ 'retry-after-ms': '-5', 'retry-after': 'x' }, 900), undefined);
    assert.equal(waitIn({}, 900), undefined);
  });

  it('are learned from a success: the next request waits for the reset', () =>
    withOpenAi(
      () =>
        spokenWith({
          'x-ratelimit-limit-requests': '60',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': '5m',
        }),
      async (client, { requests }) => {
        await client.call(createSpeech, speech);
        const error = await rejection(client.call(createSpeech, speech));
        assert.deepEqual([error.attempts, error.route, requests.length], [0, 'retryable', 1]);
      },
    ));

  it('are learned from a success: no more requests per minute than the service states', () =>
    withOpenAi(
      () => spokenWith({ 'x-ratelimit-limit-requests': '2' }),
      async (client, { requests }) => {
        await client.call(createSpeech, speech);
        await client.call(createSpeech, speech);
        await client.call(createSpeech, speech);
        const error = await rejection(client.call(createSpeech, speech));
        assert.deepEqual([error.attempts, requests.length], [0, 3]);
      },
    ));

  it('do not count or hold estimates, which send no request', () =>
    withOpenAi(
      () =>
        spokenWith({
          'x-ratelimit-limit-requests': '3',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': '5m',
        }),
      async (client, { requests }) => {
        await client.call(createSpeech, speech);
        for (let count = 0; count < 10; count += 1)
          assert.ok((await client.call(predictDuration, speech)).duration > 0);
        assert.equal(requests.length, 1);
      },
    ));

  it('are learned from a refusal, which is repeated after its wait', () => {
    const times: number[] = [];
    return withOpenAi(
      (_request, index) => {
        times.push(performance.now());
        const reset = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '5m' };
        const headers = { ...reset, 'retry-after-ms': '300', 'retry-after': '50' };
        return index === 0 ? failed(429, { code: 'rate_limit_exceeded' }, headers) : spoken();
      },
      async (client) => {
        await client.call(createSpeech, speech);
        const [first = 0, second = 0] = times;
        assert.equal(times.length, 2);
        assert.ok(second - first >= 290, `${second - first} ms`);
      },
    );
  });

  it('are in the error if the wait is longer than the time limit of the call', () =>
    withOpenAi(
      () => refused(429, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '4m' }),
      async (client, { requests }) => {
        const error = await rejection(client.call(createSpeech, speech));
        assert.deepEqual([error.code, error.retryAfter, requests.length], ['rate-limited', 240, 1]);
      },
    ));
});
