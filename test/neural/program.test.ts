import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsHeardIn } from '../support/natural/stub-voice.js';
import { IDS, NeuralProcess, PROGRAM, SETTINGS, StubFolder, TONES } from './neural-process.js';
import { until } from '../support/waiting.js';
import { spawned } from '../support/spawned.js';

describe('the neural process', () => {
  const voices = new StubFolder();
  let processes: NeuralProcess[] = [];
  before(() => voices.open());
  afterEach(async () => {
    await Promise.all(processes.map((neural) => neural.end()));
    processes = [];
  });
  after(() => voices.close());

  function start(...options: ConstructorParameters<typeof NeuralProcess>): NeuralProcess {
    const neural = new NeuralProcess(...options);
    processes.push(neural);
    return neural;
  }

  describe('that runs', () => {
    let neural: NeuralProcess;
    before(() => {
      neural = new NeuralProcess({ maxModels: 2 });
    });
    after(() => neural.end());

    it('replies in the order of the requests', async () => {
      const names = ['de_DE-one-medium', 'en_US-two-medium', 'de_DE-one-medium', 'fr_FR-three-medium'];
      const models = await Promise.all(names.map((name) => voices.write({ name })));
      const finished: number[] = [];
      const replies = models.map(async (model, index) => {
        await neural.speak(model);
        finished.push(index);
      });
      await Promise.all(replies);
      assert.deepEqual(finished, [0, 1, 2, 3]);
    });

    it('keeps a model in memory, and unloads the least recently used one beyond the maximum', async () => {
      const [one = '', two = '', three = ''] = await Promise.all(
        ['four', 'five', 'six'].map((name) => voices.write({ name: `de_DE-${name}-medium` })),
      );
      const isLoaded = async (model: string) => (await neural.speak(model)).loadMs === 0;
      assert.equal(await isLoaded(one), false);
      assert.equal(await isLoaded(two), false);
      assert.equal(await isLoaded(one), true);
      assert.equal(await isLoaded(three), false); // two leaves
      assert.equal(await isLoaded(one), true);
      assert.equal(await isLoaded(two), false);
    });

    it('loads a changed file again', async () => {
      const model = await voices.write({ name: 'de_DE-changed-medium' });
      await neural.speak(model);
      await voices.write({ name: 'de_DE-changed-medium', speakers: ['a', 'b'] });
      await utimes(model, new Date(), new Date(Date.now() + 10_000));
      const { samples } = await neural.speak(model, { speaker: 1 });
      assert.deepEqual(idsHeardIn(samples, 22_050, { speaker: 1 }), TONES);
    });

    it('survives SIGINT and SIGTERM, which reach the whole process group', async () => {
      const model = await voices.write();
      await neural.speak(model);
      neural.child.kill('SIGINT');
      neural.child.kill('SIGTERM');
      await neural.speak(model);
    });

    it('ends when the channel closes, also during an endless computation', async () => {
      const hanging = await voices.write({ name: 'de_DE-hang-medium', fault: 'hang' });
      void neural.ask(hanging).catch(() => undefined);
      await sleep(300);
      neural.child.disconnect();
      await neural.ended;
    });
  });

  it('reports that it is idle after the last model has left, still answers, and ends when the channel closes', async () => {
    const neural = start({ keepMs: 50 });
    const model = await voices.write();
    const idle = neural.idle();
    await neural.speak(model);
    await idle;
    assert.ok((await neural.speak(model)).loadMs > 0);
    neural.child.disconnect();
    await neural.ended;
  });

  it('reports that it is idle if the machine is short of memory, but not during a request', async () => {
    const neural = start({ spareBytes: Number.MAX_SAFE_INTEGER });
    const model = await voices.write();
    await neural.speak(model);
    await neural.idle();
    await neural.speak(model);
  });

  it('ends with its parent, also after kill -9 during an endless computation', async () => {
    const models = [await voices.write(), await voices.write({ name: 'de_DE-hang-medium', fault: 'hang' })];
    const parent = spawned(
      spawn(process.execPath, ['-e', PARENT, PROGRAM, JSON.stringify(SETTINGS), ...models], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const [printed]: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(printed));
    await sleep(300);
    assert.ok(isRunning(pid));
    parent.kill('SIGKILL');
    await until(() => !isRunning(pid));
  });

  it('fails a request beyond the limit, answers the next one, and ends if other models have left gaps in memory', async () => {
    const neural = start({ memoryBytes: 600e6, maxModels: 1 });
    const large = await voices.write({ name: 'de_DE-large-high', weightBytes: 150e6 });
    assert.equal(
      await neural.fail(large),
      'de_DE-large-high.onnx: the model exceeds the memory limit of 600 MB. Use shorter sentences or a voice of lower quality, or raise the limit',
    );
    const { samples } = await neural.speak(await voices.write());
    assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
    assert.match(await neural.fail(large), /^de_DE-large-high\.onnx: the model exceeds the memory limit/);
    assert.equal(await neural.ended, 'SIGKILL');
  });

  it('unloads other models for a model that does not fit beside them', async () => {
    const neural = start({ memoryBytes: 720e6, maxModels: 3 });
    const voice = { weightBytes: 40e6 };
    for (const name of ['one', 'two', 'three', 'four'])
      await neural.speak(await voices.write({ ...voice, name: `de_DE-big_${name}-medium` }));
  });

  it('fails all requests with a clear message and ends if the whole process exceeds the limit', async () => {
    const neural = start({ memoryBytes: 60e6 });
    const model = await voices.write();
    const messages = await Promise.all([neural.fail(model), neural.fail(model)]);
    assert.deepEqual(messages, [
      'de_DE-stub-medium.onnx: the model exceeds the memory limit of 60 MB. Use shorter sentences or a voice of lower quality, or raise the limit',
      'an earlier request ended the neural process. Try again',
    ]);
    assert.equal(await neural.ended, 'SIGKILL');
  });

  it('ends with exit code 1 for settings that are not numbers', async () => {
    for (const settings of [{ keepMs: Number.NaN }, { memoryBytes: -1 }]) {
      assert.equal(await start(settings).ended, 1);
    }
  });
});

/** A parent that starts the program, has it speak, sends an endless request and prints the process id. */
const PARENT = `
  const [program, settings, model, endless] = process.argv.slice(1);
  const child = require('node:child_process').fork(program, [settings], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--liftoff-only'],
  });
  const request = { kind: 'speak', ids: ${JSON.stringify(IDS)}, scales: [0.6, 1, 0.8], speaker: null, sampleRate: 22050 };
  child.send({ ...request, id: 1, model });
  child.once('message', () => {
    child.send({ ...request, id: 2, model: endless });
    console.log(child.pid);
  });
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
