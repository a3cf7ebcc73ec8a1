import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decoderWindows } from '../../neural/windows.js';
import { framesOf, idsHeardIn, tonesIn } from '../support/natural/stub-voice.js';
import { NeuralProcess, StubFolder } from './neural-process.js';

const [RATE, HOP] = [22_050, 256];
/** Sentences of different lengths: one window, a short rest, and windows of all sizes. */
const SENTENCES = [3, 9, 14, 40, 200].map((count) =>
  Array.from({ length: count }, (_, index) => [14 + ((index * 37) % 100), 0]).flat(),
);

describe('a voice whose decoder runs in windows', () => {
  const voices = new StubFolder();
  let neural: NeuralProcess;
  let cut: string;
  let uncut: string;
  before(async () => {
    await voices.open();
    neural = new NeuralProcess();
    cut = await voices.write({ name: 'de_DE-windows-medium', decoder: 'windows' });
    uncut = await voices.write({ name: 'de_DE-whole-medium', decoder: 'whole' });
  });
  after(async () => {
    await neural.end();
    await voices.close();
  });

  it('has the samples and frames of the whole run, for any length', async () => {
    for (const ids of SENTENCES) {
      const request = { ids, scales: [0, 1.1, 0] as [number, number, number] };
      const parts = await neural.speak(cut, request);
      const whole = await neural.speak(uncut, request);
      assert.equal(whole.lengths.length, 1);
      assert.equal(parts.samples.length, whole.samples.length);
      const worst = whole.samples.reduce(
        (most, sample, place) => Math.max(most, Math.abs(sample - (parts.samples[place] ?? 0))),
        0,
      );
      assert.ok(worst < 1e-6, `${worst} of ${ids.length} ids`);
      assert.deepEqual(parts.durations, whole.durations);
      assert.deepEqual(
        idsHeardIn(parts.samples, RATE),
        ids.filter((id) => id !== 0),
      );
    }
  });

  it('returns the first third of a second first, then longer windows', async () => {
    const { lengths } = await neural.speak(cut, { ids: SENTENCES.at(-1) ?? [] });
    assert.deepEqual(
      lengths.slice(0, 5).map((length) => length / HOP),
      [32, 64, 128, 256, 256],
    );
    const short = await neural.speak(cut, { ids: [20] });
    assert.deepEqual(short.lengths, [framesOf(20) * HOP]);
  });

  it('draws the noise of a sentence once', async () => {
    const ids = SENTENCES.at(-1) ?? [];
    const peaks = async () => {
      const { samples } = await neural.speak(cut, { ids, scales: [0.5, 1, 0] });
      const tones = tonesIn(samples, RATE).map(([from, to]) => Math.max(...samples.subarray(from, to)));
      // The trace of a frame in its neighbours is no tone.
      return tones.filter((peak) => peak > 0.2);
    };
    const [first, second] = [await peaks(), await peaks()];
    for (const all of [first, second]) {
      assert.ok(all.length > 150);
      assert.ok(Math.min(...all) > 0.9 * Math.max(...all), all.join());
    }
    assert.notDeepEqual(first, second);
  });

  it('runs whole if the decoder needs the speaker', async () => {
    const model = await voices.write({ name: 'de_DE-many-medium', decoder: 'windows', speakers: ['a', 'b'] });
    const ids = SENTENCES.at(-1) ?? [];
    const { samples, lengths } = await neural.speak(model, { ids, speaker: 1 });
    assert.equal(lengths.length, 1);
    assert.deepEqual(
      idsHeardIn(samples, RATE, { speaker: 1 }),
      ids.filter((id) => id !== 0),
    );
  });

  it('gets longer windows, with less computation, while the caller hears earlier audio', async () => {
    const ids = SENTENCES.at(-1) ?? assert.fail('no sentence');
    const { lengths: early } = await neural.speak(cut, { ids });
    const { lengths: later } = await neural.speak(cut, { ids, urgency: 'next' });
    assert.deepEqual([early[0], later[0]], [32 * HOP, 256 * HOP]);
  });

  it('stops computing a cancelled sentence after the window in work, and speaks the next one', async () => {
    const ids = SENTENCES.at(-1) ?? assert.fail('no sentence');
    const cancelled = neural.cancelledSpeech(cut, { ids, scales: [0, 8, 0], urgency: 'next' });
    const next = neural.speak(cut, { ids: [20] });
    const { length, samples, message } = await cancelled;
    assert.ok(samples > 0 && samples < length / 2, `${samples} of ${length} samples`);
    assert.equal(message, 'de_DE-windows-medium.onnx: the sentence was cancelled');
    assert.deepEqual(idsHeardIn((await next).samples, RATE), [20]);
  });

  it('is loaded in advance with its first window only', async () => {
    const request = { ids: SENTENCES.at(-1) ?? [], scales: [0, 8, 0] as [number, number, number] };
    const [early, whole] = await Promise.all(
      ['early', 'all'].map((name) => voices.write({ name: `de_DE-${name}-medium`, decoder: 'windows' })),
    );
    const warm = await neural.ask(early ?? '', { ...request, urgency: 'warm-up' });
    const spoken = await neural.speak(whole ?? '', request);
    assert.ok(warm.kind === 'spoken' && warm.loadMs > 0);
    assert.ok(warm.cpuMs < spoken.cpuMs / 2, `${warm.cpuMs} of ${spoken.cpuMs} ms`);
  });

  it('is refused before the decoder computes if the sentence is too long', async () => {
    const model = await voices.write({ name: 'de_DE-long-medium', decoder: 'windows', fault: 'long' });
    assert.match(await neural.fail(model, { ids: [1, 0, 2] }), /600 s of audio for a sentence/);
  });
});

describe('the windows of a decoder', () => {
  it('cover all frames in order, with their context, and none is shorter than it', () =>
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(64), fc.boolean(), (count, overlap, isUrgent) => {
        const windows = decoderWindows(count, overlap, isUrgent);
        let place = 0;
        for (const { from, to, contextFrom, contextTo } of windows) {
          assert.equal(from, place);
          assert.equal(contextFrom, Math.max(0, from - overlap));
          assert.equal(contextTo, Math.min(count, to + overlap));
          assert.ok(to - from >= Math.min(count, 32, Math.max(1, overlap)));
          assert.ok(to - from <= 256 + overlap);
          place = to;
        }
        assert.equal(place, count);
      }),
    ));
});
