import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { medianPitch, trackPitch } from '../../../../service/kit/audio/pitch.js';
import { peakOf, toFloat } from '../../../../service/kit/audio/samples.js';
import {
  type Prosody,
  type Engine,
  NothingToSpeakError,
  type EnginePiece,
} from '../../../../service/voices/engines/engine.js';
import { flite } from '../../../../service/voices/engines/flite/plugin.js';
import { anyText } from '../../../support/any-text.js';

const neutral: Prosody = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };
/** Voiced throughout, so that most of its audio has a pitch. */
const SENTENCE = 'We were away a year ago.';

describe('Flite', () => {
  let engine: Engine;
  before(async () => {
    engine = await flite.start(await flite.prepare());
  });

  async function pieces(
    text: string,
    voice = 'slt',
    delivery: Partial<Prosody> = {},
  ): Promise<EnginePiece[]> {
    const request = { voice, text, language: 'en', delivery: { ...neutral, ...delivery } };
    const result: EnginePiece[] = [];
    for await (const piece of engine.speak(request, new AbortController().signal)) result.push(piece);
    return result;
  }

  async function speak(text: string, voice?: string, delivery?: Partial<Prosody>) {
    const spoken = await pieces(text, voice, delivery);
    const samples = Int16Array.from(spoken.flatMap((piece) => [...piece.samples]));
    const sampleRate = spoken[0]?.sampleRate ?? 0;
    return {
      samples: toFloat(samples),
      sampleRate,
      seconds: samples.length / sampleRate,
      phonemes: spoken.flatMap((piece) => piece.phonemes),
    };
  }

  /** The pitch of the sentence with each voice and without a change, which several tests compare with others. */
  const plain = new Map<string, Float32Array>();
  async function trackOf(voice: string, delivery: Partial<Prosody>): Promise<Float32Array> {
    const isPlain = Object.keys(delivery).length === 0;
    const known = isPlain ? plain.get(voice) : undefined;
    if (known !== undefined) return known;
    const { samples, sampleRate } = await speak(SENTENCE, voice, delivery);
    const track = trackPitch(samples, sampleRate);
    if (isPlain) plain.set(voice, track);
    return track;
  }

  async function pitchOf(voice: string, delivery: Partial<Prosody>): Promise<number> {
    return medianPitch(await trackOf(voice, delivery)) ?? 0;
  }

  it('reads a date in the order of the region of the voice', async () => {
    const soundsOf = async (text: string, voice: string) =>
      (await speak(text, voice)).phonemes.map(({ symbol }) => symbol).join(' ');
    for (const [voice, date] of [
      ['awb', 'the third of April twenty twenty-six'],
      ['slt', 'March fourth, twenty twenty-six'],
    ] as const)
      assert.equal(await soundsOf('3/4/2026', voice), await soundsOf(date, voice));
  });

  for (const voice of flite.voices) {
    it(`speaks with the voice ${voice.id}, with peaks of -1 dBFS at most`, async () => {
      const { samples, seconds } = await speak(SENTENCE, voice.id);
      assert.ok(seconds > 0.9 && seconds < 3, `${seconds} s`);
      assert.ok(peakOf(samples) < 10 ** (-1 / 20) + 0.001, `peak ${peakOf(samples)}`);
    });
  }

  for (const voice of ['slt', 'rms', 'awb']) {
    it(`moves the pitch of ${voice} by the semitones of pitchShift`, async () => {
      const [low, own, high] = [
        await pitchOf(voice, { pitchShift: -4 }),
        await pitchOf(voice, {}),
        await pitchOf(voice, { pitchShift: 6 }),
      ];
      assert.ok(Math.abs(12 * Math.log2(high / own) - 6) < 1, `6 semitones up: ${own} to ${high} Hz`);
      assert.ok(Math.abs(12 * Math.log2(low / own) + 4) < 1, `4 semitones down: ${own} to ${low} Hz`);
    });

    it(`speaks monotonously with ${voice} at pitchVariance 0, and with a wider pitch range at 2`, async () => {
      const [flat, own, lively] = [
        await pitchRangeOf(voice, { pitchVariance: 0 }),
        await pitchRangeOf(voice, {}),
        await pitchRangeOf(voice, { pitchVariance: 2 }),
      ];
      assert.ok(flat < own / 2 && lively > own * 1.2, `${flat}, ${own}, ${lively} Hz`);
    });
  }

  /** Interquartile range of the pitch in hertz. */
  async function pitchRangeOf(voice: string, delivery: Partial<Prosody>): Promise<number> {
    const track = await trackOf(voice, delivery);
    const voiced = track.filter((pitch) => pitch > 0).sort();
    const at = (share: number) => voiced[Math.floor(voiced.length * share)] ?? 0;
    return at(0.75) - at(0.25);
  }

  it('limits the pitch to the range of the voice', async () => {
    assert.ok((await pitchOf('slt', { pitchShift: 24 })) <= 410);
    assert.ok((await pitchOf('kal16', { pitchShift: -24 })) >= 55);
  });

  it('takes half the time at speed 2, and twice the time at speed 0.5', async () => {
    const { seconds } = await speak(SENTENCE);
    const [fast, slow] = [
      await speak(SENTENCE, 'slt', { speed: 2 }),
      await speak(SENTENCE, 'slt', { speed: 0.5 }),
    ];
    assert.ok(Math.abs(fast.seconds / seconds - 0.5) < 0.03, `${fast.seconds} of ${seconds} s`);
    assert.ok(Math.abs(slow.seconds / seconds - 2) < 0.06, `${slow.seconds} of ${seconds} s`);
  });

  for (const duration of [1.5, 5]) {
    it(`meets a duration of ${duration} s within 5 %, over several sentences`, async () => {
      const { seconds } = await speak('Good morning. The coffee is ready.', 'rms', { duration });
      assert.ok(Math.abs(seconds / duration - 1) < 0.05, `${seconds} s`);
    });
  }

  for (const voice of flite.voices) {
    it(`gives phonemes of ${voice.id} without gaps, from the initial silence to the end of the audio`, async () => {
      const { phonemes, seconds } = await speak('Good morning. Tea is ready!', voice.id);
      let end = 0;
      for (const { start, duration } of phonemes) {
        assert.ok(Math.abs(start - end) < 1e-9, `starts at ${start}, not at ${end}`);
        assert.ok(duration >= 0);
        end = start + duration;
      }
      assert.ok(Math.abs(end - seconds) < 1e-9, `ends at ${end} of ${seconds} s`);
      assert.equal(phonemes[0]?.symbol, '');
      assert.equal(phonemes.at(-1)?.symbol, '');
      assert.equal(phonemes.map(({ symbol }) => symbol).join(''), 'ɡʊdmɔɹnɪŋtiɪzɹɛdi');
    });
  }

  it('gives one piece per sentence, and does not split "Mr. Smith" or "3.5"', async () => {
    assert.equal((await pieces('Hello Mr. Smith. It is 3.5 degrees! Really?')).length, 3);
  });

  it('stops between two sentences when the signal aborts', async () => {
    const controller = new AbortController();
    const request = { voice: 'slt', text: 'One. Two. Three.', language: 'en', delivery: neutral };
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

  it('rejects a text without letters or digits that it can read', async () => {
    for (const text of ['你好', '🙂🙂', ' \n\t', '...', '\u0000']) {
      await assert.rejects(pieces(text), NothingToSpeakError, JSON.stringify(text));
    }
  });

  for (const text of [
    '-h',
    '--help me',
    '# one',
    'a < b > c & d',
    '"quoted" ‘curly’ “text” — dash…',
    'https://example.com/a?b=c#d',
    '99999999999999999999999999999',
    '€5, £6 and ¥7 at 20 °C',
    'Ça va, naïve Zoë? Straße, smørrebrød',
    '你好 hello 🙂',
    'nul \u0000 and lone \ud800 surrogate',
    '½ ² ﬁne',
    'a\\b|c~d^e`f{g}[h]',
  ]) {
    it(`speaks ${JSON.stringify(text)}`, async () => {
      assert.ok((await speak(text)).seconds > 0.2);
    });
  }

  it('gives audio or a NothingToSpeakError for any 300 characters', async () => {
    const texts = anyText({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        try {
          assert.ok((await speak(text, 'kal')).seconds > 0);
        } catch (error) {
          assert.ok(error instanceof NothingToSpeakError, String(error));
        }
      }),
      { numRuns: 8 },
    );
  });
});
