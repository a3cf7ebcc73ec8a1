import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import { measureVoice, measureWith } from '../../../../../service/voices/engines/neural/measure.js';
import {
  type Measurement,
  measurementOf,
  readMeasurement,
  saveMeasurement,
} from '../../../../../service/voices/installed/measurements.js';
import { NeuralChild } from '../../../../../service/voices/engines/neural/neural-child.js';
import { NeuralVoices } from '../../../../../service/voices/engines/neural/voices.js';
import { leavingNothing } from '../../../../support/leftovers.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { idsHeardIn, PHONEME_IDS, type StubVoice } from '../../../../support/natural/stub-voice.js';
import { forever, NeuralBench, request, secondsOf } from './support.js';

/** Sentences that the measurement does not contain. */
const HELD_OUT = {
  de: [
    'Die Waschmaschine ist fertig.',
    'Achtung! Im Keller steht Wasser, bitte sofort nachsehen.',
    'Heute wird es bis zu 31 Grad warm, am Abend sind Gewitter möglich. Vergiss den Schirm nicht!',
    'Ja.',
  ],
  fr: [
    'La porte du garage est restée ouverte.',
    "Il est huit heures et demie : le petit déjeuner vous attend. N'oubliez pas vos clés !",
    'Quelqu’un sonne.',
  ],
  fi: ['Pesukone on valmis.', 'Autotallin ovi on auki; sulje se!'],
};
/** Voices with another sample rate and other frames. */
const SHAPES: Readonly<Record<string, Partial<StubVoice>>> = { fi: { sampleRate: 24_000, hopLength: 480 } };

function figuresOf(modelSha256: string): Measurement {
  return {
    realTimeFactor: 0.9,
    memoryBytes: 1,
    loadSeconds: 1,
    runtime: 'web',
    modelSha256,
    at: '2026-01-01T00:00:00.000Z',
    pitch: null,
    pace: { ids: [0.1], sentence: 0, rounding: 0, frame: 0 },
  };
}

describe('the measurement of a natural voice', () => {
  let bench: NeuralBench;
  before(() => {
    bench = new NeuralBench();
  });
  after(() => bench.close());

  type Measure = typeof measureVoice;
  const withBench: Measure = (voice, signal, onProgress) => measureWith(bench, voice, signal, onProgress);
  const alone: Measure = (...args) => leavingNothing(() => measureVoice(...args));
  /** Finnish with processes of its own, which end with the measurement. */
  const measures: Readonly<Record<string, Measure>> = { fi: alone };

  it('finds symbols that the model never learned, and the voice speaks the nearest ones', async () => {
    const name = 'de_DE-learned-medium';
    const voice = await installStub(bench.folder, { name, untrained: ['ʏ', 'q'] });
    const speak = async () => {
      const pieces = await bench.speak(request(name, 'Rücken.'));
      return idsHeardIn(Int16Array.from(pieces.flatMap(({ samples }) => [...samples])), 22_050);
    };
    const before = await speak();
    const figures = await alone(voice, forever);
    saveMeasurement(bench.measurements, name, figures);
    assert.deepEqual(figures.untrained, [...(PHONEME_IDS['q'] ?? []), ...(PHONEME_IDS['ʏ'] ?? [])]);
    const after = await speak();
    assert.ok(before.includes(PHONEME_IDS['ʏ']?.[0] ?? -1));
    assert.deepEqual(
      after,
      before.map((id) => (id === PHONEME_IDS['ʏ']?.[0] ? PHONEME_IDS['y']?.[0] : id)),
    );
  });

  for (const [language, sentences] of Object.entries(HELD_OUT)) {
    it(`states speed and memory, and lets the engine predict durations within 5 % or 50 ms (${language})`, async () => {
      const name = `${language}_XX-paced-medium`;
      const voice = await installStub(bench.folder, { name, silent: '^$.,:;!?', ...SHAPES[language] });
      const progress: number[] = [];
      const measure = measures[language] ?? withBench;
      const figures = await measure(voice, forever, (done, total) => progress.push(done / total));
      saveMeasurement(bench.measurements, name, figures);
      assert.equal(progress.at(-1), 1);
      assert.deepEqual(measurementOf(bench.measurements, voice), figures);
      assert.ok(figures.realTimeFactor > 0 && figures.loadSeconds > 0 && figures.memoryBytes > 2 ** 20);
      const [listed] = new NeuralVoices(bench).list().filter(({ id }) => id === name);
      assert.equal(listed?.realTimeFactor, figures.realTimeFactor);
      assert.equal(listed.isLive, figures.realTimeFactor <= 0.7);
      for (const text of sentences) {
        for (const speed of [1, 0.7, 1.8]) {
          const synthesis = request(name, text, { speed });
          const predicted = await bench.engine.predict(synthesis, forever);
          const spoken = secondsOf(await bench.speak(synthesis));
          assert.ok(
            Math.abs(predicted - spoken) < Math.max(0.05, 0.05 / speed, 0.05 * spoken),
            `${text} ${speed}: ${predicted} for ${spoken} s`,
          );
        }
      }
    });
  }

  it('ends with its signal, and leaves nothing behind', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-ended-low' });
    const controller = new AbortController();
    await leavingNothing(() =>
      assert.rejects(
        measureVoice(voice, controller.signal, () => controller.abort(new Error('cancelled'))),
        /cancelled/,
      ),
    );
  });

  it('ends at once when its signal aborts, also while it waits for eSpeak', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-waiting-low' });
    const espeak = new EspeakChild({ timeLimit: 20_000 });
    await espeak.phonemes({ voice: 'en-us', texts: ['Hello.'] });
    process.kill(espeak.pid ?? 0, 'SIGSTOP');
    const controller = new AbortController();
    const measured = measureWith({ child: bench.child, espeak }, voice, controller.signal);
    setImmediate(() => controller.abort(new Error('cancelled')));
    await assert.rejects(measured, /cancelled/);
    await espeak.close();
  });

  it('ends at once when its signal aborts after the last sentence', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-last-low' });
    const controller = new AbortController();
    const abortAtEnd = (done: number, total: number) => {
      if (done === total) setImmediate(() => controller.abort(new Error('cancelled')));
    };
    await assert.rejects(measureWith(bench, voice, controller.signal, abortAtEnd), /cancelled/);
  });

  it('fails with the reason if the model cannot speak', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-nan-low', fault: 'nan' });
    await leavingNothing(() => assert.rejects(measureVoice(voice, forever), Error));
  });

  it('refuses a voice that returns only silence', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-zeros-low', fault: 'zeros' });
    await assert.rejects(withBench(voice, forever), /returns only silence/);
  });

  it('refuses a voice whose process ends each time, with the signal that ended it', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-deadly-low' });
    const child = new NeuralChild();
    const killer = setInterval(() => child.pid !== undefined && process.kill(child.pid, 'SIGKILL'), 20);
    const refused = assert.rejects(
      measureWith({ child, espeak: bench.espeak }, voice, forever),
      /ended with SIGKILL|did not receive/,
    );
    await refused.finally(() => clearInterval(killer));
    await child.close();
  });

  it('counts for the same model file only, and not if it is damaged', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-other-low' });
    const figures = figuresOf('of another file');
    saveMeasurement(bench.measurements, voice.name, figures);
    assert.deepEqual(readMeasurement(bench.measurements, voice.name), figures);
    assert.equal(measurementOf(bench.measurements, voice), undefined);
    const file = path.join(bench.measurements, `${voice.name}.json`);
    for (const content of [
      '',
      '{',
      'null',
      '{"realTimeFactor":"fast"}',
      JSON.stringify({ ...figures, realTimeFactor: -1 }),
    ]) {
      writeFileSync(file, content);
      assert.equal(readMeasurement(bench.measurements, voice.name), undefined);
    }
    assert.ok(readdirSync(bench.measurements).every((name) => name.endsWith('.json')));
  });

  it('leaves no draft if it cannot be saved', () => {
    const folder = path.join(bench.root, 'blocked');
    mkdirSync(path.join(folder, 'name.json', 'full'), { recursive: true });
    const figures = figuresOf('');
    assert.throws(() => saveMeasurement(folder, 'name', figures));
    assert.deepEqual(readdirSync(folder), ['name.json']);
    assert.ok(existsSync(folder));
  });
});
