import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The function and the file of each step. */
const steps = [...read('docs/architecture.md').matchAll(/^\| \d+ +\| `([\w.]+)` +\| `([\w./-]+)`/gm)].map(
  ([, name = '', file = '']) => ({ name, file }),
);

describe('the way of a text in the documentation', () => {
  it('has at most 20 functions in 14 files', () => {
    assert.ok(steps.length > 0 && steps.length <= 20);
    assert.ok(new Set(steps.map(({ file }) => file)).size <= 14);
  });

  it('names functions of the code', () => {
    for (const { name, file } of steps) {
      const [owner = '', method = owner] = name.split('.');
      const code = read(file);
      assert.ok(owner === method || new RegExp(`class ${owner}\\b`).test(code), `${file} has ${owner}`);
      assert.match(
        code,
        new RegExp(`^ *[\\w ]*\\b${method}(<[^(]*>)?\\(|^ *${method}:|const ${method} `, 'm'),
      );
    }
  });
});
