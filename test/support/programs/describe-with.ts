import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { lack, type ProgramName, withFolders } from '../../../scripts/tests/programs.mjs';

Object.assign(process.env, withFolders());

/**
 * Defines a suite of tests that need programs beside Node.js. Without one of them, the suite is left out: `npm test` lists it
 * at its end, and with `CI=true` it fails.
 * @param needs names in `scripts/tests/programs.mjs`
 */
export function describeWith(
  needs: readonly ProgramName[],
  title: string,
  tests: (this: Mocha.Suite) => void,
): void {
  const lacks = needs.map(lack).filter((reason) => reason !== undefined);
  if (lacks.length === 0) {
    describe(title, tests);
    return;
  }
  const line = `${title}: ${lacks.join(', ')}`;
  record(line);
  if (process.env['CI'] === 'true')
    describe(title, () => it('has its programs', () => assert.fail(`Left out: ${line}`)));
}

/** Passes the line to the program that runs mocha. Without such a program, the developer sees the line at once. */
function record(line: string): void {
  const { HERALD_LEFT_OUT: file } = process.env;
  if (file === undefined) console.log(`Left out: ${line}`);
  else appendFileSync(file, `${line}\n`);
}
