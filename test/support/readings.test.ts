import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Reading, alternatives, languages, readings, words } from '../data/readings/readings.mjs';

const README = path.join(__dirname, '../data/readings/README.md');
const classes = [...readFileSync(README, 'utf8').matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);

/** Classes that do not occur in a language. */
const lacking: Partial<Record<string, readonly string[]>> = { ar: ['roman'] };

describe('sentences with readings', () => {
  it('covers at least 12 languages', () => {
    assert.ok(languages().length >= 12, languages().join(', '));
  });

  for (const language of languages()) describe(language, () => testLanguage(language, readings(language)));

  it('expands braces in order, the preferred reading first', () => {
    assert.deepEqual(alternatives('{a|b} c {d|}'), ['a c d', 'a c ', 'b c d', 'b c ']);
  });

  it('compares letters and digits only', () => {
    assert.equal(words('Ещё einund-Zwanzig, ثلاثةً 👍🏽️!'), 'ещеeinundzwanzigثلاثة');
  });
});

function testLanguage(language: string, all: readonly Reading[]): void {
  it('has at least 60 sentences, each one once per region', () => {
    const keys = all.map(({ region, written }) => `${region} ${written}`);
    assert.ok(keys.length >= 60, `${keys.length}`);
    assert.deepEqual(repeated(keys), []);
  });

  it('covers every class of the README and no other', () => {
    const expected = classes.filter((name) => !(lacking[language] ?? []).includes(name));
    assert.deepEqual(new Set(all.map((reading) => reading.class)), new Set(expected));
  });

  it('names only regions of the language', () => {
    assert.deepEqual(
      all.filter(({ region }) => region && !region.startsWith(`${language}-`)),
      [],
    );
  });

  it('has readings that differ, without braces, digits or symbols', () => {
    for (const { written, spoken } of all) assert.deepEqual(repeated(spoken), [], written);
    for (const text of all.flatMap(spelled)) assert.doesNotMatch(text, /[{}|\p{Nd}%€$£¥₩₹₽°@#=/&§]/u);
  });

  it('prefers the written form of formulas and of texts that no rule may change', () => {
    for (const { class: name, written, spoken } of all) {
      if (name === 'chemistry' || name === 'unchanged') assert.equal(spoken[0], written);
    }
  });
}

/** Returns the readings of a sentence without the one that leaves a formula alone. */
const spelled = (reading: Reading) => reading.spoken.slice(reading.class === 'chemistry' ? 1 : 0);

const repeated = (values: readonly string[]) => values.filter((value, at) => values.indexOf(value) !== at);
