import assert from 'node:assert/strict';
import { framesOf, idsHeardIn, type StubVoice } from '../support/natural/stub-voice.js';
import { IDS, NeuralProcess, StubFolder, TONES } from './neural-process.js';

describe('a model in the neural process', () => {
  const voices = new StubFolder();
  let neural: NeuralProcess;
  before(async () => {
    await voices.open();
    neural = new NeuralProcess();
  });
  after(async () => {
    await neural.end();
    await voices.close();
  });

  const shapes: Partial<StubVoice>[] = [
    {},
    { sampleRate: 16_000, rank: 3 },
    { sampleRate: 44_100, hopLength: 512, rank: 1 },
    { sampleRate: 24_000, hopLength: 300, rank: 2 },
  ];
  for (const [index, voice] of shapes.entries()) {
    it(`gets all phoneme ids in order: ${JSON.stringify(voice)}`, async () => {
      const model = await voices.write({ ...voice, name: `de_DE-shape${index}-medium` });
      const { sampleRate = 22_050 } = voice;
      const { samples } = await neural.speak(model, { sampleRate });
      assert.deepEqual(idsHeardIn(samples, sampleRate), TONES);
    });
  }

  it('gets 150 different ids', async () => {
    const model = await voices.write();
    const ids = Array.from({ length: 150 }, (_, index) => index + 1);
    const { samples } = await neural.speak(model, { ids });
    assert.deepEqual(idsHeardIn(samples, 22_050), ids);
  });

  it('gets the length scale', async () => {
    const model = await voices.write();
    for (const lengthScale of [0.5, 1, 2.5]) {
      const { samples } = await neural.speak(model, { scales: [0.667, lengthScale, 0.8] });
      const frames = IDS.reduce((sum, id) => sum + framesOf(id, lengthScale), 0);
      assert.equal(samples.length, frames * 256);
      assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
    }
  });

  it('gets the noise scales', async () => {
    const model = await voices.write();
    const peakOf = async (noise: number, noiseW: number) =>
      Math.max(...(await neural.speak(model, { scales: [noise, 1, noiseW] })).samples);
    const [none, one, both] = [await peakOf(0, 0), await peakOf(1, 0), await peakOf(1, 1)];
    assert.ok(none < one && one < both, `${none}, ${one}, ${both}`);
  });

  it('gets the number of the speaker', async () => {
    const model = await voices.write({ name: 'en_US-many-low', speakers: ['a', 'b', 'c'] });
    for (const speaker of [0, 1, 2]) {
      const { samples } = await neural.speak(model, { speaker });
      assert.deepEqual(idsHeardIn(samples, 22_050, { speaker }), TONES);
    }
  });

  it('speaks with the first speaker if the request has no speaker', async () => {
    const model = await voices.write({ name: 'en_US-many-low', speakers: ['a', 'b'] });
    const { samples } = await neural.speak(model);
    assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
  });

  it('refuses a speaker if the model has one only', async () => {
    const model = await voices.write();
    assert.equal(
      await neural.fail(model, { speaker: 3 }),
      'de_DE-stub-medium.onnx: speaker 3: the model has one speaker only, number 0',
    );
  });

  it('returns the frames of each id, as an output of the model or from inside of its graph', async () => {
    for (const withDurations of [true, false]) {
      const model = await voices.write({ name: `de_DE-timed${withDurations}-medium`, withDurations });
      const { durations, samples } = await neural.speak(model, { scales: [0.667, 1.3, 0.8] });
      const frames = Float32Array.from(IDS, (id) => framesOf(id, 1.3));
      assert.deepEqual(durations, frames);
      assert.equal(samples.length, 256 * frames.reduce((sum, count) => sum + count));
    }
  });

  it('returns no frames if the model does not round lengths up', async () => {
    const model = await voices.write({ name: 'de_DE-untimed-medium', withCeil: false });
    assert.equal((await neural.speak(model)).durations, null);
  });

  it('states times, runtime and memory', async () => {
    const { loadMs, runMs, cpuMs, runtime, memoryBytes } = await neural.speak(await voices.write());
    assert.ok(loadMs >= 0 && runMs > 0 && cpuMs > 0);
    assert.equal(runtime, 'web');
    assert.ok(memoryBytes > 50e6 && memoryBytes < 1e9);
  });
});
