import assert from 'node:assert/strict';
import { Stop } from '../../../client/base/abort.js';
import { SpeechError } from '../../../client/base/errors.js';
import { VoiceMemory } from '../../../client/upstreams/voice-memory.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';

const times = { fresh: 600_000, missing: 10_000 };
const voicesOf = (...ids: string[]) => new Map(ids.map((id) => [id, `the voice ${id}`]));

/** A service whose answers the test gives. */
function service() {
  const asked: { stop: Stop; answer: (ids: string[]) => void; fail: (error: Error) => void }[] = [];
  const memory = new VoiceMemory<string>(
    (stop) =>
      new Promise((resolve, reject) => {
        stop.onStop = reject;
        asked.push({ stop, answer: (ids) => resolve(voicesOf(...ids)), fail: reject });
      }),
    times,
  );
  return { memory, asked, last: () => asked.at(-1) ?? assert.fail('the service was not asked') };
}

const down = () => new SpeechError('no-connection', 'refused');

describe('the remembered voices of a service', () => {
  it('are one request for callers at the same time, and a listed voice none for ten minutes', () =>
    withFakeClock(async ({ advance }) => {
      const { memory, asked, last } = service();
      const calls = [1, 2, 3].map(() => memory.voices(new Stop(), 'a'));
      last().answer(['a']);
      for (const voices of await Promise.all(calls)) assert.deepEqual(voices, voicesOf('a'));
      await advance(times.fresh - 1);
      await memory.voices(new Stop(), 'a');
      assert.equal(asked.length, 1);
      await advance(1);
      const later = memory.voices(new Stop(), 'a');
      last().answer(['b']);
      assert.deepEqual(await later, voicesOf('b'));
      assert.equal(asked.length, 2);
    }));

  it('are asked for again because of a missing voice, at most once in ten seconds', () =>
    withFakeClock(async ({ advance }) => {
      const { memory, asked, last } = service();
      const first = memory.voices(new Stop(), 'b');
      last().answer(['a']);
      assert.deepEqual(await first, voicesOf('a'));
      assert.deepEqual(await memory.voices(new Stop(), 'b'), voicesOf('a'));
      assert.equal(asked.length, 1);
      await advance(times.missing);
      await memory.voices(new Stop(), 'a');
      assert.equal(asked.length, 1);
      const second = memory.voices(new Stop(), 'b');
      last().answer(['a', 'b']);
      assert.deepEqual(await second, voicesOf('a', 'b'));
      assert.equal(asked.length, 2);
    }));

  it('are asked for again for the whole list, at most once in ten seconds', () =>
    withFakeClock(async ({ advance }) => {
      const { memory, asked, last } = service();
      const first = memory.voices(new Stop());
      last().answer(['a']);
      await first;
      await advance(times.missing - 1);
      assert.deepEqual(await memory.voices(new Stop()), voicesOf('a'));
      assert.equal(asked.length, 1);
      await advance(1);
      const second = memory.voices(new Stop());
      last().answer(['a', 'b']);
      assert.deepEqual(await second, voicesOf('a', 'b'));
    }));

  it('are asked for again after the service refused a listed voice, and stay if it does not answer', async () => {
    const { memory, asked, last } = service();
    const first = memory.voices(new Stop(), 'a');
    last().answer(['a']);
    await first;
    memory.forget();
    const second = memory.voices(new Stop(), 'a');
    assert.equal(asked.length, 2);
    last().fail(down());
    assert.deepEqual(await second, voicesOf('a'));
  });

  it('stay in use for a single voice while the service is down; a failed first request or list reaches its caller', () =>
    withFakeClock(async ({ advance }) => {
      const { memory, last } = service();
      const failing = [memory.voices(new Stop()), memory.voices(new Stop())].map(rejection);
      last().fail(down());
      for (const error of await Promise.all(failing)) assert.equal(error.code, 'no-connection');
      const first = memory.voices(new Stop());
      last().answer(['a']);
      await first;
      await advance(times.fresh);
      for (const wanted of ['a', 'b']) {
        const second = memory.voices(new Stop(), wanted);
        last().fail(down());
        assert.deepEqual(await second, voicesOf('a'));
      }
      const list = rejection(memory.voices(new Stop()));
      last().fail(down());
      assert.equal((await list).code, 'no-connection');
    }));

  it('go on for the other callers if one stops, and the request ends with the last caller', async () => {
    const { memory, asked, last } = service();
    const stops = [new Stop(), new Stop()] as const;
    const calls = stops.map((stop) => rejection(memory.voices(stop)));
    stops[0].stop(new Error('enough'));
    assert.equal((await calls[0])?.code, 'aborted');
    assert.equal(last().stop.reason, undefined);
    stops[1].stop(new Error('enough'));
    assert.equal((await calls[1])?.code, 'aborted');
    assert.equal(last().stop.reason?.code, 'aborted');
    const next = memory.voices(new Stop());
    assert.equal(asked.length, 2);
    last().answer(['a']);
    assert.deepEqual(await next, voicesOf('a'));
  });
});
