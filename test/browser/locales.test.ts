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

/** Returns the TypeScript files of a folder of the repository and of its subfolders. */
const codeIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('dist'))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));

describe('the words of voices', () => {
  const words = texts.parse(JSON.parse(readFileSync(path.join(ROOT, 'browser/locales/en.json'), 'utf8')));
  /** The groups whose keys are values of the interface. */
  const VALUES = ['values', 'also', 'quality'];
  const keysIn = (groups: readonly string[]) =>
    groups.flatMap((group) => Object.keys(Object(words[group])).map((key) => [group, key] as const));

  it('are all used', () => {
    const pages = ['nodes/editor', 'service/console/page']
      .flatMap(codeIn)
      .filter((code) => /\b(?:wordsFor|voiceWords)\(/.test(code));
    // The service names the obstacle of a native runtime.
    const code = [...codeIn('browser'), ...pages, ...codeIn('service/voices/natural/install')].join('\n');
    const isText = (key: string) => typeof words[key] === 'string';
    const keys = [
      ...keysIn(Object.keys(words).filter((key) => !isText(key) && !VALUES.includes(key))),
      ...Object.keys(words)
        .filter(isText)
        .map((key) => ['', key] as const),
    ];
    assert.ok(keys.length > 30);
    // `'KEY'`, `words.KEY` or `{ KEY, other } = words`
    const isUsed = (key: string) => new RegExp(`'${key}'|(?:\\.|[{,] )${key}\\b(?!:)`).test(code);
    assert.deepEqual(
      keys.filter(([, key]) => !isUsed(key)),
      [],
    );
  });

  it('name only values of the interface', () => {
    const page = readFileSync(path.join(ROOT, 'docs/interface.md'), 'utf8');
    assert.deepEqual(
      keysIn(VALUES).filter(([, value]) => !page.includes(`\`${value}\``)),
      [],
    );
  });
});

describe('the texts of the console', () => {
  const page = path.join(ROOT, 'service/console/page');
  const markup = readFileSync(path.join(page, 'index.html'), 'utf8');
  const code = codeIn('service/console/page').join('\n');
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
