/** Calls the answering process, and then has no more work: it ends only if that process does not keep it alive. */
import path from 'node:path';
import { Program, startProgram } from '../../../client/base/program.js';

type Reply = { kind: 'done'; text: string };

const program = new Program<Reply>(startProgram(path.join(__dirname, 'answering-process.ts')), {
  kinds: ['done'],
  ended: (how) => new Error(how),
});
void program.ask({ kind: 'echo', text: 'answered' }).then(({ text }) => console.log(text, program.isOpen));
