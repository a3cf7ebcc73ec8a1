import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';

const ROOT = path.resolve(__dirname, '../..');
const LANGUAGES = ['de', 'en', 'es', 'ja', 'ko'];
/** The plural categories of a text with a number. The categories `zero`, `two`, `few` and `many` have no own text. */
const plural = z.strictObject({ one: z.string().min(1).optional(), other: z.string().min(1) });
const texts = z.record(
  z.string(),
  z.union([z.string().min(1), plural, z.record(z.string(), z.string().min(1))]),
);

const placeholdersOf = (text: unknown) =>
  [...new Set(JSON.stringify(text).match(/__\w+?__|`[^`]+`/g))].sort().join(' ');

for (const folder of ['browser/locales', 'service/console/page/locales']) {
  const read = (language: string) =>
    texts.parse(JSON.parse(readFileSync(path.join(ROOT, folder, `${language}.json`), 'utf8')));

  describe(`the texts in ${folder}`, () => {
    it('exist in the five languages of the editor', () => {
      assert.deepEqual(
        readdirSync(path.join(ROOT, folder)).sort(),
        LANGUAGES.map((code) => `${code}.json`),
      );
    });

    for (const language of LANGUAGES) {
      it(`have the same keys, placeholders and code in ${language} as in English`, () => {
        const [own, english] = [read(language), read('en')];
        assert.deepEqual(Object.keys(own), Object.keys(english));
        for (const [key, text] of Object.entries(own))
          assert.equal(placeholdersOf(text), placeholdersOf(english[key]), key);
      });

      it(`have the plurals of ${language}`, () => {
        const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        const expected = ['one', 'other'].filter((category) => categories.some((one) => one === category));
        for (const [key, text] of Object.entries(read(language)))
          if (plural.safeParse(text).success) assert.deepEqual(Object.keys(Object(text)), expected, key);
      });
    }
  });
}

describe('the texts of the console', () => {
  const page = path.join(ROOT, 'service/console/page');
  const markup = readFileSync(path.join(page, 'index.html'), 'utf8');
  const files = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const code = files.map((file) => readFileSync(path.join(page, file), 'utf8')).join('\n');
  const keys = Object.keys(JSON.parse(readFileSync(path.join(page, 'locales/en.json'), 'utf8')));

  it('exist for the whole markup', () => {
    const named = [...markup.matchAll(/data-(?:text|label|title)="([^"]+)"/g)].map(([, key = '']) => key);
    assert.ok(named.length > 40);
    assert.deepEqual(
      named.filter((key) => !keys.includes(key)),
      [],
    );
  });

  it('are all used', () => {
    const prefixes = [...code.matchAll(/`([a-z]+\.)\$\{/g)].map(([, prefix = '']) => prefix);
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) ||
      markup.includes(`"${key}"`) ||
      prefixes.some((prefix) => key.startsWith(prefix));
    assert.deepEqual(
      keys.filter((key) => !isUsed(key)),
      [],
    );
  });
});
