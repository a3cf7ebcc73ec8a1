import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { phonemesOfMarks } from '../../../../service/voices/engines/espeak/phonemes.js';
import { espeakSettings } from '../../../../service/voices/engines/espeak/settings.js';
import { stretch } from '../../../../service/voices/engines/espeak/stretch.js';
import { espeakSentences, toEspeakText } from '../../../../service/voices/engines/espeak/text.js';
import { medianPitch, trackPitch } from '../../../../service/kit/audio/pitch.js';
import { anyText } from '../../../support/any-text.js';

describe('toEspeakText', () => {
  const cases = [
    ['en', 'Cafe\u0301', 'Café'],
    ['ko', '안녕'.normalize('NFD'), '안녕'],
    ['ja', 'ｶﾀｶﾅ １２３', 'カタカナ 123'],
    ['ja', '5㎏', '5kg'],
    ['ja', '東京タワー', '  タワー'],
    ['en', 'co\u00adop\u200b', 'coop'],
    ['en', 'a\u0000b\u001bc', 'a b c'],
    ['en', 'lone \ud800 surrogate', 'lone   surrogate'],
    ['en', '[[h@l@U]]', '[ [h@l@U]]'],
    ['en', 'שלום', '    '],
    ['ar', 'مرحبا', 'مرحبا'],
    ['ru', 'Четвертый из трех, четверть', 'Четвёртый из трёх, четверть'],
    ['en', '👍🏽👨‍👩‍👧 <b> & "x"', ' 👍🏽 👨‍👩‍👧 <b> & "x"'],
    ['en', '9'.repeat(50), `${'9'.repeat(20)} ${'9'.repeat(20)} ${'9'.repeat(10)}`],
    ['ja', 'か'.repeat(50), `${'か'.repeat(40)} ${'か'.repeat(10)}`],
  ] as const;
  for (const [language, text, readable] of cases) {
    it(`converts ${JSON.stringify(text)} in ${language} to ${JSON.stringify(readable)}`, () =>
      assert.equal(toEspeakText(text, language), readable));
  }

  it('removes all control characters and lone surrogates', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const readable = toEspeakText(text, 'ja');
        assert.doesNotMatch(readable, /\p{Cs}/u);
        assert.doesNotMatch(readable, /(?!\n)\p{Cc}/u);
      }),
    );
  });
});

describe('espeakSentences', () => {
  const cases: Array<[language: string, text: string, sentences: string[]]> = [
    ['en', 'One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['en', 'Mr. Smith came. He left.', ['Mr. Smith came.', 'He left.']],
    ['de', 'Am 3. Mai kam Dr. Weiß. Gut.', ['Am 3. Mai kam Dr. Weiß.', 'Gut.']],
    ['ja', 'はい。いいえ。', ['はい。', 'いいえ。']],
    ['hi', 'यह एक है। यह दो है।', ['यह एक है।', 'यह दो है।']],
    ['ar', 'كيف حالك؟ أنا بخير.', ['كيف حالك؟', 'أنا بخير.']],
    ['en', ' \n ', []],
  ];
  for (const [language, text, sentences] of cases) {
    it(`finds ${sentences.length} in ${JSON.stringify(text)}, in ${language}`, () =>
      assert.deepEqual(espeakSentences(text, language), sentences));
  }

  it('cuts sentences of many digits, signs or syllables, but not of equally many letters', () => {
    assert.equal(espeakSentences('99999 '.repeat(41), 'en').length, 5);
    assert.equal(espeakSentences('안녕하세요 '.repeat(41), 'ko').length, 2);
    assert.equal(espeakSentences('plain '.repeat(41), 'en').length, 1);
  });

  it('gives sentences of at most 250 characters and drops only spaces', () => {
    const bare = (text: string) => text.replace(/\s/gu, '');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const sentences = espeakSentences(text, 'en');
        assert.equal(bare(sentences.join('')), bare(text));
        for (const sentence of sentences) assert.ok(sentence.length <= 250);
      }),
    );
  });
});

describe('espeakSettings', () => {
  const neutral = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };

  it('stays within the limits for any prosody, and gives the speed by rate and stretch together', () => {
    const prosodies = fc.record({
      speed: fc.double({ min: 0.05, max: 50, noNaN: true }),
      pitchShift: fc.double({ min: -60, max: 60, noNaN: true }),
      pitchVariance: fc.double({ min: 0, max: 4, noNaN: true }),
      duration: fc.constant(0),
    });
    fc.assert(
      fc.property(prosodies, (prosody) => {
        const { rate, pitch, range, stretch } = espeakSettings(prosody, prosody.speed);
        assert.ok(rate >= 80 && rate <= 450 && pitch >= 0 && pitch <= 99 && range >= 0 && range <= 99);
        // The rate is a whole number of words per minute.
        assert.ok(Math.abs(rate / stretch / (175 * prosody.speed) - 1) <= 0.5 / 80);
      }),
    );
  });

  it('gives the neutral settings of eSpeak for the neutral prosody', () => {
    assert.deepEqual(espeakSettings(neutral, 1), { rate: 175, pitch: 50, range: 50, stretch: 1 });
  });

  it('raises the pitch setting with pitchShift', () => {
    const pitches = [-9, -5, -1, 0, 2, 4, 8].map(
      (pitchShift) => espeakSettings({ ...neutral, pitchShift }, 1).pitch,
    );
    assert.deepEqual(
      pitches,
      [...pitches].sort((one, other) => one - other),
    );
  });
});

describe('phonemesOfMarks', () => {
  it('starts and ends with silence and omits changes of language', () => {
    const marks = [
      { at: 0, symbol: null },
      { at: 0.1, symbol: '(en)' },
      { at: 0.1, symbol: 'h' },
      { at: 0.2, symbol: '' },
      { at: 0.25, symbol: 'r' },
      { at: 0.3, symbol: '' },
      { at: 0.4, symbol: '' },
      { at: 0.4, symbol: null },
    ];
    const sounds = phonemesOfMarks(marks, 0.5).map(({ symbol, start }) => [symbol, start]);
    assert.deepEqual(sounds, [
      ['', 0],
      ['h', 0.1],
      ['r', 0.25],
      ['', 0.3],
    ]);
  });
});

describe('stretch', () => {
  const sampleRate = 22_050;
  const tone = Float32Array.from({ length: sampleRate }, (_, index) =>
    Math.sin((2 * Math.PI * 150 * index) / sampleRate),
  );

  for (const factor of [0.4, 1.3, 3]) {
    it(`makes audio ${factor} times as long at the same pitch and level`, () => {
      const result = stretch(tone, sampleRate, factor);
      assert.equal(result.length, Math.round(tone.length * factor));
      const pitch = medianPitch(trackPitch(result, sampleRate)) ?? 0;
      assert.ok(Math.abs(pitch - 150) < 2, `${pitch} Hz`);
      const middle = result.subarray(result.length * 0.2, result.length * 0.8);
      const level = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length);
      assert.ok(Math.abs(level / Math.SQRT1_2 - 1) < 0.1, `${level}`);
    });
  }
});
