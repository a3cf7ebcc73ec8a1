import path from 'node:path';

/** Options of Node.js for a process that runs a TypeScript file. A process that is forked or a worker inherits them. */
export const loadTypescript: readonly string[] = ['--require', path.join(__dirname, 'typescript.cjs')];
