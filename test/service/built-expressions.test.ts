import assert from 'node:assert/strict';
import path from 'node:path';
import { analyse } from 'scslre';

const ROOT = path.join(__dirname, '../..');
const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko'];
/** Modules that build expressions of texts of any length. `service/engines/neural/clauses.ts` reads chunks of 300 code units. */
const MODULES = [
  'client/text/index.ts',
  'client/text/pronunciation.ts',
  'service/engines/flite/text.ts',
  'service/engines/espeak/text.ts',
  'service/engines/espeak/german-numbers.ts',
  'service/engines/espeak/japanese/spelling.ts',
  'service/engines/espeak/japanese/signs.ts',
  'service/engines/espeak/japanese/japanese.ts',
];

/** Loads the modules again and returns the expressions that they build with `new RegExp`. */
function builtExpressions(): RegExp[] {
  const { RegExp: original } = globalThis;
  const built: RegExp[] = [];
  const isOwn = (file: string) => file.startsWith(ROOT) && !file.includes('node_modules');
  const cached = Object.entries(require.cache).filter(([file]) => isOwn(file));
  for (const [file] of cached) delete require.cache[file];
  globalThis.RegExp = new Proxy(original, {
    construct: (target, values) => {
      const expression: RegExp = Reflect.construct(target, values);
      built.push(expression);
      return expression;
    },
  });
  try {
    for (const file of MODULES) require(path.join(ROOT, file));
    const { normalizeText } = require('../../service/engines/normalize/normalize-text.js');
    for (const language of LANGUAGES) normalizeText('1 2', language);
  } finally {
    globalThis.RegExp = original;
    for (const [file, module] of cached) require.cache[file] = module;
  }
  return built;
}

describe('an expression that is built from parts', () => {
  it('takes linear time', () => {
    const built = builtExpressions();
    assert.ok(built.length > 50, `${built.length} expressions`);
    const slow = built.filter(
      ({ source, flags }) => analyse({ source, flags }, { maxReports: 1 }).reports.length > 0,
    );
    assert.deepEqual(slow, []);
  });
});
