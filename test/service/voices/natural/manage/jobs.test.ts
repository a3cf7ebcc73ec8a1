import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import {
  InstallJobs,
  type InstallWork,
  MAX_JOBS,
  MAX_RUNNING,
} from '../../../../../service/voices/natural/manage/jobs.js';

const CARD = 'a'.repeat(64);

/** An installation that the test ends. */
interface Open extends InstallWork {
  name: string;
  finish(): void;
  fail(error: Error): void;
}

function openJobs() {
  const open: Open[] = [];
  let now = 0;
  const install = (name: string, work: InstallWork) =>
    new Promise<void>((finish, fail) => {
      open.push({ name, ...work, finish, fail });
      work.signal.addEventListener('abort', () => fail(new Error('stopped')));
    });
  const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const jobs = new InstallJobs({ install, describe, now: () => now });
  const last = (name: string) => open.findLast((work) => work.name === name) ?? assert.fail(name);
  return { jobs, open, last, pass: (ms: number) => (now += ms) };
}

describe('the installations of natural voices', () => {
  it('report their phase and their bytes', async () => {
    const { jobs, last } = openJobs();
    assert.deepEqual(jobs.start('a', CARD), {
      phase: 'card',
      bytes: 0,
      total: 0,
      error: null,
      isDone: false,
    });
    await tick();
    assert.equal(last('a').card, CARD);
    last('a').onProgress({ phase: 'download', bytes: 5, total: 10 });
    assert.deepEqual(jobs.get('a'), { phase: 'download', bytes: 5, total: 10, error: null, isDone: false });
    last('a').finish();
    await tick();
    assert.deepEqual(jobs.get('a'), { phase: 'download', bytes: 5, total: 10, error: null, isDone: true });
  });

  it('report the reason of a failure, and can start again', async () => {
    const { jobs, last } = openJobs();
    jobs.start('a', CARD);
    await tick();
    last('a').fail(new Error('the disk is full'));
    await tick();
    assert.deepEqual(jobs.get('a'), {
      phase: 'card',
      bytes: 0,
      total: 0,
      error: 'the disk is full',
      isDone: true,
    });
    assert.equal(jobs.start('a', CARD)?.error, null);
    await jobs.close();
  });

  it('are one for each voice: a second request returns the current one', async () => {
    const { jobs, open } = openJobs();
    jobs.start('a', CARD);
    await tick();
    jobs.start('a', 'b'.repeat(64));
    await tick();
    assert.deepEqual(
      open.map(({ card }) => card),
      [CARD],
    );
    await jobs.close();
  });

  it('run two at a time, in the order of the requests', async () => {
    const { jobs, open, last } = openJobs();
    for (const name of ['a', 'b', 'c', 'd']) jobs.start(name, CARD);
    await tick();
    assert.equal(open.length, MAX_RUNNING);
    assert.equal(jobs.get('c')?.isDone, false);
    last('b').finish();
    await tick();
    assert.deepEqual(
      open.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    await jobs.close();
  });

  it('end at once if they are cancelled, also while they wait, and are forgotten', async () => {
    const { jobs, open } = openJobs();
    for (const name of ['a', 'b', 'c']) jobs.start(name, CARD);
    await tick();
    assert.equal(await jobs.cancel('c'), true);
    assert.equal(await jobs.cancel('a'), true);
    assert.equal(await jobs.cancel('a'), false);
    assert.deepEqual([jobs.get('a'), jobs.get('c')], [undefined, undefined]);
    assert.equal(open.length, MAX_RUNNING);
    jobs.start('d', CARD);
    await tick();
    assert.equal(open.at(-1)?.name, 'd');
    await jobs.close();
  });

  it('stay readable for 10 minutes after their end', async () => {
    const { jobs, last, pass } = openJobs();
    jobs.start('a', CARD);
    await tick();
    pass(3_600_000);
    last('a').finish();
    await tick();
    pass(599_999);
    assert.equal(jobs.get('a')?.isDone, true);
    pass(1);
    assert.equal(jobs.get('a'), undefined);
  });

  it('are limited in number', async () => {
    const { jobs } = openJobs();
    for (let count = 0; count < MAX_JOBS; count += 1) assert.ok(jobs.start(`voice-${count}`, CARD));
    assert.equal(jobs.start('one-more', CARD), undefined);
    await jobs.close();
  });

  it('all end with the service, which starts no further one', async () => {
    const { jobs, open } = openJobs();
    for (const name of ['a', 'b', 'c']) jobs.start(name, CARD);
    await tick();
    await jobs.close();
    assert.ok(open.every(({ signal }) => signal.aborted));
    assert.equal(open.length, MAX_RUNNING);
    assert.equal(jobs.start('d', CARD), undefined);
  });
});
