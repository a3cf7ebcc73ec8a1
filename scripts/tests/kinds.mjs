/** Tells from its imports which parts of a computer a test file uses. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../prepare.mjs';

/**
 * The parts, and the text that shows their use in a test file or its support files. Product code can start a process for a test.
 * @satisfies {Record<string, { sign: RegExp, inProduct?: boolean }>}
 */
const PARTS = {
  browser: { sign: /support\/browser\/|launchBrowser/ },
  program: { sign: /describe-with\.js|support\/programs\// },
  process: { sign: /node:(child_process|worker_threads)|support\/node-red\//, inProduct: true },
  clock: { sign: /node:timers\/promises|\bset(Timeout|Interval)\(|support\/waiting/ },
};

/** @typedef {keyof typeof PARTS} Kind */

const TESTS = path.join(root, 'test') + path.sep;

/**
 * @param {string} file relative to the checkout
 * @returns {Set<Kind>} the parts that the file uses, itself or through the files that it imports
 */
export function kindsOf(file) {
  /** @type {Set<Kind>} */
  const kinds = new Set();
  for (const source of closure(path.join(root, file))) {
    const text = textOf(source);
    for (const [kind, { sign, ...part }] of Object.entries(PARTS))
      if ((source.startsWith(TESTS) || 'inProduct' in part) && sign.test(text))
        kinds.add(/** @type {Kind} */ (kind));
  }
  return kinds;
}

/** @type {Map<string, string>} */
const texts = new Map();

/** @param {string} file */
function textOf(file) {
  const text = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, text);
  return text;
}

/** The packages of the checkout with their source files. */
const { compilerOptions } = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
/** @type {Map<string, string>} */
const packages = new Map(
  Object.entries(compilerOptions.paths).map(([name, [file]]) => [name, path.join(root, file)]),
);

/**
 * @param {string} file
 * @param {Set<string>} [found]
 * @returns {Set<string>} the file and the TypeScript files of the checkout that it imports, but not their types alone
 */
function closure(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, request = ''] of textOf(file).matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm,
  )) {
    const imported =
      packages.get(request) ?? path.resolve(path.dirname(file), request.replace(/\.js$/, '.ts'));
    if (imported.endsWith('.ts') && existsSync(imported)) closure(imported, found);
  }
  return found;
}
