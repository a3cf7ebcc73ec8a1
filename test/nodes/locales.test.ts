import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failures, z } from '@herald-speech/client';
import { useNodeRed } from '../support/shared-node-red.js';
import { names } from './editor/built.js';

const ROOT = path.resolve(__dirname, '../..');
const SOURCES = path.join(ROOT, 'nodes/locales');
const BUILT = path.join(ROOT, 'dist/nodes/locales');
const ENGLISH = 'en-US';
const TRANSLATIONS = readdirSync(SOURCES).filter((language) => language !== ENGLISH);
/** What browsers may be set to, and the translation that Node-RED finds for it. */
const SETTINGS = {
  de: 'de',
  'de-AT': 'de',
  es: 'es',
  'es-ES': 'es',
  'es-MX': 'es',
  ja: 'ja',
  'ja-JP': 'ja',
  ko: 'ko',
  'ko-KR': 'ko',
};

describe('translations', () => {
  it('are there in German, Japanese, Korean and Spanish', () => {
    assert.deepEqual([...TRANSLATIONS].sort(), ['de', 'es', 'ja', 'ko']);
  });

  for (const language of TRANSLATIONS) {
    describe(language, () => {
      it('has a file for every English one, and no others', () => {
        assert.deepEqual(filesOf(language), filesOf(ENGLISH));
      });

      for (const file of filesOf(ENGLISH, '.json')) {
        it(`says every word of ${file}, and no others`, () => {
          const [words, english] = [wordsIn(language, file), wordsIn(ENGLISH, file)];
          assert.deepEqual([...words.keys()], [...english.keys()]);
          const blank = [...words].filter(([, word]) => word.trim() === '').map(([key]) => key);
          assert.deepEqual(blank, []);
        });

        it(`leaves room in ${file} for the same values as English`, () => {
          const english = wordsIn(ENGLISH, file);
          for (const [key, word] of wordsIn(language, file)) {
            assert.deepEqual(valuesIn(word), valuesIn(english.get(key) ?? ''), key);
          }
        });
      }

      for (const file of filesOf(ENGLISH, '.md')) {
        it(`has the outline, the code and the links of English in ${file}`, () => {
          assert.deepEqual(outlineOf(read(language, file)), outlineOf(read(ENGLISH, file)));
        });
      }

      it('has the same headings in the help of every node', () => {
        const headings = names.map((name) => read(language, `${name}.md`).match(/^#.*$/gm));
        assert.equal(new Set(headings.map((found) => found?.join())).size, 1);
        assert.notDeepEqual(headings[0], read(ENGLISH, 'account.md').match(/^#.*$/gm));
      });

      for (const name of names) {
        it(`calls everything in the help of ${name} as its form does`, () => {
          const { label, fields = {}, ports } = formOf(language, name);
          assert.ok(label);
          const help = read(language, `${name}.md`);
          for (const field of Object.values(fields))
            assert.ok(help.includes(`- **${field.label}**:`), field.label);
          for (const port of Object.values(ports ?? {})) assert.ok(help.includes(port), port);
        });
      }

      it('says of every failure on which output it leaves', () => {
        const { ports = {} } = formOf(language, 'text-to-speech');
        const rows = read(language, 'failures.md')
          .split('\n')
          .filter((line) => line.startsWith('|'));
        for (const [code, { route }] of Object.entries(failures)) {
          const [row = '', ...others] = rows.filter((line) => line.includes(`\`${code}\``));
          assert.ok(row.startsWith(`| ${ports[route]}: `) && others.length === 0, code);
        }
      });
    });
  }
});

describe('language of the editor', () => {
  const name = 'text-to-speech';
  const catalogue = `@herald-speech/node-red/herald-${name}`;
  const nodeRed = useNodeRed();

  const ask = async (route: string, headers: Record<string, string>) => {
    const reply = await fetch(nodeRed().url + route, { headers });
    assert.equal(reply.status, 200);
    return reply.text();
  };
  const wordsFor = async (route: string) =>
    form.parse(JSON.parse(await ask(route, { accept: 'application/json' })));

  for (const [setting, language] of Object.entries({ ...SETTINGS, 'en-GB': ENGLISH, fr: ENGLISH })) {
    it(`set to ${setting}, shows the help in ${language}`, async () => {
      const page = await ask('nodes', { accept: 'text/html', 'accept-language': setting });
      const shown = names.filter((node) => page.includes(builtHelp(language, node).trim()));
      assert.deepEqual(shown, names);
    });
  }

  for (const [setting, language] of Object.entries(SETTINGS)) {
    it(`set to ${setting}, says the words of a form in ${language}`, async () => {
      const expected = formOf(language, name);
      assert.notEqual(expected.label, formOf(ENGLISH, name).label);
      assert.deepEqual(await wordsFor(`nodes/${catalogue}/messages?lng=${setting}`), expected);
      assert.deepEqual(await wordsFor(`locales/${catalogue}?lng=${setting}`), expected);
    });
  }
});

const form = z.object({
  label: z.string(),
  fields: z.record(z.string(), z.object({ label: z.string() })).optional(),
  ports: z.record(z.string(), z.string()).optional(),
});

/** What a node's form says in a language: its label, and those of its fields and outputs. */
const formOf = (language: string, name: string): z.output<typeof form> =>
  form.parse(JSON.parse(readFileSync(path.join(BUILT, language, `${name}.json`), 'utf8')));

const builtHelp = (language: string, name: string): string =>
  readFileSync(path.join(BUILT, language, `${name}.html`), 'utf8');

function filesOf(language: string, extension = ''): string[] {
  return readdirSync(path.join(SOURCES, language))
    .filter((file) => file.endsWith(extension))
    .sort();
}

function read(language: string, file: string): string {
  return readFileSync(path.join(SOURCES, language, file), 'utf8');
}

/** The words of a file, by their keys with dots. */
function wordsIn(language: string, file: string): Map<string, string> {
  return new Map(leavesOf(JSON.parse(read(language, file))));
}

function leavesOf(words: object, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]): [string, string][] =>
    typeof word === 'object' && word !== null
      ? leavesOf(word, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(word)]],
  );
}

/** What the editor or the user puts in: `__name__`, `{{name}}`, `${NAME}`; and the names of fields of a message. */
const valuesIn = (text: string): string[] => allIn(text, /__\w+?__|\{\{\w+\}\}|\$\{\w+\}|\bmsg\.\w+/g);

/** What a translation has in common with its original. */
function outlineOf(help: string) {
  return {
    headings: help.match(/^#+/gm),
    items: help.match(/^- /gm)?.length,
    rows: help.match(/^\|/gm)?.length,
    // Node-RED takes such a line for a property of a message, as long as its text has no further colon.
    properties: [...help.matchAll(/^: (\S+ \([^)\n]*\)) : [^:\n]+$/gm)].map(([, property]) => property),
    code: allIn(help, /`[^`\n]+`/g),
    links: allIn(help, /\]\([^)\n]*\)/g),
    inserts: allIn(help, /^\{\{\w+\}\}$/gm),
  };
}

/** All finds, in the order of the alphabet: each language has its own order of words. */
const allIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([found]) => found).sort();
