import assert from 'node:assert/strict';
import { cutText } from '../../../client/text/chunk.js';
import {
  markSayAs,
  sayAs,
  sayAsParts,
  splitMarks,
  toElement,
  withoutMarks,
} from '../../../client/text/say-as.js';

const element = (as: string, text: string) => `<say-as interpret-as="${as}">${text}</say-as>`;

describe('say-as', () => {
  it('finds the parts of a text in any spelling of the tags', () => {
    const text = `Code <SAY-AS interpret-as='Digits' >12</say-as >, on ${element('date', ' 3/4 ')}.`;
    assert.deepEqual(splitMarks(markSayAs(text).text), {
      text: 'Code 12, on  3/4 .',
      spans: [
        { as: 'digits', start: 5, end: 7 },
        { as: 'date', start: 13, end: 16 },
      ],
    });
  });

  it('reads the order of a date', () => {
    const text = '<say-as interpret-as="date" format="mdy">3/4</say-as>';
    assert.deepEqual(sayAsParts(text), [{ text: '3/4', as: 'date:mdy' }]);
    assert.equal(toElement({ text: '3/4', as: 'date:mdy' }), text);
  });

  it('names an unknown value once and keeps its content', () => {
    const text = `${element('shout', 'a')} ${element('shout', 'b')} ${element('date:mdy', 'c')}<say-as x="y">d</say-as>`;
    assert.deepEqual(markSayAs(text), { text: 'a b cd', unknown: ['shout', 'date:mdy', ''] });
  });

  it('leaves an element without an end, and a comparison, as they are', () => {
    for (const text of ['<say-as interpret-as="digits">12', 'a <say-as b', '</say-as>']) {
      assert.deepEqual(markSayAs(text), { text, unknown: [] });
      assert.deepEqual(sayAsParts(text), [{ text }]);
    }
  });

  it('has no tag of its own in its content', () => {
    const end = '</say-as>';
    assert.equal(toElement({ text: `1${end}2`, as: 'digits' }), element('digits', '12'));
    assert.equal(toElement({ text: `1</say${end}-as>2`, as: 'digits' }), element('digits', '1/say-as>2'));
    assert.equal(sayAs(`1${end}2`, 'digits'), sayAs('12', 'digits'));
    assert.deepEqual(sayAsParts(element('digits', '1<say-as interpret-as="date">2')), [
      { text: '12', as: 'digits' },
    ]);
    assert.equal(withoutMarks(markSayAs(element('digits', '1<say-as interpret-as="date">2')).text), '12');
  });

  it('takes linear time for many starts and ends', () => {
    const text =
      '<say-as interpret-as="digits"'.repeat(20_000) +
      '<say-as interpret-as="digits">'.repeat(20_000) +
      '</say-as>'.repeat(20_000);
    assert.equal(markSayAs(text).unknown.length, 0);
  });

  it('removes marks from a text for people', () => {
    assert.equal(withoutMarks(`Code ${sayAs('12', 'digits')}.`), 'Code 12.');
  });

  it('never cuts a part that fits into a chunk', () => {
    const number = '0800 123 456, 0800 123 457';
    const text = `${'Please call us at any time, day or night, on this number: '.repeat(5)}${number} and wait.`;
    const start = text.indexOf(number);
    const whole = [{ start, end: start + number.length }];
    for (let maxLength = number.length; maxLength < 320; maxLength += 7) {
      const chunks = cutText(text, { maxLength, whole });
      assert.ok(chunks.every((chunk) => chunk.text.length <= maxLength));
      assert.ok(
        chunks.some((chunk) => chunk.text.includes(number)),
        String(maxLength),
      );
    }
  });

  it('cuts a part that is longer than a chunk', () => {
    const text = '12 '.repeat(50).trim();
    assert.ok(cutText(text, { maxLength: 20, whole: [{ start: 0, end: text.length }] }).length > 6);
  });
});
