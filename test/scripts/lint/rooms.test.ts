import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultsIn, housesIn } from '../../../scripts/lint/rooms.mjs';
import { useFolder } from '../../support/folder.js';

describe('the rule for folders', () => {
  const folder = useFolder();
  const none = { arrows: { pack: 99 }, circles: {} };

  /** Writes a checkout with one package, and returns the faults of its houses. */
  function faultsOf(sources: Readonly<Record<string, string>>, limits: Parameters<typeof faultsIn>[1]) {
    for (const [name, text] of Object.entries({ 'package.json': '{}', ...sources })) {
      const file = folder('pack', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return faultsIn(housesIn(folder()), limits);
  }

  const circle = {
    'a/one.ts': `import { two } from '../b/two.js';`,
    'b/two.ts': `export { three } from '../c.js';`,
    'b/index.ts': '',
    'c.ts': `type Four = typeof import('./a/four.js');`,
    'a/four.ts': '',
  };
  const arrow = {
    'a/one.ts': `import { two } from '../b/two.js'; import type { three } from '../b/three.js';`,
    'b/two.ts': `import fs from 'node:fs';`,
    'b/three.ts': `import { two } from './two.js';`,
  };

  it('accepts folders that import in one direction, and counts several imports as one arrow', () => {
    assert.deepEqual(faultsOf(arrow, { ...none, arrows: { pack: 1 } }), []);
  });

  it('names the imports of a circle of folders, although no file imports itself through others', () => {
    const [fault = '', ...others] = faultsOf(circle, none);
    assert.deepEqual(others, []);
    assert.deepEqual(fault.split('\n').slice(1), [
      '  pack/a/one.ts imports pack/b/two.ts',
      '  pack/b/two.ts imports pack/c.ts',
      '  pack/c.ts imports pack/a/four.ts',
    ]);
  });

  it('ignores imports within a folder, and those of tests', () => {
    const sources = { ...arrow, 'b/test/two.test.ts': `import { one } from '../../a/one.js';` };
    assert.deepEqual(faultsOf(sources, none), []);
  });

  it('accepts a listed circle, and refuses a further folder in it', () => {
    assert.deepEqual(faultsOf(circle, { ...none, circles: { pack: ['a', 'b', 'c.ts'] } }), []);
    assert.equal(faultsOf(circle, { ...none, circles: { pack: ['a', 'b'] } }).length, 1);
  });

  it('refuses a listed circle that has ended', () => {
    const [fault = ''] = faultsOf(arrow, { ...none, circles: { pack: ['a', 'b'] } });
    assert.match(fault, /^pack: no circle has a, b now: delete them/);
  });

  it('refuses more arrows than the limit of a house', () => {
    assert.deepEqual(faultsOf(arrow, { ...none, arrows: { pack: 0 } }), [
      'pack: 1 arrows, limit 0: import fewer folders',
    ]);
  });

  it('finds circles inside of a folder with more than 25 files', () => {
    const names = Array.from({ length: 26 }, (_, index) => `large/${index}.ts`);
    const sources = Object.fromEntries(names.map((name) => [name, '']));
    const imports = {
      'large/0.ts': `import './1.js'; import { a } from './1.js';`,
      'large/1.ts': `from './0.js'`,
    };
    const arrows = { pack: 9, 'pack/large': 9 };
    assert.equal(faultsOf({ ...sources, ...imports }, { ...none, arrows }).length, 1);
  });
});
