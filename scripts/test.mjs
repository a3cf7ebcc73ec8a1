// `npm test`: everything that must hold, on a clone with nothing installed as well.
import { npm, prepare, run, root } from './prepare.mjs';
import path from 'node:path';

const given = process.argv.slice(2);
const specs = given.length > 0 ? given : ['test/**/*.test.ts'];

prepare();
npm('run', 'check');
run(process.execPath, [path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'), ...specs]);
