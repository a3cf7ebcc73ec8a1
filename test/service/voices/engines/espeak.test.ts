import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import * as fc from 'fast-check';
import { medianPitch, trackPitch } from '../../../../service/kit/audio/pitch.js';
import { peakOf, toFloat } from '../../../../service/kit/audio/samples.js';
import {
  type Prosody,
  type Engine,
  NothingToSpeakError,
  type EnginePiece,
} from '../../../../service/voices/engines/engine.js';
import { startEspeak } from '../../../../service/voices/engines/espeak/espeak.js';
import { espeakVoices } from '../../../../service/voices/engines/espeak/voices.js';
import { withEmojiNames } from '../../../../service/voices/engines/normalize/emoji/emoji.js';
import { anyText } from '../../../support/any-text.js';

const neutral: Prosody = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };
/** Gives a third of the audio, for tests of the words rather than the sound. */
const FAST = { speed: 2.3 };
/** Voiced throughout, so that most of its audio has a pitch. */
const SENTENCE = 'We were away a year ago.';

/** "Good morning." and a number in every language. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'صباح الخير، 7.',
  bg: 'Добро утро, 7.',
  cs: 'Dobré ráno, 7.',
  da: 'Godmorgen, 7.',
  de: 'Guten Morgen, 7.',
  el: 'Καλημέρα, 7.',
  en: 'Good morning, 7.',
  es: 'Buenos días, 7.',
  et: 'Tere hommikust, 7.',
  fi: 'Hyvää huomenta, 7.',
  fr: 'Bonjour, 7.',
  hi: 'सुप्रभात, 7.',
  hr: 'Dobro jutro, 7.',
  hu: 'Jó reggelt, 7.',
  id: 'Selamat pagi, 7.',
  it: 'Buongiorno, 7.',
  ja: 'おはようございます、7。',
  ko: '안녕하세요, 7.',
  lt: 'Labas rytas, 7.',
  lv: 'Labrīt, 7.',
  nl: 'Goedemorgen, 7.',
  pl: 'Dzień dobry, 7.',
  pt: 'Bom dia, 7.',
  ro: 'Bună dimineața, 7.',
  ru: 'Доброе утро, 7.',
  sk: 'Dobré ráno, 7.',
  sl: 'Dobro jutro, 7.',
  sv: 'God morgon, 7.',
  tr: 'Günaydın, 7.',
  uk: 'Доброго ранку, 7.',
  vi: 'Chào buổi sáng, 7.',
};

/** Sentences whose silence at the end is a small part of their length. */
const longer: Readonly<Record<string, string>> = {
  'en-emily': 'Good morning, the coffee is ready, 7.',
  'de-anna': 'Guten Morgen, der Kaffee ist fertig, 7.',
  'ja-yuki': 'おはようございます、コーヒーができました、7。',
};

describe('eSpeak NG', () => {
  let engine: Engine;
  before(() => {
    engine = startEspeak();
  });
  after(() => engine.close?.());

  async function pieces(
    text: string,
    voice = 'en-emily',
    delivery: Partial<Prosody> = {},
  ): Promise<EnginePiece[]> {
    const language = voice.slice(0, 2);
    const request = { voice, text, language, delivery: { ...neutral, ...delivery } };
    const result: EnginePiece[] = [];
    for await (const piece of engine.speak(request, new AbortController().signal)) result.push(piece);
    return result;
  }

  async function speak(text: string, voice?: string, delivery?: Partial<Prosody>) {
    const spoken = await pieces(text, voice, delivery);
    const samples = joined(spoken.map((piece) => piece.samples));
    const sampleRate = spoken[0]?.sampleRate ?? 0;
    return {
      samples: toFloat(samples),
      sampleRate,
      seconds: samples.length / sampleRate,
      phonemes: spoken.flatMap((piece) => piece.phonemes),
    };
  }

  type Spoken = Awaited<ReturnType<typeof speak>>;

  function pitchOf({ samples, sampleRate }: Spoken): number {
    return medianPitch(trackPitch(samples, sampleRate)) ?? 0;
  }

  /** Asserts that the phonemes have no gaps from the start to the end of the audio. */
  function assertContinuous({ phonemes, seconds }: Spoken): void {
    let end = 0;
    for (const { start, duration } of phonemes) {
      assert.ok(Math.abs(start - end) < 1e-9, `starts at ${start}, not at ${end}`);
      assert.ok(duration >= 0, `lasts ${duration}`);
      end = start + duration;
    }
    assert.ok(Math.abs(end - seconds) < 1e-9, `ends at ${end} of ${seconds} s`);
  }

  it('has voices of two genders with unique ids for each of the 31 languages of compact_api_3', () => {
    for (const language of models['compact_api_3']?.languages ?? []) {
      const voices = espeakVoices.filter(({ languages }) => languages.includes(language));
      assert.ok(voices.length >= 2, language);
      assert.ok(new Set(voices.map(({ gender }) => gender)).size === 2, language);
    }
    assert.equal(new Set(espeakVoices.map(({ id }) => id)).size, espeakVoices.length);
    for (const { id } of espeakVoices) assert.match(id, /^[a-z]{2}-[a-z]+$/);
  });

  /** A voice is a language and one of three variants. Each language is tested once, with alternating variants. */
  const selection = espeakVoices.filter((_voice, index) => index % 3 === Math.floor(index / 3) % 3);
  for (const voice of selection) {
    it(`speaks with ${voice.id}: ${voice.description}`, async () => {
      const text = sentences[voice.languages[0] ?? ''] ?? '';
      const spoken = await speak(text, voice.id);
      const { samples, seconds, phonemes } = spoken;
      assert.ok(seconds > 0.6 && seconds < 3, `${seconds} s`);
      assert.ok(peakOf(samples) < 10 ** (-1 / 20) + 0.001, `peak ${peakOf(samples)}`);
      const loudness = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
      assert.ok(loudness > 0.04, `RMS ${loudness}`);
      assert.ok(longestPlateau(samples) < 4, `clipped for ${longestPlateau(samples)} samples`);
      assert.ok(phonemes.filter(({ symbol }) => symbol !== '').length > 7);
      assertContinuous(spoken);
      const distance = 12 * Math.log2(pitchOf(spoken) / voice.pitch);
      assert.ok(Math.abs(distance) < 4.5, `${distance} semitones from the stated pitch`);
    });
  }

  it('gives equal audio for equal requests, independent of earlier requests', async () => {
    const text = sentences['vi'] ?? '';
    const first = await speak(text, 'vi-ngoc', { speed: 0.4 });
    await speak(SENTENCE);
    assert.deepEqual(await speak(text, 'vi-ngoc', { speed: 0.4 }), first);
    assert.deepEqual(await startedAnew(text, 'vi-ngoc'), await pieces(text, 'vi-ngoc'));
  });

  async function startedAnew(text: string, voice: string): Promise<EnginePiece[]> {
    const request = { voice, text, language: voice.slice(0, 2), delivery: neutral };
    const result: EnginePiece[] = [];
    const other = startEspeak();
    for await (const piece of other.speak(request, new AbortController().signal)) result.push(piece);
    await other.close?.();
    return result;
  }

  for (const voice of ['en-emily', 'en-oliver', 'en-poppy']) {
    it(`moves the pitch of ${voice} by the semitones of pitchShift`, async () => {
      const own = pitchOf(await speak(SENTENCE, voice));
      for (const pitchShift of [-8, 6]) {
        const shifted = pitchOf(await speak(SENTENCE, voice, { pitchShift }));
        assert.ok(
          Math.abs(12 * Math.log2(shifted / own) - pitchShift) < 1,
          `${pitchShift}: ${own} to ${shifted} Hz`,
        );
      }
    });
  }

  it('limits the pitch to the range of eSpeak', async () => {
    const own = pitchOf(await speak(SENTENCE));
    for (const pitchShift of [-24, 24]) {
      const shifted = pitchOf(await speak(SENTENCE, 'en-emily', { pitchShift }));
      const semitones = 12 * Math.log2(shifted / own) * Math.sign(pitchShift);
      assert.ok(semitones > 6 && semitones < 12, `${pitchShift}: ${own} to ${shifted} Hz`);
    }
  });

  it('speaks monotonously at pitchVariance 0, and with a wider pitch range at 2', async () => {
    const pitchRangeOf = async (pitchVariance: number) => {
      const { samples, sampleRate } = await speak(SENTENCE, 'en-emily', { pitchVariance });
      const voiced = trackPitch(samples, sampleRate)
        .filter((pitch) => pitch > 0)
        .sort();
      const at = (share: number) => voiced[Math.floor(voiced.length * share)] ?? 0;
      return at(0.75) - at(0.25);
    };
    const [flat, own, lively] = [await pitchRangeOf(0), await pitchRangeOf(1), await pitchRangeOf(2)];
    assert.ok(flat < own / 2 && lively > own * 1.2, `${flat}, ${own}, ${lively} Hz`);
  });

  for (const voice of Object.keys(longer)) {
    it(`speaks with ${voice} in proportion to the speed, from 0.4 to 2.3`, async () => {
      const text = longer[voice] ?? '';
      const { seconds } = await speak(text, voice);
      for (const speed of [0.4, 2.3]) {
        const spoken = await speak(text, voice, { speed });
        const share = (spoken.seconds * speed) / seconds;
        assert.ok(Math.abs(share - 1) < 0.12, `${spoken.seconds} of ${seconds} s at speed ${speed}`);
        assertContinuous(spoken);
      }
    });
  }

  for (const duration of [0.5, 1.5, 10]) {
    it(`meets a duration of ${duration} s within 5 %, over several sentences`, async () => {
      for (const voice of duration > 1 ? ['en-emily'] : ['en-emily', 'de-lukas']) {
        const spoken = await speak('Good morning. Coffee is ready.', voice, { duration, speed: 1.2 });
        assert.ok(Math.abs(spoken.seconds / duration - 1) < 0.05, `${spoken.seconds} s`);
        assertContinuous(spoken);
      }
    });
  }

  it('gives one piece per sentence, with pauses in between', async () => {
    const spoken = await pieces('Hello Mr. Smith. It is 3.5 degrees! Really?');
    assert.equal(spoken.length, 3);
    assert.deepEqual(
      spoken.map(({ phonemes }) => phonemes[0]?.symbol),
      ['', '', ''],
    );
  });

  // A number of six digits has about 50 letters in words.
  for (const [voice, unit, length = 300] of [
    ['en-emily', `${withEmojiNames('🙂', 'en')} `],
    ['en-emily', 'banana'],
    ['de-anna', '987654 ', 100],
    ['hi-priya', 'नमस्ते '],
    ['ko-minji', '안녕하세요'],
    ['ja-yuki', 'きょうはいいてんきですね'],
  ] as const) {
    it(`speaks every repetition of ${unit} in a text of ${length} characters`, async () => {
      const count = Math.floor(length / unit.length);
      const [few, many] = [
        await speak(unit.repeat(5), voice, FAST),
        await speak(unit.repeat(count), voice, FAST),
      ];
      const share = many.seconds / count / (few.seconds / 5);
      assert.ok(share > 0.8 && share < 1.25, `${few.seconds} s for 5, ${many.seconds} s for ${count}`);
    });
  }

  it('stops between two sentences when the signal aborts', async () => {
    const controller = new AbortController();
    const request = { voice: 'en-emily', text: 'One. Two. Three.', language: 'en', delivery: neutral };
    let count = 0;
    await assert.rejects(
      async () => {
        for await (const piece of engine.speak(request, controller.signal)) {
          count += piece.phonemes.length > 0 ? 1 : 0;
          controller.abort();
        }
      },
      { name: 'AbortError' },
    );
    assert.equal(count, 1);
  });

  it('rejects a text that it cannot read', async () => {
    for (const text of ['你好', ' \n\t', '...', '\u0000', '\ud800', 'שלום', '']) {
      await assert.rejects(pieces(text), NothingToSpeakError, JSON.stringify(text));
      await assert.rejects(
        pieces(text, 'en-emily', { duration: 3 }),
        NothingToSpeakError,
        JSON.stringify(text),
      );
    }
  });

  for (const text of [
    '-h',
    'a < b > c & d',
    '<speak><break time="30s"/>hello</speak>',
    '<voice name="de">unclosed',
    '&lt; &#60; &nbsp;',
    '[[h@l@U]]',
    '"quoted" ‘curly’ “text” — dash…',
    'https://example.com/a?b=c#d',
    '9'.repeat(60),
    'a'.repeat(60),
    withEmojiNames('🙂🎉 '.repeat(5), 'en'),
    '€5, £6 and ¥7 at 20 °C',
    'Привет мир, 안녕, नमस्ते, Ελλάδα',
    '你好 hello 🙂',
    'nul \u0000 and lone \ud800 surrogate',
    '½ ² ﬁne １２３',
    'a\\b|c~d^e`f{g}[h]',
  ]) {
    it(`speaks ${JSON.stringify(text.slice(0, 60))}`, async () => {
      const spoken = await speak(text, undefined, FAST);
      assert.ok(spoken.seconds > 0.1 && spoken.seconds < 300, `${spoken.seconds} s`);
      assertContinuous(spoken);
    });
  }

  it('ignores markup in a text', async () => {
    const { seconds } = await speak('One <break time="30s"/> two.');
    assert.ok(seconds < 10, `${seconds} s`);
  });

  it('gives audio or a NothingToSpeakError for any 300 characters', async () => {
    const texts = anyText({ maxLength: 300 });
    const voices = fc.constantFrom(...espeakVoices.map(({ id }) => id));
    await fc.assert(
      fc.asyncProperty(texts, voices, async (text, voice) => {
        try {
          assertContinuous(await speak(text, voice, FAST));
        } catch (error) {
          assert.ok(error instanceof NothingToSpeakError, String(error));
        }
      }),
      { numRuns: 5 },
    );
  });
});

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** Counts the longest run of equal loud samples. Clipped audio has long runs. */
function longestPlateau(samples: Float32Array): number {
  let longest = 0;
  let length = 0;
  for (const [index, value] of samples.entries()) {
    length = Math.abs(value) > 0.5 && value === samples[index - 1] ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}
