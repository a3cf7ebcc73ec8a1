import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failures, z } from '@herald-speech/client';
import {
  ENGLISH,
  helpIn,
  helpNames,
  isText,
  LANGUAGES,
  textNames,
  textsIn,
  textsOf,
} from '../../scripts/build/texts.mjs';
import { useNodeRed } from '../support/node-red/shared-node-red.js';
import { names } from './editor/built.js';

const BUILT = path.resolve(__dirname, '../../dist/nodes/locales');
const TRANSLATIONS = LANGUAGES.filter((language) => language !== ENGLISH);
/** The file with the translations of messages, which are English in the code. */
const RUNTIME = 'runtime';
/** Language settings of browsers, and the translation that Node-RED selects for each. */
const SETTINGS: [setting: string, language: string][] = [
  ...TRANSLATIONS.flatMap((language): [string, string][] => [
    [language, language],
    [`${language}-${new Intl.Locale(language).maximize().region}`, language],
  ]),
  ['de-AT', 'de'],
  ['es-MX', 'es'],
];
/** A language without a translation. */
const UNTRANSLATED = 'eo';

describe('translations', () => {
  it('exist in German, Japanese, Korean and Spanish', () => {
    for (const language of ['de', 'es', 'ja', 'ko']) assert.ok(TRANSLATIONS.includes(language), language);
  });

  it('have only the languages of the editor', () => {
    for (const file of textNames())
      for (const [key, text] of textObjectsIn(textsOf(file))) {
        const unknown = Object.keys(text).filter((language) => !LANGUAGES.includes(language));
        assert.deepEqual(unknown, [], `${file}: ${key}`);
      }
  });

  for (const language of TRANSLATIONS) {
    describe(language, () => {
      it('has all messages of the runtime', () => {
        assert.deepEqual(Object.keys(textsIn(RUNTIME, language)), Object.keys(textsOf(RUNTIME)));
      });

      for (const file of textNames().filter((name) => name !== RUNTIME)) {
        it(`has the same keys as English in ${file}, and no blank text`, () => {
          const [words, english] = [wordsIn(language, file), wordsIn(ENGLISH, file)];
          assert.deepEqual([...words.keys()], [...english.keys()]);
          const blank = [...words].filter(([, word]) => word.trim() === '').map(([key]) => key);
          assert.deepEqual(blank, []);
        });

        it(`has the same placeholders as English in ${file}`, () => {
          const english = wordsIn(ENGLISH, file);
          for (const [key, word] of wordsIn(language, file)) {
            assert.deepEqual(valuesIn(word), valuesIn(english.get(key) ?? ''), key);
          }
        });
      }

      for (const page of helpNames()) {
        it(`has the same outline, code and links as English in the help of ${page}`, () => {
          assert.deepEqual(outlineOf(helpIn(page, language)), outlineOf(helpIn(page, ENGLISH)));
        });
      }

      it('has the same headings in the help of every node', () => {
        const headings = names.map((name) => helpIn(name, language).match(/^#.*$/gm));
        assert.equal(new Set(headings.map((found) => found?.join())).size, 1);
        assert.notDeepEqual(headings[0], helpIn('account', ENGLISH).match(/^#.*$/gm));
      });

      for (const name of names) {
        it(`uses the labels of the form in the help of ${name}`, () => {
          const { label, fields = {}, ports } = formOf(language, name);
          assert.ok(label);
          const help = builtHelp(language, name);
          for (const field of Object.values(fields))
            assert.ok(help.includes(`- **${field.label}**:`), field.label);
          for (const port of Object.values(ports ?? {})) assert.ok(help.includes(port), port);
        });
      }

      it('lists reset and priority under the inputs of every node with an input', () => {
        for (const name of names.filter((one) => one !== 'account' && one !== 'speaker')) {
          const [, inputs = ''] = builtHelp(language, name).split(/^###? /m);
          assert.match(inputs, /^: reset \(any\) : .+\n: priority \(number\) : /m, name);
        }
      });

      it('has no second colon with a space in a property of the help, at which Node-RED would cut it', () => {
        for (const name of names)
          assert.doesNotMatch(builtHelp(language, name), /^: \S+ \([^)]*\) : .*: /m, name);
      });

      it('documents the output of every failure', () => {
        const { ports = {} } = formOf(language, 'text-to-speech');
        const rows = helpIn('failures', language)
          .split('\n')
          .filter((line) => line.startsWith('|'));
        for (const [code, { route }] of Object.entries(failures)) {
          const [row = '', ...others] = rows.filter((line) => line.includes(`\`${code}\``));
          assert.ok(
            row.startsWith(`| ${ports[route === 'stopped' ? 'fatal' : route]}: `) && others.length === 0,
            code,
          );
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

  for (const [setting, language] of [...SETTINGS, ['en-GB', ENGLISH], [UNTRANSLATED, ENGLISH]] as const) {
    it(`set to ${setting}, shows the help in ${language}`, async () => {
      const page = await ask('nodes', { accept: 'text/html', 'accept-language': setting });
      const shown = names.filter((node) => page.includes(builtHelp(language, node).trim()));
      assert.deepEqual(shown, names);
    });
  }

  for (const [setting, language] of SETTINGS) {
    it(`set to ${setting}, shows the labels of a form in ${language}`, async () => {
      const expected = formOf(language, name);
      assert.notEqual(expected.label, formOf(ENGLISH, name).label);
      assert.deepEqual(await wordsFor(`nodes/${catalogue}/messages?lng=${setting}`), expected);
      assert.deepEqual(await wordsFor(`locales/${catalogue}?lng=${setting}`), expected);
    });
  }
});

/** Labels have soft hyphens in their long words; the help does not. */
const spoken = z.string().transform((text) => text.replaceAll('\u00AD', ''));
const form = z.object({
  label: z.string(),
  fields: z.record(z.string(), z.object({ label: spoken })).optional(),
  ports: z.record(z.string(), z.string()).optional(),
});

/** The labels of a node, its fields and its outputs in a language. */
const formOf = (language: string, name: string): z.output<typeof form> =>
  form.parse(JSON.parse(readFileSync(path.join(BUILT, language, `${name}.json`), 'utf8')));

const builtHelp = (language: string, name: string): string =>
  readFileSync(path.join(BUILT, language, `${name}.html`), 'utf8');

/** The texts of a file by dotted key. */
const wordsIn = (language: string, file: string) => new Map(leavesOf(textsIn(file, language)));

/** The texts of a file that differ between languages, by dotted key. */
function textObjectsIn(words: object, prefix = ''): [string, object][] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]): [string, object][] => {
    if (typeof word !== 'object' || word === null) return [];
    return isText(word) ? [[`${prefix}${key}`, word]] : textObjectsIn(word, `${prefix}${key}.`);
  });
}

function leavesOf(words: object, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]): [string, string][] =>
    typeof word === 'object' && word !== null
      ? leavesOf(word, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(word)]],
  );
}

/** Placeholders (`__name__`, `{{name}}`, `${NAME}`) and names of message fields in a text. */
const valuesIn = (text: string): string[] => allIn(text, /__\w+?__|\{\{\w+\}\}|\$\{\w+\}|\bmsg\.\w+/g);

/** The parts of a help text that are the same in every language. */
function outlineOf(help: string) {
  return {
    headings: help.match(/^#+/gm),
    items: help.match(/^- /gm)?.length,
    rows: help.match(/^\|/gm)?.length,
    // Node-RED formats such a line as a message property, unless its text has another colon.
    properties: [...help.matchAll(/^: (\S+ \([^)\n]*\)) : [^:\n]+$/gm)].map(([, property]) => property),
    code: allIn(help, /`[^`\n]+`/g),
    links: allIn(help, /\]\([^)\n]*\)/g),
    inserts: allIn(help, /^\{\{\w+\}\}$/gm),
  };
}

/** All matches, sorted, because the order of words differs between languages. */
const allIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([found]) => found).sort();
