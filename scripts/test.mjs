// `npm test`: everything that must hold, on a clone with nothing installed as well.
import { mochaOf, npm, prepare, root, run } from './prepare.mjs';

const given = process.argv.slice(2);
const specs = given.length > 0 ? given : ['test/**/*.test.ts'];

prepare();
npm('run', 'check');
run(process.execPath, [...mochaOf(root), ...specs]);
