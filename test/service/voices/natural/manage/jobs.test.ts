import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { NaturalVoiceError } from '../../../../../service/voices/installed/errors.js';
import type { InstallControl } from '../../../../../service/voices/natural/install/install-control.js';
import { InstallJobs, MAX_JOBS, MAX_RUNNING } from '../../../../../service/voices/natural/manage/jobs.js';

const CARD = 'a'.repeat(64);

/** An installation that the test ends. */
interface Open extends InstallControl {
  name: string;
  card: string;
  finish(): void;
  fail(error: Error): void;
}

function openJobs() {
  const open: Open[] = [];
  let now = 0;
  const jobs = new InstallJobs(() => now);
  const start = (name: string, card = CARD) =>
    jobs.start(
      name,
      (control) =>
        new Promise<void>((finish, fail) => {
          open.push({ name, card, ...control, finish, fail });
          control.signal.addEventListener('abort', () => fail(new Error('stopped')));
        }),
    );
  const last = (name: string) => open.findLast((work) => work.name === name) ?? assert.fail(name);
  return { jobs, start, open, last, pass: (ms: number) => (now += ms) };
}

describe('the installations of natural voices', () => {
  it('report their phase and their bytes', async () => {
    const { jobs, start, last } = openJobs();
    assert.deepEqual(start('a'), {
      phase: 'card',
      bytes: 0,
      total: 0,
      error: null,
      kind: null,
      isDone: false,
    });
    await tick();
    assert.equal(last('a').card, CARD);
    last('a').onProgress({ phase: 'download', bytes: 5, total: 10 });
    assert.deepEqual(jobs.get('a'), {
      phase: 'download',
      bytes: 5,
      total: 10,
      error: null,
      kind: null,
      isDone: false,
    });
    last('a').finish();
    await tick();
    assert.deepEqual(jobs.get('a'), {
      phase: 'download',
      bytes: 5,
      total: 10,
      error: null,
      kind: null,
      isDone: true,
    });
  });

  it('report the reason of a failure, and can start again', async () => {
    const { jobs, start, last } = openJobs();
    start('a');
    await tick();
    last('a').fail(new NaturalVoiceError('disk', 'the disk is full'));
    await tick();
    assert.deepEqual(jobs.get('a'), {
      phase: 'card',
      bytes: 0,
      total: 0,
      error: 'the disk is full',
      kind: 'disk',
      isDone: true,
    });
    assert.equal(start('a')?.error, null);
    await jobs.close();
  });

  it('are one for each voice: a second request returns the current one', async () => {
    const { jobs, start, open } = openJobs();
    start('a');
    await tick();
    start('a', 'b'.repeat(64));
    await tick();
    assert.deepEqual(
      open.map(({ card }) => card),
      [CARD],
    );
    await jobs.close();
  });

  it('run two at a time, in the order of the requests', async () => {
    const { jobs, start, open, last } = openJobs();
    for (const name of ['a', 'b', 'c', 'd']) start(name);
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
    const { jobs, start, open } = openJobs();
    for (const name of ['a', 'b', 'c']) start(name);
    await tick();
    assert.equal(await jobs.cancel('c'), true);
    assert.equal(await jobs.cancel('a'), true);
    assert.equal(await jobs.cancel('a'), false);
    assert.deepEqual([jobs.get('a'), jobs.get('c')], [undefined, undefined]);
    assert.equal(open.length, MAX_RUNNING);
    start('d');
    await tick();
    assert.equal(open.at(-1)?.name, 'd');
    await jobs.close();
  });

  it('stay readable for 10 minutes after their end', async () => {
    const { jobs, start, last, pass } = openJobs();
    start('a');
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
    const { jobs, start } = openJobs();
    for (let count = 0; count < MAX_JOBS; count += 1) assert.ok(start(`voice-${count}`));
    assert.equal(start('one-more'), undefined);
    await jobs.close();
  });

  it('all end with the service, which starts no further one', async () => {
    const { jobs, start, open } = openJobs();
    for (const name of ['a', 'b', 'c']) start(name);
    await tick();
    await jobs.close();
    assert.ok(open.every(({ signal }) => signal.aborted));
    assert.equal(open.length, MAX_RUNNING);
    assert.equal(start('d'), undefined);
  });
});
