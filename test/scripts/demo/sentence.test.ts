import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inLanguage } from '../../../scripts/demo/sentence.mjs';

const example = readFileSync(path.join(__dirname, '../../../examples/first-words.json'), 'utf8');

describe('the example flow of npm start', () => {
  it('speaks a German sentence with a German account for a German user', () => {
    const flow = inLanguage(example, 'de-AT');
    assert.match(flow, /"payload": "Hallo! Das ist Herald\./);
    assert.match(flow, /"language": "de"/);
  });

  it('stays as it is for an English user, and for a language without a sentence', () => {
    assert.equal(inLanguage(example, 'en-US'), example);
    assert.equal(inLanguage(example, 'sw'), example);
  });
});
