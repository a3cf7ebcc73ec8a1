// `npm test`: installs, builds and checks the code, then runs all tests or the given files.
import { compileTests, mochaOf, npm, prepare, prepareNatural, root, run, testFiles } from './prepare.mjs';

const given = process.argv.slice(2);

prepare();
prepareNatural();
npm('run', 'check');
compileTests();
run(process.execPath, [...mochaOf(root), ...(given.length > 0 ? given : testFiles(['test/']))]);
