import assert from 'node:assert/strict';
import { type Engine } from '../../../../../service/voices/engines/engine.js';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import type {
  EspeakUtterance,
  UtteranceRequest,
} from '../../../../../service/voices/engines/espeak/messages.js';
import { startEspeak } from '../../../../../service/voices/engines/espeak/espeak.js';
import { flite } from '../../../../../service/voices/engines/flite/plugin.js';
import { normalizeText } from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { figures } from './figures.js';

/** Hertz of the silence that stands in for the audio. */
const RATE = 100;
/** Within the rates of eSpeak, so that no audio is stretched. */
const delivery = { speed: 2.5, pitchShift: 0, pitchVariance: 1, duration: 0 };
/**
 * Figures in one text, to save time. In Japanese it is one: a text of kana alone is not divided into words.
 */
const BATCHES: Readonly<Record<string, number>> = { ja: 1 };
const BATCH = 6;
const voices: Readonly<Record<string, string>> = {
  en: 'en-emily',
  de: 'de-anna',
  es: 'es-lucia',
  fr: 'fr-camille',
  it: 'it-giulia',
  ko: 'ko-minji',
  ja: 'ja-yuki',
};

/** Regions of voices that read some figures in another way than the table of their language. */
const regions: Readonly<Record<string, string>> = { 'en-emily': 'en-GB', kal: 'en-US' };

/** Figures with their words in the region of a voice. */
const tableOf = (language: string, voice: string) =>
  (figures[language] ?? []).map(([figure, words]) => {
    const region = regions[voice];
    return [figure, region === undefined ? words : normalizeText(figure, region)] as const;
  });

/** eSpeak's process. Its phonemes alone take a fifth of the time of its audio. */
class Phonemes extends EspeakChild {
  override async utter({ voice, text }: UtteranceRequest): Promise<EspeakUtterance> {
    const [sounds = ''] = await this.phonemes({ voice, texts: [text] });
    const symbols = sounds.replaceAll(/\([a-z-]+\)|[ˈˌ|]/g, '').split(/[_ ]+/);
    const marks = symbols.map((symbol, at) => ({ at, symbol }));
    return { kind: 'spoken', samples: new Int16Array(symbols.length * RATE), sampleRate: RATE, marks };
  }
}

describe('a spoken figure', () => {
  /** Gives phonemes without audio. */
  let espeak: Engine;
  let speaking: Engine;
  before(() => {
    espeak = startEspeak({ child: new Phonemes() });
    speaking = startEspeak();
  });
  after(() => Promise.all([espeak.close?.(), speaking.close?.()]));

  async function soundsOf(engine: Engine, voice: string, language: string, text: string): Promise<string> {
    const sounds: string[] = [];
    const request = { voice, text, language, delivery };
    for await (const { phonemes } of engine.speak(request, new AbortController().signal)) {
      sounds.push(...phonemes.map(({ symbol }) => symbol));
    }
    return sounds.join('');
  }

  async function assertSoundsOfWords(engine: Engine, voice: string, language: string): Promise<void> {
    const table = tableOf(language, voice);
    const size = BATCHES[language] ?? BATCH;
    const sounds = (text = '') => soundsOf(engine, voice, language, text);
    for (let start = 0; start < table.length; start += size) {
      const batch = table.slice(start, start + size);
      const [figure, words] = [0, 1].map((column) => batch.map((row) => row[column]).join('; '));
      assert.equal(await sounds(figure), await sounds(words), `${figure} does not sound like ${words}`);
    }
  }

  for (const [language, voice] of Object.entries(voices)) {
    it(`in ${language} sounds like its words, with eSpeak NG`, () =>
      assertSoundsOfWords(espeak, voice, language));
  }

  // The audio has the phonemes of the reading in all languages.
  for (const [language, voice] of Object.entries(voices).slice(0, 2)) {
    it(`in ${language} sounds like its words in the audio of eSpeak NG`, async () => {
      const [[figure, words] = assert.fail(language)] = tableOf(language, voice);
      const sounds = await soundsOf(speaking, voice, language, figure);
      assert.ok(sounds.length > words.length / 2, sounds);
      assert.equal(sounds, await soundsOf(speaking, voice, language, words));
    });
  }

  it('in en sounds like its words, with Flite', async () => {
    const engine = await flite.start(await flite.prepare());
    await assertSoundsOfWords(engine, 'kal', 'en');
  });

  it('in German sounds like the parts of its words', async () => {
    for (const [number, parts] of [
      ['42', 'zwei und vierzig'],
      ['2.345', 'zwei tausend drei hundert fünf und vierzig'],
      ['am 31. Mai', 'am ein und dreißigsten Mai'],
    ] as const) {
      assert.equal(
        await soundsOf(espeak, 'de-anna', 'de', number),
        await soundsOf(espeak, 'de-anna', 'de', parts),
      );
    }
  });
});
