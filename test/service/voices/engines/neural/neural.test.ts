import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { measureLoudness } from '@herald-speech/client/audio';
import { startPeaks } from '../../../../../client/audio/loudness/true-peak.js';
import { toFloat } from '../../../../../service/kit/audio/samples.js';
import { saveMeasurement } from '../../../../../service/voices/installed/measurements.js';
import { spellingsOf } from '../../../../../service/voices/engines/neural/spelling/spelling.js';
import type { Prosody, EnginePiece } from '../../../../../service/voices/engines/engine.js';
import { startNeural } from '../../../../../service/voices/engines/neural/neural.js';
import type { SentenceSpeaker } from '../../../../../service/voices/engines/neural/process/neural-child.js';
import { NeuralVoices } from '../../../../../service/voices/engines/neural/voices.js';
import type { InstalledVoice } from '../../../../../service/voices/installed/installed-voice.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { framesOf, idsHeardIn, tonesIn } from '../../../../support/natural/stub-voice.js';
import { forever, NeuralBench, pausesIn, request, samplesOf, secondsOf } from './support.js';

const DE = 'de_DE-stub-medium';
/** Its decoder runs in windows. */
const CUT = 'de_DE-cut-medium';
const TEXT = 'Guten Tag. Es klingelt an der Tür!';
/** Hertz of the voices, samples of a frame. */
const [RATE, HOP] = [22_050, 256];

describe('the engine of the natural voices', () => {
  let bench: NeuralBench;
  let german: InstalledVoice;
  before(async () => {
    bench = new NeuralBench();
    german = await installStub(bench.folder, { name: DE });
    await installStub(bench.folder, { name: 'de_DE-untimed-medium', withCeil: false });
    await installStub(bench.folder, { name: CUT, decoder: 'windows' });
    await installStub(bench.folder, {
      name: 'en_GB-many-high',
      speakers: ['anna', 'ben', 'carl'],
      sampleRate: 16_000,
    });
    await installStub(bench.folder, { name: 'fi_FI-letters-low', phonemeType: 'text' });
    await installStub(bench.folder, { name: 'ja_JP-kana-medium', espeakVoice: 'ja' });
  });
  after(() => bench.close());

  async function idsOf(text: string, { config, record } = german): Promise<number[]> {
    const spellings = await spellingsOf(text, record.language, config, (voice, texts) =>
      bench.readPhonemes(voice, texts),
    );
    return spellings.flatMap(({ ids }) => ids);
  }

  /** Returns the seconds between the first and the last tone of a text. */
  async function toneSeconds(text: string, delivery: Partial<Prosody> = {}): Promise<number> {
    const tones = tonesIn(samplesOf(await bench.speak(request(DE, text, delivery))), RATE);
    return ((tones.at(-1)?.[1] ?? 0) - (tones[0]?.[0] ?? 0)) / RATE;
  }

  it('sends the ids of the whole text to the model, one piece per sentence', async () => {
    const pieces = await bench.speak(request(DE, TEXT));
    assert.equal(pieces.length, 2);
    const heard = pieces.flatMap(({ samples }) => idsHeardIn(samples, RATE));
    assert.deepEqual(
      heard,
      (await idsOf(TEXT)).filter((id) => id !== 0),
    );
  });

  it('yields the first sentence before the second one is generated', async () => {
    const pieces = bench.engine.speak(request(DE, TEXT), forever)[Symbol.asyncIterator]();
    const { value: first } = await pieces.next();
    assert.ok(first !== undefined && first.samples.length > 0);
    await pieces.return?.();
    assert.equal((await bench.speak(request(DE, TEXT))).length, 2);
  });

  it('speaks with the number of the speaker', async () => {
    for (const [speaker, name] of ['anna', 'ben', 'carl'].entries()) {
      const [piece] = await bench.speak(request(`en_GB-many-high-${name}`, 'Hello.'));
      assert.ok(piece !== undefined);
      assert.equal(piece.sampleRate, 16_000);
      assert.deepEqual(idsHeardIn(piece.samples, 16_000, { speaker }).slice(0, 2), [1, 20]);
    }
  });

  it('reads a date in the order of the region of the voice', async () => {
    const heard = async (text: string) => {
      const pieces = await bench.speak(request('en_GB-many-high-anna', text));
      return pieces.flatMap(({ samples }) => idsHeardIn(samples, 16_000));
    };
    assert.deepEqual(await heard('3/4/2026'), await heard('the third of April twenty twenty-six'));
  });

  it('reads kanji and numbers with counters with a Japanese voice', async () => {
    const heard = async (text: string) => {
      const pieces = await bench.speak(request('ja_JP-kana-medium', text));
      return pieces.flatMap(({ samples }) => idsHeardIn(samples, RATE));
    };
    assert.deepEqual(await heard('傘が3本'), await heard('かさが さんぼん'));
  });

  it('sends the letters of a text to a model that reads text', async () => {
    const [piece] = await bench.speak(request('fi_FI-letters-low', 'Hei maa!'));
    assert.ok(piece !== undefined);
    assert.deepEqual(idsHeardIn(piece.samples, RATE), [1, 20, 18, 21, 3, 25, 14, 14, 4, 2]);
  });

  it('sets the length scale of the model from the speed, and stretches beyond its range', async () => {
    const ids = await idsOf('Guten Tag.');
    const seconds = (scale: number) => ids.reduce((sum, id) => sum + (framesOf(id, scale) * HOP) / RATE, 0);
    const isClose = (spoken: number, wanted: number) => Math.abs(spoken / wanted - 1) < 0.03;
    for (const speed of [0.5, 2]) {
      const spoken = await toneSeconds('Guten Tag.', { speed });
      assert.ok(isClose(spoken, seconds(1 / speed)), `${spoken} s at speed ${speed}`);
    }
    const fast = await toneSeconds('Guten Tag.', { speed: 4 });
    assert.ok(isClose(fast, seconds(0.5) / 2), `${fast} s`);
    const slow = await toneSeconds('Guten Tag.', { speed: 0.25 });
    assert.ok(isClose(slow, seconds(2) * 2), `${slow} s`);
  });

  for (const voice of [DE, CUT]) {
    it(`pauses equally between two sentences, of one request or of several (${voice})`, async () => {
      const speak = async (text: string) =>
        (await bench.speak(request(voice, text))).flatMap(({ samples }) => [...samples]);
      await speak(TEXT);
      const together = pausesIn(await speak(TEXT), RATE);
      const apart = pausesIn(
        [...(await speak('Guten Tag.')), ...(await speak('Es klingelt an der Tür!'))],
        RATE,
      );
      assert.deepEqual([together.length, apart.length], [1, 1]);
      for (const [pause] of [together, apart]) assert.ok(Math.abs((pause ?? 0) - 0.4) < 0.015, `${pause} s`);
    });
  }

  it('pauses as at a comma after a part of a sentence', async () => {
    const first = await bench.speak(request(DE, 'Guten Tag,'));
    const all = [...first, ...(await bench.speak(request(DE, 'es klingelt.')))];
    const [pause = 0] = pausesIn([...samplesOf(all)], RATE);
    assert.ok(Math.abs(pause - 0.25) < 0.003, `${pause} s`);
  });

  it('speaks for exactly the requested duration, sentence by sentence', async () => {
    for (const duration of [1.5, 8]) {
      const pieces = await bench.speak(request(DE, TEXT, { duration }));
      assert.equal(pieces.length, 2);
      assert.ok(Math.abs(secondsOf(pieces) - duration) < 1 / RATE, `${secondsOf(pieces)} of ${duration} s`);
    }
  });

  it('computes each sentence once if the pace is right, also for a duration beyond the speeds of the model', async () => {
    const voice = await installStub(bench.folder, { name: 'de_DE-paced-medium' });
    const lengths = Array.from({ length: voice.config.symbols }, (_, id) => (framesOf(id) * HOP) / RATE);
    saveMeasurement(bench.measurements, voice.name, {
      realTimeFactor: 0.1,
      memoryBytes: 1,
      runtime: 'web',
      modelSha256: voice.record.files[`${voice.name}.onnx`]?.sha256 ?? '',
      at: new Date().toISOString(),
      pitch: null,
      pace: { ids: lengths, sentence: 0, rounding: 0, frame: HOP / RATE },
    });
    const spoken = mock.method(bench.child, 'speak');
    for (const duration of [0.5, 10]) await bench.speak(request(voice.name, TEXT, { duration }));
    const scales = spoken.mock.calls.map(({ arguments: [{ scales }] }) => scales[1]);
    spoken.mock.restore();
    assert.equal(scales.length, 4);
    assert.ok(
      scales.every((scale) => scale >= 0.5 && scale <= 2),
      scales.join(),
    );
  });

  it('shifts the pitch and keeps the length', async () => {
    const plain = await bench.speak(request(DE, 'Guten Tag.'));
    const high = await bench.speak(request(DE, 'Guten Tag.', { pitchShift: 4 }));
    assert.equal(secondsOf(high), secondsOf(plain));
    assert.notDeepEqual(high[0]?.samples, plain[0]?.samples);
  });

  const saved = (voice: InstalledVoice, loudness: Record<string, number>) =>
    saveMeasurement(bench.measurements, voice.name, {
      realTimeFactor: 0.1,
      memoryBytes: 1,
      runtime: 'web',
      modelSha256: voice.record.files[`${voice.name}.onnx`]?.sha256 ?? '',
      at: new Date().toISOString(),
      pitch: null,
      loudness,
      pace: { ids: [0.1], sentence: 0, rounding: 0, frame: 0 },
    });

  it('speaks a voice without a measurement at -19 LUFS, as its first sentence decides', async () => {
    const [first] = await bench.speak(request(DE, TEXT));
    const loudness = measureLoudness(toFloat(first?.samples ?? new Int16Array()), RATE);
    assert.ok(Math.abs(loudness + 19) < 0.1, `${loudness} LUFS`);
  });

  it('has one gain for all sentences of a voice, from its measurement', async () => {
    const voice = await installStub(bench.folder, { name: 'de_DE-gain-medium' });
    const levels: number[] = [];
    for (const lufs of [-10, -16]) {
      saved(voice, { 0: lufs });
      const pieces = await bench.speak(request(voice.name, 'Guten Tag.'));
      levels.push(measureLoudness(toFloat(samplesOf(pieces)), RATE));
    }
    const [one = 0, other = 0] = levels;
    assert.ok(Math.abs(other - one - 6) < 0.1, `${one} and ${other} LUFS`);
  });

  it('has a gain for each speaker of a voice', async () => {
    const voice = await installStub(bench.folder, { name: 'en_GB-gains-high', speakers: ['ann', 'bob'] });
    saved(voice, { 0: -5, 1: -17 });
    const levels: number[] = [];
    for (const speaker of ['ann', 'bob']) {
      const pieces = await bench.speak(request(`${voice.name}-${speaker}`, 'Good morning.'));
      levels.push(measureLoudness(toFloat(samplesOf(pieces)), RATE));
    }
    const [ann = 0, bob = 0] = levels;
    assert.ok(Math.abs(bob - ann - 12) < 1, `${ann} and ${bob} LUFS`);
  });

  it('limits the peaks to -1 dBTP, in whole sentences and in parts', async () => {
    for (const decoder of ['none', 'windows'] as const) {
      const voice = await installStub(bench.folder, { name: `de_DE-${decoder}-high`, decoder });
      saved(voice, { 0: -45 });
      const pieces = await bench.speak(request(voice.name, 'Im Wohnzimmer ist das Fenster offen.'));
      const peaks = startPeaks(RATE).push(toFloat(samplesOf(pieces)));
      const peak = 20 * Math.log10(peaks.reduce((highest, value) => Math.max(highest, value), 0));
      assert.ok(peak < -0.9 && peak > -1.5, `${peak} dBTP`);
    }
  });

  it('starts each phoneme with its sound, at any speed and duration', async () => {
    for (const delivery of [{ speed: 1.6 }, { duration: 4 }]) {
      const pieces = await bench.speak(request(DE, TEXT, delivery));
      const starts = tonesIn(samplesOf(pieces), RATE).map(([from]) => from / RATE);
      const phonemes = pieces.flatMap((piece) => piece.phonemes);
      for (const { symbol, start } of phonemes.filter(({ symbol }) => symbol.trim() !== '')) {
        const distance = Math.min(...starts.map((tone) => Math.abs(tone - start)));
        assert.ok(distance < 0.02, `${symbol} ${distance} s from a sound: ${JSON.stringify(delivery)}`);
      }
    }
  });

  it('starts a sentence before its end is computed, with the samples and times of the whole sentence', async () => {
    const text = 'Im Wohnzimmer ist das Fenster offen, und in der Küche brennt Licht.';
    const speaker: SentenceSpeaker = {
      speak: (sentence, signal, onPart) =>
        bench.child.speak({ ...sentence, scales: [0, 1, 0] }, signal, onPart),
      load: (model) => bench.child.load(model),
      close: () => bench.child.close(),
    };
    const find = (id: string) => new NeuralVoices(bench).get(id);
    const engine = startNeural({ find, speaker, espeak: bench.espeak });
    const speak = async () => {
      const pieces: EnginePiece[] = [];
      for await (const piece of engine.speak(request(CUT, text), forever)) pieces.push(piece);
      return pieces;
    };
    // Without a measurement, the first sentence decides on the loudness of the voice.
    const [whole, parts] = [await speak(), await speak()];
    assert.equal(whole.length, 1);
    assert.ok(parts.length > 2, `${parts.length} parts`);
    assert.deepEqual(samplesOf(parts), samplesOf(whole));
    const phonemesOf = (pieces: EnginePiece[]) =>
      pieces.flatMap(({ phonemes }) => phonemes).map(({ symbol, start }) => [symbol, start.toFixed(6)]);
    assert.deepEqual(phonemesOf(parts), phonemesOf(whole));
    let end = 0;
    for (const { samples, phonemes } of parts) {
      assert.ok(phonemes.every(({ start }) => start >= end / RATE - 1e-9));
      end += samples.length;
    }
  });

  it('has the times of the model to the sample, and separates words', async () => {
    const [piece] = await bench.speak(request(DE, 'Guten Tag.'));
    assert.ok(piece !== undefined);
    const [start, g, u] = piece.phonemes;
    const seconds = (...ids: number[]) => ids.reduce((sum, id) => sum + (framesOf(id) * HOP) / RATE, 0);
    assert.deepEqual([start?.symbol, g?.symbol, u?.symbol], ['', 'ɡ', 'uː']);
    // The sentence starts with 50 ms of silence before its first tone.
    assert.ok(Math.abs((g?.start ?? 0) - seconds(1, 0) - 0.05) < 1 / RATE);
    assert.ok(Math.abs((u?.duration ?? 0) - seconds(120, 0, 33, 0, 122, 0)) < 1e-6);
    assert.deepEqual(
      piece.phonemes
        .map(({ symbol }) => symbol)
        .join('')
        .split(' ').length,
      2,
    );
  });

  for (const voice of [DE, CUT, 'de_DE-untimed-medium']) {
    it(`covers the whole speech with phonemes, also with a requested duration (${voice})`, async () => {
      for (const delivery of [{}, { duration: 2 }, { speed: 3 }]) {
        const pieces = await bench.speak(request(voice, 'Hallo. Guten Tag!', delivery));
        let end = 0;
        for (const { start, duration } of pieces.flatMap(({ phonemes }) => phonemes)) {
          assert.ok(Math.abs(start - end) < 1e-6);
          assert.ok(duration >= 0);
          end = start + duration;
        }
        assert.ok(Math.abs(end - secondsOf(pieces)) < 1e-6);
      }
    });
  }

  it('reads figures, units and dates as words', async () => {
    assert.deepEqual(
      await idsOf('21,5 °C am 3.5.2026'),
      await idsOf('einundzwanzig Komma fünf Grad Celsius am dritten Mai zweitausendsechsundzwanzig'),
    );
  });

  it('rejects a text without sounds', async () => {
    for (const text of ['...', ' – ', '!?']) {
      await assert.rejects(bench.speak(request(DE, text)), { name: 'NothingToSpeakError' });
      await assert.rejects(bench.engine.predict(request(DE, text), forever), {
        name: 'NothingToSpeakError',
      });
    }
  });

  it('cuts a long sentence between clauses, and loses no sound', async () => {
    const clause = 'im Wohnzimmer ist das Fenster offen';
    const text = `${Array.from({ length: 14 }, () => clause).join(', ')}.`;
    const pieces = await bench.speak(request(DE, text));
    assert.ok(pieces.length >= 2);
    const heard = pieces.flatMap(({ samples }) => idsHeardIn(samples, RATE));
    const sounds = (ids: number[]) => ids.filter((id) => id > 13);
    const once = sounds(await idsOf(clause));
    assert.deepEqual(sounds(heard), Array.from({ length: 14 }, () => once).flat());
    for (const { samples } of pieces) assert.ok(tonesIn(samples, RATE).length < 700);
  });

  it('names a voice that was removed', async () => {
    await assert.rejects(
      bench.speak(request('de_DE-gone-low', 'Hallo.')),
      /de_DE-gone-low.*no longer installed/,
    );
  });

  it('speaks again after an abort', async () => {
    const controller = new AbortController();
    const speaking = bench.speak(request(DE, TEXT), controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(speaking, /enough/);
    assert.ok(samplesOf(await bench.speak(request(DE, 'Hallo.'))).length > 0);
  });
});
