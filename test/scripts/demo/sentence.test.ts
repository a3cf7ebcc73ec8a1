import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { inLanguage, nameOfButton } from '../../../scripts/demo/sentence.mjs';

const example = readFileSync(path.join(__dirname, '../../../examples/first-words.json'), 'utf8');

const flow = z.array(z.looseObject({ id: z.string() }));

/** The texts of a flow that a user reads, by node and property. */
const textsIn = (json: string): ReadonlyMap<string, unknown> =>
  new Map(
    flow
      .parse(JSON.parse(json))
      .flatMap(({ id, ...node }) =>
        ['label', 'name', 'info', 'payload'].map((name): [string, unknown] => [`${id} ${name}`, node[name]]),
      ),
  );

describe('the example flow of npm start', () => {
  it('speaks a German sentence with a German account for a German user', () => {
    const flow = inLanguage(example, 'de-AT');
    assert.match(flow, /"payload": "Hallo! Das ist Herald\./);
    assert.match(flow, /"language": "de"/);
  });

  it('has its names and its notes in the language of the user, and an account that the editor names', () => {
    for (const locale of ['de-DE', 'es-MX', 'ja', 'ko-KR']) {
      const translated = textsIn(inLanguage(example, locale));
      const english = [...textsIn(example)].filter(([key, text]) => text && translated.get(key) === text);
      assert.deepEqual(english, [], locale);
      assert.equal(translated.get('herald-this-machine name'), '');
      assert.equal(translated.get('fw-inject name'), nameOfButton(locale));
    }
  });

  it('stays as it is for an English user, and for a language without a sentence', () => {
    assert.equal(inLanguage(example, 'en-US'), example);
    assert.equal(inLanguage(example, 'sw'), example);
  });
});
