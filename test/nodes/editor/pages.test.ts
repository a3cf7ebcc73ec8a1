import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failures, voiceSettings, z } from '@herald-speech/client';
import { savedName } from '../../../nodes/runtime/properties.js';
import { PORTS } from '../../../nodes/runtime/ports.js';
import { localeOf, names, pageOf, registrationOf, runtimeOf } from './built.js';

const ROOT = path.resolve(__dirname, '../../..');

describe('page of a node', () => {
  for (const name of names) {
    describe(name, () => {
      it('registers its type by a literal name, which is all that a validator of packages can read', () => {
        assert.match(pageOf(name), new RegExp(`RED\\.nodes\\.registerType\\('herald-${name}', \\{`));
        assert.equal(registrationOf(name).type, `herald-${name}`);
      });

      it('saves the properties that the runtime reads, with its defaults, and no others', () => {
        const { defaults } = registrationOf(name).registration;
        const values = Object.fromEntries(Object.entries(defaults).map(([key, { value }]) => [key, value]));
        assert.deepEqual(values, expectedDefaults(name));
      });

      it('has a form whose every field has a label', () => {
        const form = pageOf(name);
        const fields = [...form.matchAll(/<(?:input|select)[^>]*\bid="([^"]+)"[^>]*>/g)];
        for (const [tag, id] of fields) {
          const named =
            tag.includes('type="hidden"') || tag.includes('aria-label') || form.includes(`for="${id}"`);
          assert.ok(named, `${id} has a name`);
        }
      });

      it('has every word that its form and its script ask for, and none that nobody asks for', () => {
        const words = new Set(keysOf(JSON.parse(localeOf(name, 'json'))));
        const wanted = wordsOfPage(name);
        assert.deepEqual(
          [...wanted].filter((key) => !words.has(key)),
          [],
          'missing',
        );
        const spoken = wordsOfScripts();
        assert.deepEqual(
          [...words].filter((key) => !wanted.has(key) && !spoken.has(key)),
          [],
          'unused',
        );
      });

      it('has help in the usual order', () => {
        const help = localeOf(name, 'html');
        assert.match(help, new RegExp(`<script type="text/markdown" data-help-name="herald-${name}">`));
        const headings = [...help.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
        assert.deepEqual(headings, ['Inputs', 'Properties', 'Outputs', 'Details', 'References']);
      });

      it('has help for every property, under the name that the form shows', () => {
        const { fields = {} } = fieldWords.parse(JSON.parse(localeOf(name, 'json')));
        const help = localeOf(name, 'html');
        for (const { label } of Object.values(fields)) assert.ok(help.includes(`- **${label}**:`), label);
      });

      it('has its icon', () => {
        const { icon } = registrationOf(name).registration;
        assert.ok(icon === undefined || existsSync(path.join(ROOT, 'dist/nodes/icons', icon)), icon);
      });
    });
  }
});

describe('scripts of the editor', () => {
  it('say no word that the pages do not have', () => {
    const words = new Set(names.flatMap((name) => keysOf(JSON.parse(localeOf(name, 'json')))));
    const said = [...wordsOfScripts()].filter((word) =>
      /^(picker|preview|try|trouble|rules|test)\./.test(word),
    );
    assert.ok(said.length > 0);
    assert.deepEqual(
      said.filter((word) => !words.has(word)),
      [],
    );
  });

  it('use no colour but those of the theme', () => {
    const styles = readFileSync(path.join(ROOT, 'resources/editor.css'), 'utf8');
    assert.doesNotMatch(styles, /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i);
    const colours = [...styles.matchAll(/(?:^|[\s-])(?:color|background|border)(?:-color)?: ([^;]+);/g)];
    for (const [, value = ''] of colours) {
      assert.match(value, /var\(--red-ui-[\w-]+\)|currentcolor|^none$|^0$|transparent/, value);
    }
  });
});

describe('help', () => {
  it('says of every failure on which output it leaves', () => {
    const help = localeOf('text-to-speech', 'html');
    for (const [code, { route }] of Object.entries(failures)) {
      const rows = help.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${code}\``));
      assert.equal(rows.length, 1, code);
      assert.ok(rows[0]?.startsWith(`| ${route.replaceAll('-', ' ')}: `), code);
    }
  });
});

const fieldWords = z.object({ fields: z.record(z.string(), z.object({ label: z.string() })).optional() });

function expectedDefaults(name: string): Record<string, unknown> {
  const { definition, defaults } = runtimeOf(name);
  if (definition === undefined) return { ...defaults };
  const saved = Object.entries(definition.properties).flatMap(([field, { value, source }]) => [
    [savedName(field), value],
    [`${savedName(field)}Type`, source],
  ]);
  return { name: '', account: '', ...Object.fromEntries(saved) };
}

/** Keys of a tree of words, with dots. */
function keysOf(words: object, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]) =>
    typeof word === 'object' && word !== null ? keysOf(word, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

/** The words that a page names, those of its outputs, choices and voice settings included. */
function wordsOfPage(name: string): Set<string> {
  const page = pageOf(name);
  const keys = [...page.matchAll(/data-i18n="(?:\[[^\]]*\])?([^"]+)"|this\._\('([\w-]+)'\)/g)];
  const { definition } = runtimeOf(name);
  const choices = Object.entries(definition?.properties ?? {}).flatMap(([field, { choices: offered = [] }]) =>
    offered.map((choice) => `fields.${field}.choices.${choice}`),
  );
  const settings = page.includes('voiceSettings') ? Object.keys(voiceSettings) : [];
  return new Set([
    ...keys.map(([, ofElement, ofScript]) => ofElement ?? ofScript ?? ''),
    ...(definition ? PORTS.map((port) => `ports.${port}`) : []),
    ...choices,
    ...settings.map((setting) => `settings.${setting}`),
  ]);
}

/** Every literal of the editor's scripts: the words that they say are among them. */
function wordsOfScripts(): Set<string> {
  const folder = path.join(ROOT, 'nodes/editor');
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return new Set([...scripts.join('\n').matchAll(/'([\w.-]+)'/g)].map(([, literal = '']) => literal));
}
