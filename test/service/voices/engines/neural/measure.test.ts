import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { measureLoudness } from '@herald-speech/client/audio';
import { toFloat } from '../../../../../service/kit/audio/samples.js';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import { measureVoice, measureWith } from '../../../../../service/voices/engines/neural/measure.js';
import {
  isLive,
  type Measurement,
  measurementOf,
  readMeasurement,
  saveMeasurement,
} from '../../../../../service/voices/installed/measurements.js';
import { correctedInUse } from '../../../../../service/voices/engines/neural/corrected-in-use.js';
import {
  NeuralChild,
  type SentenceSpeaker,
} from '../../../../../service/voices/engines/neural/process/neural-child.js';
import { testSentences } from '../../../../../service/voices/engines/test-sentences.js';
import { VoiceMeter } from '../../../../../service/voices/engines/neural/voice-meter.js';
import { NeuralVoices } from '../../../../../service/voices/engines/neural/voices.js';
import { leavingNothing } from '../../../../support/leftovers.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { idsHeardIn, PHONEME_IDS, type StubVoice } from '../../../../support/natural/stub-voice.js';
import { forever, NeuralBench, request, samplesOf, secondsOf } from './support.js';

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

  /** Measures a voice with the processes of all tests. */
  const withBench: typeof measureVoice = (voice, signal, onProgress) =>
    measureWith(bench, voice, signal, onProgress);

  async function measureStub(language: string) {
    const name = `${language}_XX-paced-medium`;
    const voice = await installStub(bench.folder, { name, silent: '^$.,:;!?', ...SHAPES[language] });
    const progress: number[] = [];
    const start = performance.now();
    const figures = await withBench(voice, forever, (done, total) => progress.push(done / total));
    saveMeasurement(bench.measurements, name, figures);
    // A busy computer speaks only some of the sentences within the 10 s of a measurement.
    return { voice, figures, progress, isBusy: performance.now() - start > 5000 };
  }
  const measured = new Map<string, ReturnType<typeof measureStub>>();
  /** Returns a stub voice with its measurement, which is made once for all tests. */
  const measuredStub = (language: string): ReturnType<typeof measureStub> => {
    const known = measured.get(language) ?? measureStub(language);
    measured.set(language, known);
    return known;
  };
  /** Speeds of the first sentences of a language. The scale of the durations is the same in each language. */
  const speeds: Readonly<Record<string, number[][]>> = { de: [[1, 0.7], [1.8]] };

  it('finds symbols that the model never learned, and the voice speaks the nearest ones', async () => {
    const name = 'de_DE-learned-medium';
    const voice = await installStub(bench.folder, { name, untrained: ['ʏ', 'q'] });
    const speak = async () => {
      const pieces = await bench.speak(request(name, 'Rücken.'));
      return idsHeardIn(Int16Array.from(pieces.flatMap(({ samples }) => [...samples])), 22_050);
    };
    // A process reports the symbols when it loads the model, so the measurement comes first.
    const figures = await withBench(voice, forever);
    const before = await speak();
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
      const { voice, figures, progress, isBusy } = await measuredStub(language);
      assert.deepEqual([progress[0], progress.at(-1)], [0, 1]);
      assert.ok(isBusy || progress.length === testSentences(language).length + 2, String(progress));
      assert.deepEqual(measurementOf(bench.measurements, voice), figures);
      assert.ok(figures.realTimeFactor > 0 && figures.memoryBytes > 2 ** 20);
      const [listed] = new NeuralVoices(bench).list().filter(({ id }) => id === voice.name);
      assert.equal(listed?.realTimeFactor, figures.realTimeFactor);
      assert.equal(listed.isLive, isLive(figures));
      for (const [place, text] of sentences.entries()) {
        for (const speed of speeds[language]?.[place] ?? [1]) {
          const synthesis = request(voice.name, text, { speed });
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

  it('gives a voice a gain for -19 LUFS', async () => {
    const { voice } = await measuredStub('de');
    const pieces = await bench.speak(request(voice.name, HELD_OUT.de.join(' ')));
    const loudness = measureLoudness(toFloat(samplesOf(pieces)), voice.config.sampleRate);
    assert.ok(Math.abs(loudness + 19) < 1, `${loudness} LUFS`);
  });

  it('speaks no further sentence that would end after 10 s, and has the same speed beside other programs', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-busy-medium', layers: 2 });
    const quiet = new VoiceMeter(voice);
    let later = 0;
    let spoken = 0;
    const now = performance.now.bind(performance);
    const clock = mock.method(performance, 'now', () => now() + later);
    /** A computer on which other programs let each sentence take 50 times as long on the clock. */
    const busy: Pick<SentenceSpeaker, 'speak' | 'close'> = {
      speak: async (sentence, ...rest) => {
        later += 3500;
        const reply = await bench.child.speak(sentence, ...rest);
        // The first one only loads the model.
        if (spoken++ > 0) quiet.add(sentence, reply);
        return { ...reply, runMs: 50 * reply.runMs };
      },
      close: () => Promise.resolve(),
    };
    const figures = await measureWith({ child: busy, espeak: bench.espeak }, voice, forever);
    clock.mock.restore();
    assert.deepEqual([spoken, figures.sentences], [3, 2]);
    const { realTimeFactor = 0 } = quiet.figures() ?? {};
    // It counts processor time. Without the clock, the number of processors is unknown: one instead of two.
    assert.ok(figures.realTimeFactor > 0.001 && figures.realTimeFactor <= 2 * realTimeFactor);
  });

  async function inUse(name: string): Promise<Measurement | undefined> {
    const speaker = correctedInUse(bench.child, bench.measurements);
    const voice = new NeuralVoices(bench).get(name)?.installed;
    assert.ok(voice !== undefined);
    const { model, config } = voice;
    for (let round = 0; round < 10; round++) {
      const ids = [1, 0, 20, 0, 24, 0, 27 + round, 0, 14, 0, 2];
      const scales: [number, number, number] = [0.667, 1, 0.8];
      await speaker.speak(
        { model, ids, scales, speaker: null, sampleRate: config.sampleRate, urgency: 'start' },
        forever,
      );
    }
    return measurementOf(bench.measurements, voice);
  }

  it('is corrected in use: a quick voice that was measured as slow becomes one for live announcements', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-wrong-medium' });
    const { sha256 = '' } = voice.record.files[`${voice.name}.onnx`] ?? {};
    const saved = { ...figuresOf(sha256), sentences: 8, loudness: { 0: -12 } };
    saveMeasurement(bench.measurements, voice.name, saved);
    const isListedAsLive = () => new NeuralVoices(bench).list().find(({ id }) => id === voice.name)?.isLive;
    assert.equal(isListedAsLive(), false);
    const corrected = await inUse(voice.name);
    assert.equal(isListedAsLive(), true);
    const { realTimeFactor = 0, runtime, pace } = corrected ?? {};
    assert.deepEqual(corrected, { ...saved, realTimeFactor, runtime, pace });
  });

  it('predicts longer sentences in use if the voice speaks slower than in the measurement', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-slow-medium' });
    const { sha256 = '' } = voice.record.files[`${voice.name}.onnx`] ?? {};
    const ids = voice.config.phonemeIds.size;
    const pace = { ids: Array.from({ length: ids }, () => 0.02), sentence: 0, rounding: 0, frame: 0 };
    saveMeasurement(bench.measurements, voice.name, { ...figuresOf(sha256), sentences: 8, pace });
    const synthesis = request(voice.name, 'The washing machine in the basement is ready.');
    const spoken = secondsOf(await bench.speak(synthesis));
    const errorOf = async () => 1 - (await bench.engine.predict(synthesis, forever)) / spoken;
    const before = await errorOf();
    for (let uses = 0; uses < 6; uses++) await inUse(voice.name);
    const after = await errorOf();
    assert.ok(before > 0.15 && Math.abs(after) < before / 2, `${before} before, ${after} after`);
  });

  it('marks no voice as slow after few sentences on a busy computer, unless it is very slow', () => {
    const after = (sentences: number, realTimeFactor: number) => isLive({ sentences, realTimeFactor });
    assert.deepEqual(
      [after(2, 0.8), after(8, 0.8), after(2, 1.5), after(8, 0.6)],
      [true, false, false, true],
    );
  });

  it('gets the loudness in use if it is from an earlier version, and keeps it', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-earlier-medium' });
    const { sha256 = '' } = voice.record.files[`${voice.name}.onnx`] ?? {};
    saveMeasurement(bench.measurements, voice.name, figuresOf(sha256));
    const first = await inUse(voice.name);
    assert.ok((first?.loudness?.['0'] ?? 0) < 0, `${first?.loudness?.['0']} LUFS`);
    assert.deepEqual((await inUse(voice.name))?.loudness, first?.loudness);
  });

  it('is made in use for a voice without one', async () => {
    const voice = await installStub(bench.folder, { name: 'en_US-unmeasured-medium' });
    assert.equal(measurementOf(bench.measurements, voice), undefined);
    assert.ok(((await inUse(voice.name))?.realTimeFactor ?? 0) > 0);
  });

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
    await assert.rejects(withBench(voice, forever), Error);
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
