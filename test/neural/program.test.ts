import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsHeardIn } from '../support/natural/stub-voice.js';
import { IDS, NeuralProcess, PROGRAM, SETTINGS, StubFolder, TONES } from './neural-process.js';
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

  it('replies in the order of the requests', async () => {
    const neural = start({ maxModels: 1 });
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
    const neural = start({ maxModels: 2 });
    const [one = '', two = '', three = ''] = await Promise.all(
      ['one', 'two', 'three'].map((name) => voices.write({ name: `de_DE-${name}-medium` })),
    );
    const isLoaded = async (model: string) => (await neural.speak(model)).loadMs === 0;
    assert.equal(await isLoaded(one), false);
    assert.equal(await isLoaded(two), false);
    assert.equal(await isLoaded(one), true);
    assert.equal(await isLoaded(three), false); // two leaves
    assert.equal(await isLoaded(one), true);
    assert.equal(await isLoaded(two), false);
  });

  it('reports that it is idle after the last model has left, and still answers', async () => {
    const neural = start({ keepMs: 50 });
    const model = await voices.write();
    const idle = neural.idle();
    await neural.speak(model);
    await idle;
    assert.ok((await neural.speak(model)).loadMs > 0);
  });

  it('loads a changed file again', async () => {
    const neural = start();
    const model = await voices.write({ name: 'de_DE-changed-medium' });
    await neural.speak(model);
    await voices.write({ name: 'de_DE-changed-medium', speakers: ['a', 'b'] });
    await utimes(model, new Date(), new Date(Date.now() + 10_000));
    const { samples } = await neural.speak(model, { speaker: 1 });
    assert.deepEqual(idsHeardIn(samples, 22_050, { speaker: 1 }), TONES);
  });

  it('survives SIGINT and SIGTERM, which reach the whole process group', async () => {
    const neural = start();
    const model = await voices.write();
    await neural.speak(model);
    neural.child.kill('SIGINT');
    neural.child.kill('SIGTERM');
    await neural.speak(model);
  });

  it('ends when the channel closes, also during an endless computation', async () => {
    const idle = start();
    await idle.speak(await voices.write());
    idle.child.disconnect();
    await idle.ended;

    const busy = start();
    const hanging = await voices.write({ name: 'de_DE-hang-medium', fault: 'hang' });
    await busy.speak(await voices.write());
    void busy.ask(hanging).catch(() => undefined);
    await sleep(300);
    busy.child.disconnect();
    await busy.ended;
  });

  it('ends with its parent, also after kill -9 during an endless computation', async () => {
    const model = await voices.write({ name: 'de_DE-hang-medium', fault: 'hang' });
    const parent = spawned(
      spawn(process.execPath, ['-e', PARENT, PROGRAM, JSON.stringify(SETTINGS), model], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const [printed]: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(printed));
    await sleep(1000);
    assert.ok(isRunning(pid));
    parent.kill('SIGKILL');
    while (isRunning(pid)) await sleep(20);
  });

  it('fails a request that exceeds the limit within WebAssembly, and answers the next one', async () => {
    const memoryBytes = 600e6;
    const neural = start({ memoryBytes });
    const big = await voices.write({ name: 'de_DE-big-high', weightBytes: 150e6 });
    assert.equal(
      await neural.fail(big),
      'de_DE-big-high.onnx: the model exceeds the memory limit of 600 MB. Use shorter sentences or a voice of lower quality, or raise the limit',
    );
    const { samples } = await neural.speak(await voices.write());
    assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
  });

  it('unloads other models for a model that does not fit beside them', async () => {
    const neural = start({ memoryBytes: 720e6, maxModels: 3 });
    const voice = { weightBytes: 40e6 };
    for (const name of ['one', 'two', 'three', 'four'])
      await neural.speak(await voices.write({ ...voice, name: `de_DE-big_${name}-medium` }));
  });

  it('ends after a request for which the memory has become too fragmented, so that the next one works', async () => {
    const options = { memoryBytes: 600e6, maxModels: 1 };
    const [small, large] = await Promise.all([
      voices.write({ name: 'de_DE-small-medium' }),
      voices.write({ name: 'de_DE-large-high', weightBytes: 150e6 }),
    ]);
    const neural = start(options);
    await neural.speak(small);
    assert.match(await neural.fail(large), /^de_DE-large-high\.onnx: the model exceeds the memory limit/);
    assert.equal(await neural.ended, 'SIGKILL');
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

/** A parent that starts the program, sends a request and prints the process id. */
const PARENT = `
  const [program, settings, model] = process.argv.slice(1);
  const child = require('node:child_process').fork(program, [settings], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const request = { kind: 'speak', id: 1, ids: ${JSON.stringify(IDS)}, scales: [0.6, 1, 0.8], speaker: null };
  child.send({ ...request, model, sampleRate: 22050 });
  console.log(child.pid);
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
