import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { EspeakChild } from '../../../service/voices/engines/espeak/espeak-child.js';
import { spellingsOf } from '../../../service/voices/engines/neural/spelling/spelling.js';
import type { VoiceConfig } from '../../../service/voices/installed/voice-config.js';
import { PHONEME_IDS } from '../../support/natural/stub-voice.js';
import { testSentences } from '../../../service/voices/engines/test-sentences.js';

/** The reference that gives the phonemes of Piper's voices, in its build for Node.js. It has the data of an earlier eSpeak NG. */
const reference = z
  .object({
    phonemize: z.custom<(text: string, voice: string) => number[][]>((value) => typeof value === 'function'),
  })
  .parse(createRequire(path.join(process.cwd(), '.cache/real/phonemes/test.js'))('piper-phonemize'));

const NEWER = 'eSpeak NG has newer data';

/** Languages by their voice of eSpeak NG. The words of Japanese and Chinese have other ways to phonemes. */
const VOICES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'ar bg ca cs da de el es et fa fi fr hi hr hu id it ko lt lv nl pl ro ru sk sl sv tr uk vi'
      .split(' ')
      .map((language) => [language, language]),
  ),
  'en-us': 'en',
  nb: 'no',
  'pt-br': 'pt',
};

/** The sentences that differ, by the voice of eSpeak NG and the place in its list, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'ca 1': `${NEWER}: other rules for Catalan`,
  'ca 2': `${NEWER}: other rules for Catalan`,
  'ca 3': `${NEWER}: other rules for Catalan`,
  'ca 4': `${NEWER}: other rules for Catalan`,
  'ca 5': `${NEWER}: other rules for Catalan`,
  'ca 6': `${NEWER}: other rules for Catalan`,
  'ca 7': `${NEWER}: other rules for Catalan`,
  'ca 8': `${NEWER}: other rules for Catalan`,
  'el 3': 'Herald ends a Greek question with the question mark that voices know',
  'en-us 8': `${NEWER}: one vowel before r in "door"`,
};

/** Sounds that the voices of these languages never learned, with the ones that Herald speaks in their place (decision 0187). */
const UNTRAINED: Readonly<Record<string, readonly [sound: string, near: string]>> = {
  de: ['ʏ', 'y'],
  'pt-br': ['c', 'k'],
};

const SYMBOLS = new Map(Object.entries(PHONEME_IDS).map(([symbol, [id]]) => [id, symbol]));
const FRAME = new Set(['_', '^', '$']);

/** Returns the symbols of ids without start, pads and end, in one form for both sides. */
function symbolsOf(symbols: readonly (string | undefined)[], voice: string): string {
  const text = symbols.filter((symbol) => symbol !== undefined && !FRAME.has(symbol)).join('');
  const [sound, near] = UNTRAINED[voice] ?? ['', ''];
  return sound === '' ? text : text.replaceAll(sound, near);
}

const CONFIG: VoiceConfig = {
  sampleRate: 22_050,
  espeakVoice: '',
  noiseScale: 0,
  lengthScale: 1,
  noiseW: 0,
  phonemeType: 'espeak',
  phonemeIds: new Map(Object.entries(PHONEME_IDS)),
  clusters: [],
  symbols: SYMBOLS.size,
  speakers: [],
  hopLength: 256,
};

describe('the phoneme ids of Piper voices', function () {
  this.timeout(120_000);
  const espeak = new EspeakChild();
  after(() => espeak.close());

  async function ownSymbols(text: string, voice: string): Promise<string> {
    const config = { ...CONFIG, espeakVoice: voice };
    const read = (name: string, texts: string[]) => espeak.phonemes({ voice: name, texts });
    const spelled = await spellingsOf(text, voice.slice(0, 2), config, read);
    return spelled
      .map(({ ids }) =>
        symbolsOf(
          ids.map((id) => SYMBOLS.get(id)),
          voice,
        ),
      )
      .join(' ');
  }

  const referenceSymbols = (text: string, voice: string) =>
    reference
      .phonemize(text, voice)
      .map((codes) => codes.map((code) => String.fromCodePoint(code)))
      .map((symbols) =>
        symbolsOf(
          symbols.filter((symbol) => symbol in PHONEME_IDS),
          voice,
        ),
      )
      .join(' ');

  it('are those of the reference for eight sentences of each language, but for the listed exceptions', async () => {
    const different: string[] = [];
    let count = 0;
    for (const [voice, language] of Object.entries(VOICES)) {
      for (const [place, text] of testSentences(language).entries()) {
        count += 1;
        const [own, other] = [await ownSymbols(text, voice), referenceSymbols(text, voice)];
        if (own.normalize('NFD') !== other.normalize('NFD')) different.push(`${voice} ${place + 1}`);
      }
    }
    assert.deepEqual(different, Object.keys(EXCEPTIONS));
    const newer = Object.values(EXCEPTIONS).filter((reason) => reason.startsWith(NEWER)).length;
    const equal = count - different.length;
    const [share, comparable] = [equal / count, equal / (count - newer)];
    console.log(
      `      ${equal} of ${count} sentences (${(100 * share).toFixed(1)} %), ` +
        `${(100 * comparable).toFixed(1)} % without the ${newer} that newer data explain`,
    );
    assert.equal(count, 8 * Object.keys(VOICES).length);
  });
});
