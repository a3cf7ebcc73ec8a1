import assert from 'node:assert/strict';
import { FileLane, LateError } from '../../../client/cache/file-lane.js';
import { rejection } from '../../support/rejection.js';

/** Work that runs until the test ends it. */
function hangingWork() {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => work, end };
}

const quick = { timeout: 20 };
const patient = { timeout: 30_000 };

describe('FileLane', () => {
  it('runs one work at a time, in order', async () => {
    const lane = new FileLane();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} starts`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(['a', 'b'].map((name) => lane.run(work(name), patient)));
    assert.deepEqual(results, ['a', 'b']);
    assert.deepEqual(seen, ['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('rejects work that hangs, then all work at once, and continues after its end', async () => {
    const lane = new FileLane();
    const hanging = hangingWork();
    await assert.rejects(lane.run(hanging.run, quick), LateError);
    let ran = false;
    const later = async () => {
      ran = true;
    };
    await assert.rejects(lane.run(later, patient), LateError);
    assert.equal(ran, false);
    hanging.end();
    await new Promise(setImmediate);
    await lane.run(later, patient);
    assert.equal(ran, true);
  });

  it('does not run work after its caller stopped waiting', async () => {
    const lane = new FileLane();
    const hanging = hangingWork();
    const first = lane.run(hanging.run, patient);
    const stopping = new AbortController();
    let ran = false;
    const second = lane.run(
      async () => {
        ran = true;
      },
      { ...patient, signal: stopping.signal },
    );
    stopping.abort();
    assert.equal((await rejection(second)).code, 'aborted');
    hanging.end();
    await first;
    await lane.run(async () => undefined, patient);
    assert.equal(ran, false);
  });

  it('continues after work that fails', async () => {
    const lane = new FileLane();
    await assert.rejects(
      lane.run(() => Promise.reject(new Error('broken')), patient),
      /broken/,
    );
    assert.equal(await lane.run(async () => 1, patient), 1);
  });

  it('runs no waiting work after `stop`', async () => {
    const lane = new FileLane();
    const hanging = hangingWork();
    const first = lane.run(hanging.run, patient);
    const second = assert.rejects(
      lane.run(async () => 'ran', patient),
      LateError,
    );
    await new Promise(setImmediate);
    lane.stop();
    hanging.end();
    await first;
    await second;
    await assert.rejects(
      lane.run(async () => 'ran', patient),
      LateError,
    );
  });
});
