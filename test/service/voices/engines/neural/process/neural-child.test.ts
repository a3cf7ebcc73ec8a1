import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { installStub } from '../../../../../support/natural/installed-stub.js';
import { leavingNothing } from '../../../../../support/leftovers.js';
import { idsHeardIn } from '../../../../../support/natural/stub-voice.js';
import type { Fault } from '../../../../../support/natural/stub-faults.js';
import { hasKind } from '../../../../../../service/kit/objects.js';
import type { Urgency } from '../../../../../../service/voices/engines/neural/process/messages.js';
import { until } from '../../../../../support/waiting.js';
import { NeuralChild } from '../../../../../../service/voices/engines/neural/process/neural-child.js';
import { startNeural } from '../../../../../../service/voices/engines/neural/neural.js';
import { NeuralVoices } from '../../../../../../service/voices/engines/neural/voices.js';
import { forever, NeuralBench, request, samplesOf } from '../support.js';

const GOOD = 'en_US-good-medium';
const SENTENCE = {
  ids: [1, 0, 20, 0, 2],
  urgency: 'start' as const,
  scales: [0, 1, 0] as [number, number, number],
  speaker: null,
  sampleRate: 22_050,
};

/** Returns the process in a message of the channel `child_process`. */
function childOf(message: unknown): ChildProcess {
  const { process: child }: { process?: unknown } = Object(message);
  return child instanceof ChildProcess ? child : assert.fail('no process');
}

describe('the neural process', () => {
  let bench: NeuralBench;
  /** Messages of all processes. */
  const messages: unknown[] = [];
  const watch = (spawned: unknown) =>
    void childOf(spawned).on('message', (message) => messages.push(message));
  before(async () => {
    subscribe('child_process', watch);
    bench = new NeuralBench();
    await installStub(bench.folder, { name: GOOD });
  });
  after(async () => {
    unsubscribe('child_process', watch);
    await bench.close();
  });

  const modelOf = (name: string) => path.join(bench.folder, name, `${name}.onnx`);

  const works = async () => {
    const samples = samplesOf(await bench.speak(request(GOOD, 'Hello.')));
    assert.deepEqual(idsHeardIn(samples, 22_050).slice(0, 2), [1, 20]);
  };

  /** A fault in the file and in the samples. `test/neural/faults.test.ts` has all faults. */
  const faults: Fault[] = ['truncated', 'nan'];
  for (const fault of faults) {
    it(`fails a sentence with the reason, and speaks the next one (${fault})`, async () => {
      const name = `en_US-${fault.replace('-', '')}-low`;
      await installStub(bench.folder, { name, fault });
      await assert.rejects(bench.speak(request(name, 'Hello.')), (error: Error) => error.message.length > 20);
      await works();
    });
  }

  it('has loaded the model of a voice after a prediction, so that the first speech does not wait for it', async () => {
    const name = 'en_US-early-medium';
    const { model } = await installStub(bench.folder, { name });
    await bench.engine.predict(request(name, 'Hello.'), forever);
    const { loadMs } = await bench.child.speak({ ...SENTENCE, model }, forever);
    assert.equal(loadMs, 0);
  });

  it('loads the model of a voice while its text is read', async () => {
    const name = 'en_US-cold-medium';
    const { model } = await installStub(bench.folder, { name });
    const phonemes = mock.method(bench.espeak, 'phonemes', () => once(new EventEmitter(), 'never'));
    bench.speak(request(name, 'Hello.')).catch(() => undefined);
    await until(() => phonemes.mock.callCount() === 1);
    phonemes.mock.restore();
    const { loadMs } = await bench.child.speak({ ...SENTENCE, model }, forever);
    assert.equal(loadMs, 0);
  });

  it('ends a sentence in work before it changes the runtime that the user has just installed', async () => {
    const native = path.join(bench.root, 'native');
    const changing = new NeuralBench({ native });
    const { model } = await installStub(changing.folder, { name: GOOD, decoder: 'windows' });
    let parts = 0;
    const sentence = { ...SENTENCE, ids: [1, ...Array.from({ length: 100 }, () => 20), 2], model };
    const { samples } = await changing.child.speak(sentence, forever, ({ length }) => {
      if (parts++ > 0) return;
      mkdirSync(native, { recursive: true });
      changing.child.load(model);
      assert.ok(length > 0);
    });
    assert.ok(parts > 1 && samples.length > 0);
    await changing.close();
  });

  it('speaks before it loads further models in advance', async () => {
    const names = ['en_US-first-medium', 'en_US-second-medium'];
    const models = await Promise.all(names.map((name) => installStub(bench.folder, { name })));
    const [first = '', second = ''] = models.map(({ model }) => model);
    const order: string[] = [];
    const say = (urgency: Urgency, model: string) =>
      bench.child.speak({ ...SENTENCE, model, urgency }, forever).then(() => order.push(urgency));
    await Promise.all([say('warm-up', first), say('warm-up', second), say('start', first)]);
    assert.deepEqual(order, ['warm-up', 'start', 'warm-up']);
  });

  it('loads a model in advance once, however many predictions wait for it', async () => {
    const { model } = await installStub(bench.folder, { name: GOOD });
    const say = (urgency: Urgency) => bench.child.speak({ ...SENTENCE, model, urgency }, forever);
    const spoken = say('start');
    const waiting = say('warm-up');
    assert.throws(() => void say('warm-up'), /about to be loaded/);
    await Promise.all([spoken, waiting]);
    await say('warm-up');
  });

  it('speaks an announcement before the rest of a long text, which goes on after four of them', async () => {
    const { model } = await installStub(bench.folder, { name: GOOD });
    const order: Urgency[] = [];
    const say = (urgency: Urgency) =>
      bench.child.speak({ ...SENTENCE, model, urgency }, forever).then(() => order.push(urgency));
    const long = (['next', 'next', 'next'] as const).map(say);
    await Promise.all([...long, ...Array.from({ length: 5 }, () => say('start'))]);
    const starts = ['start', 'start', 'start', 'start'];
    assert.deepEqual(order, ['next', ...starts, 'next', 'start', 'next']);
  });

  it('stops the work on a sentence that its caller no longer wants, before the next one starts', async () => {
    const { model } = await installStub(bench.folder, { name: 'en_US-windows-low', decoder: 'windows' });
    await works();
    messages.length = 0;
    const controller = new AbortController();
    const ids = Array.from({ length: 200 }, (_, index) => 14 + (index % 100));
    const long = { ...SENTENCE, model, ids, scales: [0, 8, 0] as [number, number, number] };
    const unwanted = bench.child.speak(long, controller.signal, () => controller.abort(new Error('enough')));
    await assert.rejects(unwanted, /enough/);
    await bench.child.speak({ ...SENTENCE, model }, forever);
    const ends = messages.filter((message) => hasKind(message, 'spoken', 'failed'));
    assert.deepEqual(
      ends.map(({ kind }) => kind),
      ['failed', 'spoken'],
    );
  });

  it('loads no model in advance if the machine is short of memory', async () => {
    const scarce = new NeuralChild({ spareBytes: Number.MAX_SAFE_INTEGER });
    const find = (id: string) => new NeuralVoices(bench).get(id);
    const engine = startNeural({ find, speaker: scarce, espeak: bench.espeak });
    await engine.predict(request(GOOD, 'Hello.'), forever);
    assert.equal(scarce.pid, undefined);
    await scarce.close();
  });

  it('ends a sentence after the time limit, so that the next one gets a new process', async () => {
    const limited = new NeuralChild({ timeLimit: 1000 });
    const { model } = await installStub(bench.folder, { name: 'en_US-hang-low', fault: 'hang' });
    const late = /^SpeechTimeoutError: the natural voice exceeded the time limit of 1 s/;
    await assert.rejects(limited.speak({ ...SENTENCE, model }, forever), late);
    assert.equal(limited.pid, undefined);
    await limited.close();
  });

  it('speaks a sentence in a new process if it is killed before the first sample', async () => {
    await works();
    const { pid = 0 } = bench.child;
    process.kill(pid, 'SIGSTOP');
    const { samples } = await Promise.all([
      bench.child.speak({ ...SENTENCE, model: modelOf(GOOD) }, forever),
      delay(200).then(() => process.kill(pid, 'SIGKILL')),
    ]).then(([spoken]) => spoken);
    assert.deepEqual(idsHeardIn(samples, 22_050), [1, 20, 2]);
    assert.notEqual(bench.child.pid, pid);
  });

  it('fails a sentence if it is killed twice, and starts again for the next one', async () => {
    await works();
    const { model } = await installStub(bench.folder, { name: 'en_US-endless-low', fault: 'hang' });
    const spoken = bench.child.speak({ ...SENTENCE, model }, forever);
    const failure = assert.rejects(spoken, /ended with SIGKILL/);
    const { pid: first = 0 } = bench.child;
    process.kill(first, 'SIGKILL');
    await until(() => bench.child.pid !== undefined && bench.child.pid !== first);
    process.kill(bench.child.pid ?? 0, 'SIGKILL');
    await failure;
    await works();
  });

  it('speaks a voice for which other voices have left too little memory', async () => {
    const small = new NeuralBench({ memoryBytes: 750e6, maxModels: 1 });
    await installStub(small.folder, { name: 'en_US-small-medium', weightBytes: 30e6 });
    await installStub(small.folder, { name: 'en_US-large-high', weightBytes: 90e6 });
    await small.speak(request('en_US-small-medium', 'Hello.'));
    const { pid } = small.child;
    for (const name of ['en_US-large-high', 'en_US-small-medium']) {
      const samples = samplesOf(await small.speak(request(name, 'Hello.')));
      assert.deepEqual(idsHeardIn(samples, 22_050).slice(0, 2), [1, 20]);
    }
    assert.notEqual(small.child.pid, pid);
    await small.close();
  });

  it('speaks sentences of several requests in order, each with its own audio', async () => {
    const texts = ['One.', 'Two.', 'Three.'];
    const alone = [];
    for (const text of texts) alone.push(samplesOf(await bench.speak(request(GOOD, text))));
    const together = await Promise.all(texts.map((text) => bench.speak(request(GOOD, text))));
    assert.deepEqual(together.map(samplesOf), alone);
  });

  it('rejects a sentence beyond its queue, drops aborted ones from it, and leaves no process behind', async () => {
    let pid = 0;
    await leavingNothing(async () => {
      const small = new NeuralChild({ maxQueued: 1, timeLimit: 60_000 });
      const controller = new AbortController();
      const sentence = (signal: AbortSignal) => small.speak({ ...SENTENCE, model: modelOf(GOOD) }, signal);
      const first = sentence(forever);
      const second = assert.rejects(sentence(controller.signal), /no longer/);
      assert.throws(() => void sentence(forever), /busy: 1 sentences wait/);
      controller.abort(new Error('no longer'));
      await second;
      const third = sentence(forever);
      assert.ok((await first).samples.length > 0);
      assert.ok((await third).samples.length > 0);
      pid = small.pid ?? 0;
      await small.close();
    });
    assert.ok(pid > 0);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});
