import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitedTo, linked, sleep, Stop, stoppable, withDeadline } from '../../../client/base/abort.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

/** Rejects when the signal fires. Never resolves. */
const untilAborted = (signal: AbortSignal) => sleep(1e9, signal);

describe('sleep', () => {
  it('resolves after its time and removes its listener from the signal', () =>
    withFakeClock(async (clock) => {
      const { signal } = new AbortController();
      const waiting = sleep(1000, signal);
      await clock.advance(1000);
      await waiting;
      assert.equal(listeners(signal), 0);
    }));

  it('rejects with aborted and the reason as cause when its signal fires, and clears its timer', () =>
    withFakeClock(async (clock) => {
      const controller = new AbortController();
      const error = rejection(sleep(1000, controller.signal));
      controller.abort('the flow was stopped');
      assert.equal((await error).code, 'aborted');
      assert.equal((await error).cause, 'the flow was stopped');
      assert.equal(clock.pending(), 0);
      assert.equal(listeners(controller.signal), 0);
    }));

  it('rejects with aborted if its signal has already fired', async () => {
    assert.equal((await rejection(sleep(1e9, AbortSignal.abort()))).code, 'aborted');
  });
});

describe('linked', () => {
  it('aborts its work when any of its signals fires, or has already fired', async () => {
    const controller = new AbortController();
    const idle = new AbortController().signal;
    const running = rejection(linked([idle, undefined, controller.signal], untilAborted));
    controller.abort();
    assert.equal((await running).code, 'aborted');
    assert.equal((await rejection(linked([idle, controller.signal], untilAborted))).code, 'aborted');
  });

  it('removes its listeners after success and after failure', async () => {
    const { signal } = new AbortController();
    assert.equal(await linked([signal], async () => 'done'), 'done');
    await assert.rejects(
      linked([signal], () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(listeners(signal), 0);
  });

  it('causes no warning about listeners if 50 calls share a signal', async () => {
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

describe('withDeadline', () => {
  it('rejects work that takes too long with timed-out and the limit in seconds', () =>
    withFakeClock(async (clock) => {
      const error = rejection(withDeadline(1500, undefined, new Set(), ({ signal }) => untilAborted(signal)));
      await clock.advance(1500);
      assert.equal((await error).code, 'timed-out');
      assert.match((await error).message, /1\.5 s/);
      assert.equal(clock.pending(), 0);
    }));

  it('passes the deadline to its work, and clears its timer after the work', () =>
    withFakeClock(async (clock) => {
      const deadline = await withDeadline(1500, undefined, new Set(), async (_signal, deadline) => deadline);
      assert.equal(deadline, clock.now() + 1500);
      assert.equal(clock.pending(), 0);
    }));
});

describe('Stop', () => {
  it('aborts a signal that was asked for before or after it, and calls the request in work once', () => {
    const stop = new Stop();
    const early = stop.signal;
    const reasons: unknown[] = [];
    stop.onStop = (reason) => reasons.push(reason);
    stop.stop('the flow was stopped');
    stop.stop('too late');
    assert.equal(stop.reason?.code, 'aborted');
    assert.equal(stop.reason?.cause, 'the flow was stopped');
    assert.deepEqual(reasons, [stop.reason]);
    assert.equal(early.reason, stop.reason);

    const late = new Stop();
    late.stop('the flow was stopped');
    assert.equal(late.signal.reason, late.reason);
  });
});

describe('limitedTo', () => {
  it('aborts after its time although the garbage collector runs meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    assert.ok(typeof collect === 'function');
    const ended = untilAborted(limitedTo(200, new AbortController().signal));
    const collecting = (async () => {
      for (let times = 0; times < 4; times += 1) {
        await pause(2);
        collect();
      }
    })();
    const { code } = await rejection(ended);
    await collecting;
    assert.equal(code, 'aborted');
  });

  it('aborts with the first of its signals', () => {
    const stop = new AbortController();
    const signal = limitedTo(60_000, stop.signal, new AbortController().signal);
    stop.abort(new Error('stopped'));
    assert.match(String(signal.reason), /stopped/);
  });
});

describe('stoppable', () => {
  it('aborts its work when the caller returns early, and not after the last value', async () => {
    const signals: AbortSignal[] = [];
    const start = async function* (signal: AbortSignal) {
      signals.push(signal);
      yield 1;
    };
    const whole = stoppable(undefined, start);
    for await (const value of whole) assert.equal(value, 1);
    await whole.return();
    const early = stoppable(undefined, start);
    await early.next();
    await early.return();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, true],
    );
  });
});
