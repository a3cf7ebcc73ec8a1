import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { estimatorOf } from '../../../../nodes/prompts/files/estimate.js';
import type { PromptFile } from '../../../../nodes/prompts/files/prompt-file.js';

function made(text: string, seconds: number, language = 'en'): PromptFile {
  const hash = 'a'.repeat(64);
  const facts = { filename: `${text.length}.wav`, hash, sha256: hash, bytes: 1, modifiedMs: 1 };
  return { ...facts, text, seconds, language, voice_id: '', madeAt: '' };
}

const text = (length: number) => 'a'.repeat(length);
/** Files of a voice with 0.05 seconds per character, a second of silence and a chime of two seconds. */
const files = Array.from({ length: 40 }, (_, index) =>
  made(text(10 + 5 * index), 3 + 0.05 * (10 + 5 * index)),
);

describe('the estimate of a duration', () => {
  const near = (actual: number, expected: number, part: number) =>
    assert.ok(Math.abs(actual - expected) <= part * expected, `${actual} is not about ${expected}`);

  it('depends on the characters and the language without files', () => {
    const estimate = estimatorOf([]);
    near(estimate(text(150), 'en'), 10, 0.2);
    near(estimate(text(50), undefined), 3.3, 0.2);
    assert.ok(estimate('あ'.repeat(50), 'ja') > 1.5 * estimate(text(50), 'en'));
    assert.ok(estimate('', 'en') > 0);
  });

  it('learns the pace of the voice and the silence of each file from the files of the same language', () => {
    const estimate = estimatorOf([...files, made(text(100), 60, 'de')]);
    near(estimate(text(20), 'en'), 4, 0.1);
    near(estimate(text(400), 'en'), 23, 0.1);
    assert.ok(estimate(text(100), 'de') > 2 * estimate(text(100), 'en'));
  });

  it('is positive and finite for any files, also edited ones', () => {
    const file = fc.tuple(fc.string(), fc.double({ min: 0, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.array(file), fc.string(), (pairs, sentence) => {
        const estimate = estimatorOf(pairs.map(([content, seconds]) => made(content, seconds)));
        const seconds = estimate(sentence, 'en');
        assert.ok(Number.isFinite(seconds) && seconds > 0);
      }),
    );
  });
});
