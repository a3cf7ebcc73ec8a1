import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Speech } from '../../../service/workers/speech.js';
import { WorkerError } from '../../../service/workers/worker-error.js';

const MISBEHAVING = path.join(__dirname, '..', 'engines', 'plug-ins', 'misbehaving.cjs');
const forever = new AbortController().signal;
const neutral = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };

describe('the speech process', function () {
  let speech: Speech;
  const open = async (options: Parameters<typeof Speech.start>[1] = {}, modules: string[] = []) => {
    speech = await Speech.start(modules, { size: 1, ...options });
  };
  afterEach(async () => speech.close());

  async function seconds(engine: string, voice: string, language = 'en', signal = forever): Promise<number> {
    const request = { voice, language, text: 'Hello.', delivery: neutral };
    let sum = 0;
    for await (const piece of speech.speak({ engine, request, encoding: 'none' }, signal))
      sum += piece.seconds;
    return sum;
  }

  it('starts with the first job only', async () => {
    const before = childrenOf(process.pid);
    await open();
    assert.deepEqual(childrenOf(process.pid), before);
    await seconds('flite', 'slt');
    assert.equal(childrenOf(process.pid).length, before.length + 1);
  });

  it('ends after the idle time, together with the process of eSpeak, and starts again on demand', async () => {
    const before = childrenOf(process.pid);
    await open({ idleTimeout: 50 });
    const first = await seconds('espeak', 'de-anna', 'de');
    await until(() => childrenOf(process.pid).length === before.length);
    assert.equal(await seconds('espeak', 'de-anna', 'de'), first);
  });

  it('loses no job that arrives while an idle process ends', async () => {
    await open({ idleTimeout: 1 });
    const expected = await seconds('flite', 'slt');
    for (let pause = 0; pause < 12; pause++) {
      await delay(pause);
      const results = await Promise.all([seconds('flite', 'slt'), seconds('flite', 'slt')]);
      assert.deepEqual(results, [expected, expected]);
    }
  });

  it('fails the running jobs with "closed" when the service closes, and leaves no process behind', async () => {
    const before = childrenOf(process.pid);
    await open({}, [MISBEHAVING]);
    const failed = assert.rejects(seconds('misbehaving', 'hang'), failure('closed'));
    await speech.close();
    await failed;
    assert.deepEqual(childrenOf(process.pid), before);
    await assert.rejects(seconds('flite', 'slt'), failure('closed'));
  });

  it('waits at close for a process that is ending because it is idle', async () => {
    const before = childrenOf(process.pid);
    await open({ idleTimeout: 1 });
    await seconds('flite', 'slt');
    await delay(5);
    await speech.close();
    assert.deepEqual(childrenOf(process.pid), before);
  });

  it('fails the jobs of a process that dies with "crashed", and replaces it', async () => {
    const others = new Set(childrenOf(process.pid));
    await open({}, [MISBEHAVING]);
    const before = await seconds('flite', 'slt');
    const failed = assert.rejects(seconds('misbehaving', 'dawdle'), failure('crashed'));
    const own = childrenOf(process.pid).filter((pid) => !others.has(pid));
    for (const pid of own) process.kill(pid, 'SIGKILL');
    await failed;
    assert.equal(await seconds('flite', 'slt'), before);
  });

  it('passes the abort of a job on, so that its worker is free for the next job', async () => {
    await open({}, [MISBEHAVING]);
    const controller = new AbortController();
    const aborted = assert.rejects(seconds('misbehaving', 'dawdle', 'en', controller.signal), {
      name: 'AbortError',
    });
    controller.abort();
    await aborted;
    assert.ok((await seconds('flite', 'slt')) > 0);
  });

  it('fails the start of the service with the error of an engine that cannot be prepared', async () => {
    await open();
    const broken = path.join(__dirname, '..', 'engines', 'plug-ins', 'unprepared.cjs');
    await assert.rejects(Speech.start([broken], { size: 1 }), /no model file/);
  });
});

function failure(code: string) {
  return (error: unknown) => error instanceof WorkerError && error.code === code;
}

/** Process ids of the children, except of the compiler of the tests. */
function childrenOf(parent: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,comm='], { encoding: 'utf8' });
  const rows = list.split('\n').map((row) => row.trim().split(/\s+/));
  return rows.flatMap(([ppid, pid, name = '']) =>
    Number(ppid) === parent && !/ps|esbuild/.test(name) ? [Number(pid)] : [],
  );
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    assert.ok(waited < 10_000, 'expected within 10 s');
    await delay(10);
  }
}
