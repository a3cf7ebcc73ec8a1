import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutText } from '../../../client/text/chunk.js';
import { cutQuickStart } from '../../../client/text/quick-start.js';

const first = (text: string, language = 'en') => cutQuickStart(text, { language })[0]?.text;
const rest = 'More text follows here, for the second request. '.repeat(4).trim();
const longClause = `Beyond ${'one hundred characters '.repeat(6)}goes this clause`;

describe('cutQuickStart', () => {
  it('starts with a sentence, or with some short sentences', () => {
    assert.equal(first(`The door is open. ${longClause}. ${rest}`), 'The door is open.');
    const sentences = 'This is a sentence. And this is one more.';
    assert.equal(first(`${sentences} A third one. ${longClause}. ${rest}`), sentences);
    assert.equal(
      first(`今日は良い天気です。${'明日も晴れるでしょうか'.repeat(30)}。`, 'ja'),
      '今日は良い天気です。',
    );
  });

  it('starts with a clause if the first sentence is longer', () =>
    assert.equal(first(`When the door is open, ${longClause}. ${rest}`), 'When the door is open,'));

  it('prefers a clause to a sentence of a few characters', () => {
    assert.equal(first(`Hi. When the door is open, ${longClause}. ${rest}`), 'Hi. When the door is open,');
    assert.equal(first(`Hi. ${longClause}. ${rest}`), 'Hi.');
  });

  it('takes up to 150 characters if no sentence and no clause ends before', () => {
    const sentence = `This has ${'no comma at all '.repeat(7)}here.`;
    assert.equal(first(`${sentence} The next one. ${rest}`), sentence);
  });

  it('does not cut a text that fits into one request', () => {
    const text = `The door is open. ${longClause}. `.padEnd(300, 'a');
    for (const whole of [text, `  ${text}  `, 'Short. And sweet, as they say.'])
      assert.deepEqual(
        cutQuickStart(whole).map((chunk) => chunk.text),
        [whole.trim()],
      );
    assert.equal(cutQuickStart(`${text}a`).length, 2);
  });

  it('cuts a text without an end of a sentence or clause as usual', () => {
    for (const text of [longClause.repeat(3), '', '   '])
      assert.deepEqual(cutQuickStart(text, { language: 'en' }), cutText(text, { language: 'en' }));
  });

  it('at most doubles the length from request to request where a service takes long texts, and leaves no word out', () => {
    const text = `The door is open. ${'Every sentence of this long text has ten or more words. '.repeat(200)}`;
    const chunks = cutQuickStart(text, { language: 'en', maxLength: 4096 });
    const limits = [150, 300, 600, 1200, 2400, 4096, 4096];
    for (const [index, chunk] of chunks.entries())
      assert.ok(chunk.text.length <= (limits[index] ?? 0), String(index));
    assert.equal(chunks.map((chunk) => chunk.text).join(' '), text.trim());
    assert.deepEqual(
      cutQuickStart(text.slice(0, 250), { language: 'en', maxLength: 4096 }).map((chunk) => chunk.text),
      [text.slice(0, 250).trim()],
    );
  });

  it('cuts neither before a rest nor after a beginning without a letter or digit', () => {
    assert.equal(cutQuickStart(`The door is open now. ${'?! '.repeat(90)}`).length, 1);
    assert.notEqual(first(`?!? … ?! ${longClause}. ${rest}`), '?!? …');
  });
});

const tokens = fc.constantFrom(
  'word',
  'Dr.',
  'e.g.',
  'end.',
  'yes,',
  'no!',
  '\n',
  '3.14',
  '日本。',
  'a'.repeat(80),
  '…',
);

describe('cutQuickStart, for any text', () => {
  it('keeps the text, with a first chunk of at most 150 characters, and at most one chunk more than cutText', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 200 }), (list) => {
        const text = list.join(' ');
        const [quick, usual] = [cutQuickStart(text, { language: 'en' }), cutText(text, { language: 'en' })];
        assert.ok(quick.every((chunk) => chunk.text === text.slice(chunk.start, chunk.end)));
        assert.equal(
          quick
            .map((chunk) => chunk.text)
            .join('')
            .replace(/\s/g, ''),
          text.replace(/\s/g, ''),
        );
        assert.ok(quick.length <= usual.length + 1);
        if (quick[0]?.text !== usual[0]?.text) assert.ok((quick[0]?.text.length ?? 0) <= 150);
      }),
      { numRuns: 300 },
    );
  });
});
