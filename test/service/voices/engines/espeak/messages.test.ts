import assert from 'node:assert/strict';
import {
  LEVEL,
  MAX_REQUEST_SECONDS,
  MAX_TEXT,
  MAX_TEXTS,
  RATE,
  toChildReply,
  toChildRequest,
} from '../../../../../service/voices/engines/espeak/messages.js';

describe("the messages of eSpeak's process", () => {
  const utter = { kind: 'utter', voice: 'de+woman', text: 'Guten Tag.', rate: 175, pitch: 50, range: 50 };
  const read = { kind: 'read', text: '今日は' };
  const ask = { kind: 'phonemes', voice: 'en-us', texts: ['one', 'two'] };
  const marks = [
    { at: 0, symbol: 'a' },
    { at: 0.1, symbol: null },
  ];
  const spoken = { kind: 'spoken', samples: new Int16Array(10), sampleRate: 22_050, marks };
  const failed = { kind: 'failed', message: 'out of memory' };

  it('pass if each field has its type and keeps its limit', () => {
    const slowest = { ...utter, rate: RATE.min, pitch: LEVEL.min, range: LEVEL.max };
    for (const request of [utter, slowest, read, ask]) assert.equal(toChildRequest(request), request);
    const replies = [
      spoken,
      failed,
      { kind: 'read', kana: 'キョウ' },
      { kind: 'phonemes', texts: ['w_ˈʌ_n'] },
    ];
    for (const reply of replies) assert.equal(toChildReply(reply), reply);
  });

  const requests: Array<[string, unknown]> = [
    ['no object', null],
    ['another kind', { ...utter, kind: 'spoken' }],
    ['no voice', { ...utter, voice: undefined }],
    ['a long voice', { ...ask, voice: 'x'.repeat(41) }],
    ['a long text', { ...utter, text: 'x'.repeat(MAX_TEXT + 1) }],
    ['a rate that is too low', { ...utter, rate: RATE.min - 1 }],
    ['a rate that is no number', { ...utter, rate: NaN }],
    ['a pitch that is too high', { ...utter, pitch: LEVEL.max + 1 }],
    ['a range that is a text', { ...utter, range: '50' }],
    ['too many texts', { ...ask, texts: Array.from({ length: MAX_TEXTS + 1 }, () => '') }],
  ];
  for (const [what, request] of requests)
    it(`to it are rejected with ${what}`, () => {
      assert.throws(() => toChildRequest(request), { message: "unexpected request to eSpeak's process" });
    });

  const replies: Array<[string, unknown]> = [
    ['another kind', utter],
    ['a failure without a message', { kind: 'failed' }],
    ['a long message', { kind: 'failed', message: 'x'.repeat(1001) }],
    ['too much audio', { ...spoken, samples: new Int16Array(MAX_REQUEST_SECONDS * 48_000 + 1) }],
    ['a sample rate of 0', { ...spoken, sampleRate: 0 }],
    ['a mark that is no object', { ...spoken, marks: [7] }],
    ['a mark at no finite time', { ...spoken, marks: [{ at: Infinity, symbol: 'a' }] }],
    ['a mark without a symbol', { ...spoken, marks: [{ at: 0 }] }],
    ['kana that are no text', { kind: 'read', kana: 7 }],
  ];
  for (const [what, reply] of replies)
    it(`from it are rejected with ${what}`, () => {
      assert.throws(() => toChildReply(reply), { message: "unexpected reply of eSpeak's process" });
    });
});
