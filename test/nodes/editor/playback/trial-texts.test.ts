import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { trialText } from '../../../../nodes/editor/playback/trial-texts.js';

const languages = [...new Set(Object.values(models).flatMap((model) => model.languages))];
const scripts: Readonly<Record<string, RegExp>> = {
  ko: /^[\p{Script=Hangul}\P{Letter}]+$/u,
  ja: /^[\p{Script=Hiragana}\P{Letter}]+$/u,
  ar: /^[\p{Script=Arabic}\P{Letter}]+$/u,
  el: /^[\p{Script=Greek}\P{Letter}]+$/u,
  hi: /^[\p{Script=Devanagari}\P{Letter}]+$/u,
  ...Object.fromEntries(['bg', 'ru', 'uk'].map((code) => [code, /^[\p{Script=Cyrillic}\P{Letter}]+$/u])),
};
const LATIN = /^[\p{Script=Latin}\P{Letter}]+$/u;

describe('the text that a voice is tried with', () => {
  for (const language of languages) {
    it(`is one of its own in ${language}, in the letters of that language`, () => {
      const { text, language: said } = trialText(language);
      assert.equal(said, language);
      assert.match(text, scripts[language] ?? LATIN);
      assert.equal(languages.filter((other) => trialText(other).text === text).length, 1);
    });
  }

  it('is English in a language that no listed model has, and where none is said', () => {
    for (const language of ['sw', '', 'constructor']) assert.equal(trialText(language).language, 'en');
  });
});
