import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SpeechSynthesis } from '../../../../service/voices/workers/speech.js';
import { WorkerError } from '../../../../service/kit/worker-error.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { until } from '../../../support/waiting.js';
import { spawned } from '../../../support/spawned.js';

const MISBEHAVING = path.join(__dirname, '..', 'engines', 'plug-ins', 'misbehaving.cjs');
const MODEL_FILE = path.join(__dirname, '..', 'engines', 'plug-ins', 'model-file.cjs');
const forever = new AbortController().signal;
const neutral = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };

describeWith(['ps'], 'the speech process', function () {
  let speech: SpeechSynthesis;
  // Other suites of this process may share a browser and a Node-RED, which must survive, and may end processes meanwhile.
  let others: Set<number>;
  const children = () => childrenOf(process.pid).filter((pid) => !others.has(pid));
  const open = async (options: Parameters<typeof SpeechSynthesis.start>[1] = {}, modules: string[] = []) => {
    others = new Set(childrenOf(process.pid));
    speech = await SpeechSynthesis.start(modules, { size: 1, ...options });
  };
  const restart = async (options: Parameters<typeof SpeechSynthesis.start>[1]) => {
    await speech.close();
    await open(options);
  };
  let folder: string;
  let model: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-model-'));
    model = path.join(folder, 'model');
    writeFileSync(model, '');
  });
  after(() => {
    delete process.env['HERALD_TEST_MODEL'];
    rmSync(folder, { recursive: true });
  });
  async function seconds(
    engine: string,
    voice: string,
    language = 'en',
    signal = forever,
    text = 'Hello.',
  ): Promise<number> {
    const request = { voice, language, text, delivery: neutral };
    let sum = 0;
    for await (const piece of speech.speak({ engine, request, encoding: 'none' }, signal))
      sum += piece.seconds;
    return sum;
  }

  describe('of one start', () => {
    before(() => open({ emoji: false }));
    after(() => speech.close());

    it('starts with the first job only', async () => {
      assert.deepEqual(children(), []);
      await seconds('flite', 'slt');
      assert.equal(children().length, 1);
    });

    it('says a part in its way as in the region of the voice', async () => {
      const lengthOf = async (voice: string, text: string) => seconds('flite', voice, 'en', forever, text);
      for (const [voice, date] of [
        ['awb', 'the third of April'],
        ['slt', 'March fourth'],
      ] as const)
        assert.equal(
          await lengthOf(voice, 'On <say-as interpret-as="date">3/4</say-as>.'),
          await lengthOf(voice, `On ${date}.`),
        );
    });

    it('speaks the names of emoji with each engine only if the option is on', async () => {
      const engines = [
        ['flite', 'slt'],
        ['espeak', 'en-emily'],
      ] as const;
      for (const [emoji, words] of [
        [false, 'Hello'],
        [true, 'Hello party popper'],
      ] as const) {
        if (emoji) await restart({ emoji });
        for (const [engine, voice] of engines) {
          const lengthOf = async (text: string) => seconds(engine, voice, 'en', forever, text);
          assert.equal(await lengthOf('Hello 🎉'), await lengthOf(words), engine);
        }
      }
    });
  });

  /** The last test closes the process. */
  describe('with an engine that misbehaves', () => {
    before(() => open({}, [MISBEHAVING]));
    after(() => speech.close());

    it('passes the abort of a job on, so that its worker is free for the next job', async () => {
      const controller = new AbortController();
      const aborted = assert.rejects(seconds('misbehaving', 'dawdle', 'en', controller.signal), {
        name: 'AbortError',
      });
      controller.abort();
      await aborted;
      assert.ok((await seconds('flite', 'slt')) > 0);
    });

    it('fails the jobs of a process that dies with "crashed", and replaces it', async () => {
      const before = await seconds('flite', 'slt');
      const failed = assert.rejects(seconds('misbehaving', 'dawdle'), failure('crashed'));
      for (const pid of children()) process.kill(pid, 'SIGKILL');
      await failed;
      assert.equal(await seconds('flite', 'slt'), before);
    });

    it('fails the running jobs with "closed" when the service closes, and leaves no process behind', async () => {
      const failed = assert.rejects(seconds('misbehaving', 'hang'), failure('closed'));
      await speech.close();
      await failed;
      assert.deepEqual(children(), []);
      await assert.rejects(seconds('flite', 'slt'), failure('closed'));
    });
  });

  describe('of a start for each test', () => {
    afterEach(() => speech.close());

    it('rejects a job beyond its queue with "full", also while the process starts', async () => {
      await open({ size: 1, maxQueued: 2 });
      const jobs = Array.from({ length: 6 }, async () => seconds('flite', 'slt'));
      const results = await Promise.allSettled(jobs);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
      );
      await assert.rejects(Promise.all(jobs), failure('full'));
      assert.ok((await seconds('flite', 'slt')) > 0);
    });

    it('ends after the idle time, together with the process of eSpeak, and starts again on demand', async () => {
      await open({ idleTimeout: 50 });
      const first = await seconds('espeak', 'de-anna', 'de');
      await until(() => children().length === 0);
      assert.equal(await seconds('espeak', 'de-anna', 'de'), first);
    });

    it('loses no job that arrives while an idle process ends', async () => {
      await open({ idleTimeout: 1 });
      const expected = await seconds('flite', 'slt');
      // Milliseconds. The process ends one millisecond after a job, and each round starts a new one.
      for (const pause of [0, 1, 4]) {
        await delay(pause);
        const results = await Promise.all([seconds('flite', 'slt'), seconds('flite', 'slt')]);
        assert.deepEqual(results, [expected, expected]);
      }
    });

    it('waits at close for a process that is ending because it is idle', async () => {
      await open({ idleTimeout: 1 });
      await seconds('flite', 'slt');
      await delay(5);
      await speech.close();
      assert.deepEqual(children(), []);
    });

    it('fails the start of the service with the error of an engine that cannot be prepared', async () => {
      await open();
      process.env['HERALD_TEST_MODEL'] = path.join(__dirname, 'missing');
      await assert.rejects(SpeechSynthesis.start([MODEL_FILE], { size: 1 }), /no model file/);
    });

    it('prepares the engines again for the next job after their preparation failed', async () => {
      process.env['HERALD_TEST_MODEL'] = model;
      await open({}, [MODEL_FILE]);
      rmSync(model);
      const pids = children();
      assert.ok(pids.length > 0);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await until(() => childrenOf(process.pid).every((pid) => !pids.includes(pid)));
      await assert.rejects(seconds('model-file', 'model-file'), /no model file/);
      writeFileSync(model, '');
      assert.equal(await seconds('model-file', 'model-file'), 1);
    });

    it('ends with a service that is killed, even if a worker blocks', async () => {
      await open();
      const args = [...loadTypescript, path.join(__dirname, 'blocked.ts')];
      const service = spawned(spawn(process.execPath, args, { stdio: 'ignore' }));
      const grandchildren = () => childrenOf(service.pid).flatMap(childrenOf);
      await until(() => grandchildren().length > 0);
      const [speechProcess] = childrenOf(service.pid);
      const blocking = grandchildren();
      service.kill('SIGKILL');
      await until(() => !isRunning(speechProcess));
      for (const pid of blocking) process.kill(pid);
    });

    it('fails a job with "crashed" if it cannot start, and starts for the next job', async () => {
      await open();
      const program = path.join(__dirname, 'starved.ts');
      const command = `ulimit -n 200 && exec "${process.execPath}" ${loadTypescript.join(' ')} "${program}"`;
      assert.equal(execFileSync('sh', ['-c', command], { encoding: 'utf8' }), 'crashed, spoken\n');
    });
  });
});

function failure(code: string) {
  return (error: unknown) => error instanceof WorkerError && error.code === code;
}

/** Process ids of the children, except of `ps`. */
function childrenOf(parent: number | undefined): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,comm='], { encoding: 'utf8' });
  const rows = list.split('\n').map((row) => row.trim().split(/\s+/));
  return rows.flatMap(([ppid, pid, name = '']) =>
    Number(ppid) === parent && name !== 'ps' ? [Number(pid)] : [],
  );
}

function isRunning(pid: number | undefined): boolean {
  const states = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' });
  return new RegExp(`^ *${pid} +[^Z ]`, 'm').test(states);
}
