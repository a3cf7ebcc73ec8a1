import assert from 'node:assert/strict';
import { textInWords } from '../../../../../service/voices/engines/espeak/in-words.js';
import { withEmojiNames, withoutEmoji } from '../../../../../service/voices/engines/normalize/emoji/emoji.js';
import { normalizedLanguages } from '../../../../../service/voices/engines/normalize/normalize-text.js';

describe('emoji', () => {
  it('are silent by default, and keep the words beside them', () => {
    for (const [text, words] of [
      ['Window ⚠️ open', 'Window open'],
      ['⚠️Window open!', 'Window open!'],
      ['Done👍🏽.', 'Done.'],
      ['Done👍Now', 'Done Now'],
      ['Press 1️⃣', 'Press 1'],
      ['🇩🇪👩‍⚕️', ''],
      ['© Herald™, 5 ↔ 6', '© Herald™, 5 ↔ 6'],
    ] as const)
      assert.equal(withoutEmoji(text), words);
    assert.equal(textInWords('Fertig 🎉!', 'de'), 'Fertig !');
  });

  it('have names in each language, if wanted', () => {
    for (const [language, text, words] of [
      ['en', 'Done 🎉!', 'Done party popper!'],
      ['de', 'Fertig🎉', 'Fertig Konfettibombe'],
      ['ja', '⚠️窓', '警告 窓'],
      ['en', '❤️🎉 yes', 'red heart, party popper yes'],
      ['en', '👍🏽', 'thumbs up'],
      ['en', '🇩🇪', 'flag: Germany'],
      ['en', '👩‍⚕️', 'woman health worker'],
      ['en', 'No emoji, 1 # ©', 'No emoji, 1 # ©'],
    ] as const)
      assert.equal(withEmojiNames(text, language), words);
    for (const language of normalizedLanguages)
      assert.match(withEmojiNames('🎉', language), /^[\p{L}\p{M} ,'’-]+$/u, language);
  });

  it('are silent in a language without names', () => {
    for (const language of ['xx', '../en']) assert.equal(withEmojiNames('🎉', language), '');
  });

  it('are named in a text of 100,000 emoji at once', () => {
    const names = withEmojiNames('🎉'.repeat(50_000), 'en');
    assert.equal(names.length, 'party popper, '.length * 50_000 - 2);
  });
});
