import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chunkText, cutText, isSpeakable } from '../../../client/text/chunk.js';

const cut = (text: string, maxLength: number, language?: string): string[] =>
  chunkText(text, language === undefined ? { maxLength } : { maxLength, language });

describe('cutText', () => {
  it('returns one chunk for a text that fits, and none for white space', () => {
    assert.deepEqual(chunkText('  Hello there. How are you?\n'), ['Hello there. How are you?']);
    for (const empty of ['', '   ', '\n\r\n\t\u00a0\u3000\ufeff']) assert.deepEqual(chunkText(empty), []);
  });

  it('allows 300 characters in a chunk by default', () => {
    assert.deepEqual(chunkText('a'.repeat(300)), ['a'.repeat(300)]);
    assert.equal(chunkText('a'.repeat(301)).length, 2);
  });

  it('rejects a wrong argument with its name, its value and the rule', () => {
    for (const maxLength of [0, -1, 1.5, Number.NaN, Infinity]) {
      assert.throws(() => chunkText('a', { maxLength }), {
        name: 'RangeError',
        message: `maxLength ${maxLength}: expected an integer of at least 1`,
      });
    }
    assert.throws(() => Reflect.apply(chunkText, undefined, [7]), {
      name: 'TypeError',
      message: 'text: expected a string, not number',
    });
  });

  it('returns the position of each chunk in the text', () => {
    assert.deepEqual(cutText('  One here. \n Two there. ', { maxLength: 12 }), [
      { text: 'One here.', start: 2, end: 11 },
      { text: 'Two there.', start: 14, end: 24 },
    ]);
  });

  it('treats an unknown language code as English', () => {
    for (const language of ['', '!!', 'x', 'klingon-', '\ud800', 'zz']) {
      assert.deepEqual(cut('One here. Two there.', 12, language), ['One here.', 'Two there.']);
    }
  });
});

describe('cutText, choosing the best place', () => {
  it('prefers the end of a paragraph to the end of a sentence', () => {
    const text = 'One two three. Four five six.\n\nSeven eight nine ten. Elf.';
    assert.deepEqual(cut(text, 45), ['One two three. Four five six.', 'Seven eight nine ten. Elf.']);
  });

  it('cuts a long sentence after a clause rather than between words', () => {
    const text = 'When the rain came down, everyone went inside to wait for a while';
    assert.deepEqual(cut(text, 45), ['When the rain came down,', 'everyone went inside to wait for a while']);
  });

  it('cuts Japanese after a clause rather than between words', () => {
    const text = '今日はとても良い天気なので、公園へ行った';
    assert.deepEqual(cut(text, 15, 'ja'), ['今日はとても良い天気なので、', '公園へ行った']);
  });

  it('cuts a hard-wrapped sentence at a line end rather than between words', () => {
    const text = 'the first line of a verse\nthat has a second line and goes on to its end';
    assert.deepEqual(cut(text, 50), text.split('\n'));
  });

  it('cuts at a zero width space and keeps it in the text', () => {
    assert.deepEqual(cut('abcdefgh-ijklmn\u200bopq', 16), ['abcdefgh-ijklmn\u200b', 'opq']);
  });

  it('never adds a chunk for a better place', () => {
    const text = `${'a'.repeat(20)}, ${'b'.repeat(9)} ${'c'.repeat(29)}`;
    assert.equal(cut(text, 32).length, 2);
  });

  it('distributes sentences evenly, without a short last chunk', () => {
    const sentence = 'Just twenty letters.';
    assert.deepEqual(
      cut(Array(8).fill(sentence).join(' '), 6 * 21).map(({ length }) => length),
      [83, 83],
    );
  });

  it('cuts a word of 1,000 letters as evenly as possible', () => {
    assert.deepEqual(
      chunkText('a'.repeat(1000)).map(({ length }) => length),
      [250, 250, 250, 250],
    );
  });

  it('never cuts a sentence that fits, even if a part would fit into the previous chunk', () => {
    const [short, long] = ['Short one here.', 'This one is quite a bit longer than that, as you see.'];
    assert.deepEqual(cut(`${short} ${long} ${short}`, 60), [short, long, short]);
  });

  it('joins a line that continues in lower case, and ends a sentence at an empty line', () => {
    assert.deepEqual(cut('A sentence that is\nwrapped here. Another one.', 32), [
      'A sentence that is\nwrapped here.',
      'Another one.',
    ]);
    assert.deepEqual(cut('a title\n\nand some text', 14), ['a title', 'and some text']);
  });
});

describe('cutText, for a unit longer than a chunk', () => {
  it('cuts a URL after its marks, but not after its scheme', () => {
    const url = 'https://example.com/songs/of/spring?first=one&second=two';
    const chunks = cut(url, 24);
    assert.equal(chunks.join(''), url);
    for (const chunk of chunks.slice(0, -1)) assert.match(chunk, /[/?&=.-]$/);
    for (const chunk of chunks) assert.ok(!chunk.endsWith('://'), chunk);
  });

  it('cuts a long grapheme only between code points', () => {
    const zalgo = `e${'\u0301'.repeat(50)}`;
    assert.equal(cut(zalgo, 20).join(''), zalgo);
    const family = '👩‍👩‍👧‍👦';
    const parts = cut(family, 4);
    assert.equal(parts.join(''), family);
    for (const part of parts) assert.doesNotMatch(part, /\p{Cs}/u);
  });

  it('keeps a code point of two code units whole even if maxLength is 1', () => {
    assert.deepEqual(cut('a😀b', 1), ['a', '😀', 'b']);
  });
});

describe('chunks without a letter or digit', () => {
  it('join a neighbour, even if a sentence that fits must be cut', () => {
    assert.deepEqual(cut('Abc defghi. .... Xyzxyzxyzx.', 12), ['Abc', 'defghi. ....', 'Xyzxyzxyzx.']);
    for (const marks of ['...', '!!!', '— — —', '🎉🎉', '?!']) {
      const full = `${'Word '.repeat(4)}end.`;
      const chunks = cut(`${full} ${marks} ${full}\n\n${marks}\n\n${full}`, full.length);
      assert.ok(chunks.every(isSpeakable), JSON.stringify(chunks));
    }
  });

  it('never add a chunk', () => {
    assert.deepEqual(cut('... Ii jj kkk, lll mm. !!! aa', 24), ['... Ii jj kkk,', 'lll mm. !!! aa']);
  });

  it('stay unchanged if no neighbour has room for them', () => {
    assert.deepEqual(cut('Bbbb cc. ......', 6), ['Bbbb', 'cc.', '......']);
  });

  it('occur only if a run of marks is longer than a chunk, or the text has no letter', () => {
    const chunks = chunkText(`Hello ${'🎉'.repeat(400)} world`);
    assert.deepEqual(chunks.map(isSpeakable), [true, false, true]);
    assert.deepEqual(chunkText('?!'), ['?!']);
  });
});

describe('cutText, by language', () => {
  const table: [string, string, number, string[]][] = [
    [
      'ko',
      '안녕하세요. 오늘은 3.14를 배웁니다. 좋아요?',
      22,
      ['안녕하세요.', '오늘은 3.14를 배웁니다. 좋아요?'],
    ],
    ['ja', '今日は晴れです。明日は雨でしょう！本当？', 12, ['今日は晴れです。', '明日は雨でしょう！本当？']],
    ['zh', '他走了。价格是1,234.56元，对吗？', 19, ['他走了。', '价格是1,234.56元，对吗？']],
    [
      'de',
      'Er kam am 3. Oktober z. B. um 8 Uhr. Dann ging er.',
      38,
      ['Er kam am 3. Oktober z. B. um 8 Uhr.', 'Dann ging er.'],
    ],
    ['es', '¿Cómo está la Sra. Pérez? ¡Muy bien!', 26, ['¿Cómo está la Sra. Pérez?', '¡Muy bien!']],
    ['hi', 'क्या हाल है। मैं ठीक हूँ।', 14, ['क्या हाल है।', 'मैं ठीक हूँ।']],
    ['ar', 'كيف حالك؟ أنا بخير.', 12, ['كيف حالك؟', 'أنا بخير.']],
    ['th', 'สวัสดีครับ วันนี้อากาศดี', 14, ['สวัสดีครับ', 'วันนี้อากาศดี']],
  ];
  for (const [language, text, maxLength, expected] of table) {
    it(`cuts ${language} between sentences or phrases`, () => {
      assert.deepEqual(cut(text, maxLength, language), expected);
    });
  }

  it('cuts Thai and Chinese without punctuation between words', () => {
    for (const [language, text] of [
      ['th', 'สวัสดีครับวันนี้อากาศดีมากเราไปเที่ยวกันเถอะ'],
      ['zh', '我们今天去公园玩耍然后回家吃饭看电视睡觉'],
    ] as const) {
      const words = new Set([0]);
      const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
      for (const { index } of segmenter.segment(text)) words.add(index);
      for (const { start } of cutText(text, { maxLength: 12, language })) assert.ok(words.has(start));
    }
  });

  it('finds the end of an address in a text without spaces', () => {
    assert.deepEqual(cut('詳細はhttps://example.com/path?x=1をご覧ください。', 30, 'ja')[0], '詳細は');
  });
});
