import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { exampleFiles } from '../examples/files.js';
import { nodeNames } from '../support/node-red/node-names.js';
import { cellOf, sectionsOf, slugOf, tableOf } from './markdown.js';

const root = path.join(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const namesIn = (folder: string) => readdirSync(path.join(root, folder)).toSorted();

/** Returns the cells of the first column of a table, without asterisks. */
const firstColumn = (text: string, heading: string) =>
  tableOf(text, heading).map((row) => cellOf(row, heading).replaceAll('*', ''));

describe('the lists of nodes and languages', () => {
  for (const page of ['README.md', 'docs/nodes.md'])
    it(`lists every node by its label in ${page}`, () => {
      const labels = nodeNames.map((name) => {
        const { label } = JSON.parse(read(`dist/nodes/locales/en-US/${name}.json`));
        return z.string().parse(label);
      });
      assert.deepEqual(firstColumn(read(page), 'node').toSorted(), labels.toSorted());
    });

  it('lists every language of the editor', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'language' });
    const [sentence = ''] = /The editor is available in [^.]*\./.exec(read('README.md')) ?? [];
    for (const code of namesIn('dist/nodes/locales')) {
      const language = names.of(new Intl.Locale(code).language) ?? code;
      assert.ok(sentence.includes(language), language);
    }
  });
});

describe('docs/examples.md', () => {
  it('lists every example', () => {
    const listed = firstColumn(read('docs/examples.md'), 'example').map((name) => `${name}.json`);
    assert.deepEqual(listed.toSorted(), exampleFiles(path.join(root, 'examples')));
  });
});

describe('docs/dependencies.md', () => {
  const dependencies = z.record(z.string(), z.string()).default({});
  const manifest = z.object({
    name: z.string(),
    dependencies,
    optionalDependencies: dependencies,
  });
  const sections = sectionsOf(read('docs/dependencies.md'));
  for (const folder of ['.', 'client', 'audio', 'service', 'fleet', 'neural', 'speakers']) {
    const { name, ...needed } = manifest.parse(JSON.parse(read(`${folder}/package.json`)));

    it(`lists every dependency of ${name}`, () => {
      const [, section = ''] = [...sections].find(([slug]) => slug.startsWith(slugOf(name))) ?? [];
      const expected = Object.keys({ ...needed.dependencies, ...needed.optionalDependencies });
      const rows = expected.length === 0 ? [] : firstColumn(section, 'package');
      const listed = rows.flatMap((cell) => cell.replace(' (optional)', '').replace(/ \d+$/, '').split(', '));
      assert.deepEqual(listed.toSorted(), expected.toSorted());
    });
  }
});
