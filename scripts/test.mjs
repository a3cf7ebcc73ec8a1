// `npm test`: installs, builds and checks the code, then runs all tests. With files or folders it runs only their tests.
// `npm run test:quick` runs the tests without a browser, another process or a program, and checks nothing else.
import { statSync } from 'node:fs';
import path from 'node:path';
import { compileTests, npm, prepare, root, testFiles } from './prepare.mjs';
import { installPrograms } from './tests/install.mjs';
import { kindsOf } from './tests/kinds.mjs';
import { runTests } from './tests/run.mjs';

const given = process.argv.slice(2);
const isQuick = given[0] === '--quick';

prepare();
const files = isQuick ? quickFiles() : given.length > 0 ? given.flatMap(filesAt) : testFiles(['test/']);
if (given.length === 0) {
  await installPrograms();
  npm('run', 'check');
}
compileTests();
runTests(files, { titles: given.length > 0 && !isQuick });

/**
 * @param {string} place a test file or a folder
 * @returns {string[]} test files relative to the checkout
 */
function filesAt(place) {
  const file = path.relative(root, path.resolve(place)).replaceAll(path.sep, '/');
  return statSync(place).isDirectory() ? testFiles([`${file}/`]) : [file];
}

/** Returns the test files that need only this process, and prints the number of the others. */
function quickFiles() {
  const all = testFiles(['test/']);
  const quick = all.filter((file) => {
    const kinds = kindsOf(file);
    return !kinds.has('browser') && !kinds.has('program') && !kinds.has('process');
  });
  console.log(
    `${quick.length} of ${all.length} test files; left out: those with a browser, a program or another process`,
  );
  return quick;
}
