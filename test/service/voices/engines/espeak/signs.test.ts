import assert from 'node:assert/strict';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import { readJapanese } from '../../../../../service/voices/engines/espeak/japanese/japanese.js';
import { withCounters } from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { withSignWords } from '../../../../../service/voices/engines/espeak/signs.js';
import {
  espeakSentences,
  toEspeakText,
  toUsualForm,
} from '../../../../../service/voices/engines/espeak/text.js';
import { announcements } from './announcements.js';

describe('withSignWords', () => {
  for (const [language, text, words] of [
    ['ru', '21 °C, 2℃, -5 °C, 2,5 °C', '21 градус, 2 градуса, минус 5 градусов, 2,5 градуса'],
    ['sl', '2 °C', '2 stopinji'],
    ['ko', '-5℃, 45%, ₩5,000', '마이너스 5 도, 45 퍼센트, 5,000원'],
    ['ar', '٢١٫٥ °C، ٤٥٪، -٥', '٢١.٥ درجة، ٤٥ بالمئة، سالب ٥'],
    ['fr', 'Il fait -5 °C.', 'Il fait moins 5 °C.'],
    ['de', '−5 °C', '-5 °C'],
    ['en', '45% of B-5, 2026-10-01 and 3 - 2', '45% of B-5, 2026-10-01 and 3 - 2'],
  ] as const) {
    it(`converts ${text} in ${language} to ${words}`, () =>
      assert.equal(withSignWords(toUsualForm(text), language), words));
  }
});

describe('eSpeak', () => {
  const child = new EspeakChild();
  const { signal } = new AbortController();

  async function readingOf(text: string, language: string): Promise<string> {
    const usual = toUsualForm(text);
    if (language !== 'ja') return withSignWords(usual, language);
    return readJapanese(withCounters(usual), signal, (part) => child.read(part));
  }

  /** Sounds, including eSpeak's marks of a change of language, such as "(en)". */
  async function soundsOf(text: string, voice: string): Promise<string[]> {
    const language = voice.slice(0, 2);
    const readable = toEspeakText(await readingOf(text, language), language);
    const sounds: string[] = [];
    for (const sentence of espeakSentences(readable, language)) {
      const request = { voice: `${voice}+man`, text: sentence, rate: 400, pitch: 50, range: 50 };
      const { marks } = await child.utter(request);
      sounds.push(...marks.flatMap(({ symbol }) => symbol ?? []));
    }
    return sounds.filter((symbol) => symbol !== '');
  }

  for (const [voice, texts] of Object.entries(announcements)) {
    it(`speaks announcements in ${voice} without names of letters or words of another language`, async () => {
      for (const text of texts) {
        const sounds = await soundsOf(text, voice);
        const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
        assert.ok(sounds.length > letters / 2, `${text} is mostly silent: ${sounds.join('')}`);
        assert.doesNotMatch(sounds.join(''), /\(/u, text);
      }
    });
  }

  for (const voice of Object.keys(announcements)) {
    it(`speaks the minus sign of a temperature in ${voice}`, async () => {
      assert.notEqual((await soundsOf('-5 °C', voice)).join(''), (await soundsOf('5 °C', voice)).join(''));
      assert.equal((await soundsOf('−5 °C', voice)).join(''), (await soundsOf('-5 °C', voice)).join(''));
    });
  }
});
