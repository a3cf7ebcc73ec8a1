import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { analyse } from 'scslre';
import { normalizedLanguages } from '../../service/voices/engines/normalize/normalize-text.js';

const ROOT = path.join(__dirname, '../..');
const LANGUAGES = normalizedLanguages;
const FOLDERS = ['audio', 'browser', 'client', 'fleet', 'neural', 'nodes', 'service'];

/**
 * Modules that build expressions, and that this test does not load, each with its reason. The engines of the service read chunks of 300
 * code units: `chunksOf` in `service/speech/chunks.ts` cuts each text before them.
 */
const EXCEPTIONS: Record<string, string> = {
  'client/text/foreign-language.ts': 'matches one character of a script, without a quantifier',
  'client/http/transport.ts': 'reads the key and its spellings, without a quantifier',
  'nodes/editor/form/rules/rules.ts': 'runs in the browser with the pattern of a field of Herald',
  'service/voices/engines/neural/spelling/clauses.ts': 'reads chunks of 300 code units',
  'service/voices/engines/sentences.ts': 'reads chunks of 300 code units',
  'service/speech/text-language.ts': 'matches one character of a script, without a quantifier',
  'service/voices/natural/install/native-runtime.ts': 'reads a path of a package with a pinned digest',
  'service/voices/installed/card-field.ts':
    'reads a card of 64 KiB at most, in 12 ms at most for blank lines',
};

/** Returns the modules that build expressions. */
const builders = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.ts$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name))
      .map((name) => `${folder}/${name}`),
  ).filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes('new RegExp('));

/** An expression, and the modules that were on the stack when it was built. */
interface Built {
  expression: RegExp;
  stack: string;
}

/** Loads the modules again and returns the expressions that they build with `new RegExp`. */
function builtExpressions(modules: readonly string[]): Built[] {
  const { RegExp: original } = globalThis;
  const built: Built[] = [];
  const isOwn = (file: string) => file.startsWith(ROOT) && !file.includes('node_modules');
  const cached = Object.entries(require.cache).filter(([file]) => isOwn(file));
  for (const [file] of cached) delete require.cache[file];
  globalThis.RegExp = new Proxy(original, {
    construct: (target, values) => {
      const expression: RegExp = Reflect.construct(target, values);
      built.push({ expression, stack: new Error('built').stack ?? '' });
      return expression;
    },
  });
  // A stack needs its files alone, and to find their lines takes a second.
  process.setSourceMapsEnabled(false);
  try {
    for (const file of modules) require(path.join(ROOT, file));
    const { normalizeText } = require('../../service/voices/engines/normalize/normalize-text.js');
    for (const language of [...LANGUAGES, 'pt-PT']) normalizeText('1 2', language);
    const { withoutEmoji } = require('../../service/voices/engines/normalize/emoji/emoji.js');
    withoutEmoji('🎉');
  } finally {
    process.setSourceMapsEnabled(true);
    globalThis.RegExp = original;
    // Of two instances of a module, one would not know what the other has collected.
    for (const file of Object.keys(require.cache).filter(isOwn)) delete require.cache[file];
    for (const [file, module] of cached) require.cache[file] = module;
  }
  return built;
}

describe('an expression that is built from parts', () => {
  const modules = builders();
  const read = modules.filter((file) => !(file in EXCEPTIONS));

  it('takes linear time', () => {
    const built = builtExpressions(read);
    const unbuilt = read.filter((file) => !built.some(({ stack }) => stack.includes(`/${file}:`)));
    assert.deepEqual(unbuilt, [], 'call these modules here, or add them to the exceptions with a reason');
    // Most are built again for each language.
    const different = new Map(built.map(({ expression }) => [String(expression), expression]));
    const slow = [...different.values()].filter(
      ({ source, flags }) => analyse({ source, flags }, { maxReports: 1 }).reports.length > 0,
    );
    assert.deepEqual(slow, []);
  });

  it('is an exception only in a module that builds one', () => {
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((file) => !modules.includes(file)),
      [],
    );
  });
});
