import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { trialText } from '../../browser/trial-texts.js';

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

describe('sample sentence of Try it', () => {
  for (const language of languages) {
    it(`is unique in ${language} and uses the letters of that language`, () => {
      const sentence = trialText(language);
      const { text } = sentence;
      assert.equal(sentence.language, language);
      assert.match(text, scripts[language] ?? LATIN);
      assert.equal(languages.filter((other) => trialText(other).text === text).length, 1);
    });
  }

  it('is the one of the language for a language with a region', () => {
    assert.deepEqual(trialText('de-AT'), trialText('de'));
  });

  it('is English for a language that no model speaks and for a blank language', () => {
    for (const language of ['sw', '', 'constructor']) assert.equal(trialText(language).language, 'en');
  });
});
