import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { linked, sleep, withDeadline } from '../../client/abort.js';
import { withFakeClock } from '../support/fake-clock.js';
import { rejection } from '../support/rejection.js';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

/** Settles never, or with the signal's reason. */
const untilAborted = (signal: AbortSignal) => sleep(1e9, signal);

describe('a wait', () => {
  it('ends by itself, and takes its listener off the signal', () =>
    withFakeClock(async (clock) => {
      const { signal } = new AbortController();
      const waiting = sleep(1000, signal);
      await clock.advance(1000);
      await waiting;
      assert.equal(listeners(signal), 0);
    }));

  it('ends as aborted as soon as its signal fires, with the reason as cause and no timer left', () =>
    withFakeClock(async (clock) => {
      const controller = new AbortController();
      const error = rejection(sleep(1000, controller.signal));
      controller.abort('the flow was stopped');
      assert.equal((await error).code, 'aborted');
      assert.equal((await error).cause, 'the flow was stopped');
      assert.equal(clock.pending(), 0);
      assert.equal(listeners(controller.signal), 0);
    }));

  it('does not start under a signal that has fired', async () => {
    assert.equal((await rejection(sleep(1e9, AbortSignal.abort()))).code, 'aborted');
  });
});

describe('work under several signals', () => {
  it('is stopped by whichever fires, before or while it runs', async () => {
    const controller = new AbortController();
    const idle = new AbortController().signal;
    const running = rejection(linked([idle, undefined, controller.signal], untilAborted));
    controller.abort();
    assert.equal((await running).code, 'aborted');
    assert.equal((await rejection(linked([idle, controller.signal], untilAborted))).code, 'aborted');
  });

  it('takes its listeners off again, whether it succeeds or fails', async () => {
    const { signal } = new AbortController();
    assert.equal(await linked([signal], async () => 'done'), 'done');
    await assert.rejects(
      linked([signal], () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(listeners(signal), 0);
  });

  it('may share a signal with any number of others without a warning of the runtime', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const controller = new AbortController();
    const all = Array.from({ length: 50 }, () => rejection(linked([controller.signal], untilAborted)));
    controller.abort();
    await Promise.all(all);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });
});

describe('a deadline', () => {
  it('ends work that takes too long as timed-out, naming the time', () =>
    withFakeClock(async (clock) => {
      const error = rejection(withDeadline(1500, [], untilAborted));
      await clock.advance(1500);
      assert.equal((await error).code, 'timed-out');
      assert.match((await error).message, /1\.5 s/);
      assert.equal(clock.pending(), 0);
    }));

  it('is told to the work, and leaves no timer when the work is done in time', () =>
    withFakeClock(async (clock) => {
      const deadline = await withDeadline(1500, [], async (_signal, deadline) => deadline);
      assert.equal(deadline, clock.now() + 1500);
      assert.equal(clock.pending(), 0);
    }));
});
