import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failures, voiceSettings, z } from '@herald-speech/client';
import { savedName } from '../../../nodes/lib/property.js';
import { services } from '../../../nodes/account/services.js';
import { PORTS } from '../../../nodes/runtime/ports.js';
import { localeOf, names, pageOf, registrationOf, runtimeOf } from './built.js';

const ROOT = path.resolve(__dirname, '../../..');

describe('editor page of a node', () => {
  for (const name of names) {
    describe(name, () => {
      it('registers a literal type name, which package validators require', () => {
        assert.match(pageOf(name), new RegExp(`RED\\.nodes\\.registerType\\('herald-${name}', \\{`));
        assert.equal(registrationOf(name).type, `herald-${name}`);
      });

      it('saves exactly the properties that the runtime reads, with the same defaults', () => {
        const { defaults } = registrationOf(name).registration;
        const values = Object.fromEntries(Object.entries(defaults).map(([key, { value }]) => [key, value]));
        // A copy: arrays of the page's context have other prototypes.
        assert.deepEqual(JSON.parse(JSON.stringify(values)), expectedDefaults(name));
      });

      it('shows rows only for existing choices of another property', () => {
        const properties = runtimeOf(name).definition?.properties ?? {};
        for (const [field, { onlyFor = {} }] of Object.entries(properties)) {
          for (const [leader, values] of Object.entries(onlyFor)) {
            const { choices = [] } = properties[leader] ?? {};
            assert.deepEqual(
              values.filter((value) => !choices.includes(value)),
              [],
              `${field} depends on ${leader}`,
            );
          }
        }
      });

      it('has a label for each field of its form', () => {
        const form = pageOf(name);
        const fields = [...form.matchAll(/<(?:input|select)[^>]*\bid="([^"]+)"[^>]*>/g)];
        for (const [tag, id] of fields) {
          const named =
            tag.includes('type="hidden"') || tag.includes('aria-label') || form.includes(`for="${id}"`);
          assert.ok(named, `${id} has a name`);
        }
      });

      it('has all texts that its form and scripts use, and no unused ones', () => {
        const words = new Set(keysOf(JSON.parse(localeOf(name, 'json'))));
        const wanted = wordsOfPage(name);
        assert.deepEqual(
          [...wanted].filter((key) => !words.has(key)),
          [],
          'missing',
        );
        const inScripts = wordsOfScripts();
        assert.deepEqual(
          // Error messages use the labels of all fields (`nodes/runtime/localize.ts`), and closed folds the summaries.
          [...words].filter(
            (key) =>
              !wanted.has(key) &&
              !inScripts.has(key) &&
              !/^(labels|options)\.|^fields\.\w+\.summary$/.test(key),
          ),
          [],
          'unused',
        );
      });

      it('has help with the standard headings in the standard order', () => {
        const help = localeOf(name, 'html');
        assert.match(help, new RegExp(`<script type="text/markdown" data-help-name="herald-${name}">`));
        const headings = [...help.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
        assert.deepEqual(headings, ['Inputs', 'Properties', 'Outputs', 'Details', 'References']);
      });

      it('has help for each property under its label', () => {
        const { fields = {} } = fieldWords.parse(JSON.parse(localeOf(name, 'json')));
        const help = localeOf(name, 'html');
        for (const { label } of Object.values(fields)) assert.ok(help.includes(`- **${label}**:`), label);
      });

      it('has an icon file', () => {
        const { icon } = registrationOf(name).registration;
        assert.ok(icon === undefined || existsSync(path.join(ROOT, 'dist/nodes/icons', icon)), icon);
      });
    });
  }
});

describe('editor script and style sheet', () => {
  it('uses no text that the locale files lack', () => {
    const words = new Set(names.flatMap((name) => keysOf(JSON.parse(localeOf(name, 'json')))));
    const used = [...wordsOfScripts()].filter((word) =>
      /^(picker|preview|try|trouble|rules|test)\./.test(word),
    );
    assert.ok(used.length > 0);
    assert.deepEqual(
      used.filter((word) => !words.has(word)),
      [],
    );
  });

  it('uses only colours of the theme', () => {
    const styles = readFileSync(path.join(ROOT, 'resources/editor.css'), 'utf8');
    assert.doesNotMatch(styles, /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i);
    const colours = [...styles.matchAll(/(?:^|[\s-])(?:color|background|border)(?:-color)?: ([^;]+);/g)];
    for (const [, value = ''] of colours) {
      assert.match(value, /var\(--red-ui-[\w-]+\)|currentcolor|^none$|^0$|transparent/, value);
    }
  });
});

describe('help', () => {
  it('lists each error code once, with its output', () => {
    const help = localeOf('text-to-speech', 'html');
    for (const [code, { route }] of Object.entries(failures)) {
      const rows = help.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${code}\``));
      assert.equal(rows.length, 1, code);
      const output = route === 'stopped' ? 'fatal' : route.replaceAll('-', ' ');
      assert.ok(rows[0]?.startsWith(`| ${output}: `), code);
    }
  });
});

/** Labels have soft hyphens in their long words; the help does not. */
const label = z.string().transform((text) => text.replaceAll('\u00AD', ''));
const fieldWords = z.object({ fields: z.record(z.string(), z.object({ label })).optional() });

function expectedDefaults(name: string): Record<string, unknown> {
  const { definition, defaults } = runtimeOf(name);
  if (definition === undefined) return { ...defaults };
  const saved = Object.entries(definition.properties).flatMap(([field, { value, source }]) => [
    [savedName(field), value],
    [`${savedName(field)}Type`, source],
  ]);
  const locale = definition.speaks === true ? { locale: '' } : {};
  return { name: '', account: '', ...locale, ...Object.fromEntries(saved) };
}

/** Returns the keys of a tree of texts, joined with dots. */
function keysOf(words: object, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]) =>
    typeof word === 'object' && word !== null ? keysOf(word, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

/** Returns the text keys of a page, including outputs, choices and voice settings. */
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
    ...(page.includes("category: 'speech'") ? ['palette.label.speech'] : []),
    ...(definition ? PORTS.map((port) => `ports.${port}`) : []),
    ...choices,
    ...(name === 'account' ? Object.keys(services).flatMap(wordsOfService) : []),
    ...settings.map((setting) => `settings.${setting}`),
  ]);
}

/** The texts of the account's dialog that each service has. */
const wordsOfService = (service: string): string[] => [`sent.${service}`, `test.well-${service}`];

/** Returns all string literals of the editor's scripts; the text keys are among them. */
function wordsOfScripts(): Set<string> {
  const folder = path.join(ROOT, 'nodes/editor');
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return new Set([...scripts.join('\n').matchAll(/'([\w.-]+)'/g)].map(([, literal = '']) => literal));
}
