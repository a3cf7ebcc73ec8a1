/** Tells from its imports which parts of a computer a test file uses. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../prepare.mjs';

/** The parts, and the text in a test file or its support files that shows their use. */
const SIGNS = {
  browser: /support\/browser\/|launchBrowser/,
  program: /describe-with\.js|support\/programs\//,
  process:
    /node:(child_process|worker_threads|cluster)|support\/(node-red|service)\/|local-service|startService/,
  clock: /node:timers\/promises|\bset(Timeout|Interval)\(|support\/waiting/,
};

/** @typedef {keyof typeof SIGNS} Kind */

/**
 * @param {string} file relative to the checkout
 * @returns {Set<Kind>} the parts that the file uses, itself or through files below `test/`
 */
export function kindsOf(file) {
  /** @type {Set<Kind>} */
  const kinds = new Set();
  for (const source of closure(path.join(root, file))) {
    const text = readFileSync(source, 'utf8');
    for (const kind of /** @type {Kind[]} */ (Object.keys(SIGNS)))
      if (SIGNS[kind].test(text)) kinds.add(kind);
  }
  return kinds;
}

/**
 * @param {string} file
 * @param {Set<string>} [found]
 * @returns {Set<string>} the file and the files below `test/` that it imports
 */
function closure(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, request = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    const imported = path.resolve(path.dirname(file), request.replace(/\.js$/, '.ts'));
    if (imported.startsWith(path.join(root, 'test') + path.sep) && existsSync(imported))
      closure(imported, found);
  }
  return found;
}
