import assert from 'node:assert/strict';
import { foreignLanguage } from '../../../client/text/foreign-language.js';

describe('the language of letters that a voice cannot read', () => {
  for (const [text, language, foreign] of [
    ['สวัสดีครับ', 'en', 'th'],
    ['  „שלום“', 'de', 'he'],
    ['Привет', 'en', 'ru'],
    ['こんにちは', 'ko', 'ja'],
    ['안녕하세요', 'en', 'ko'],
    ['你好', 'en', 'zh'],
    ['გამარჯობა', 'fr', 'ka'],
  ] as const) {
    it(`is ${foreign} for ${text}`, () => assert.equal(foreignLanguage(text, language), foreign));
  }

  for (const [text, language] of [
    ['東京', 'ja'],
    ['Їжак', 'uk'],
    ['漢字', 'ko'],
    ['Hello', 'de'],
    ['123', 'en'],
  ] as const) {
    it(`is unknown for ${text} in ${language}`, () =>
      assert.equal(foreignLanguage(text, language), undefined));
  }
});
