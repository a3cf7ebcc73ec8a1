/** Runs the commands in the pages of the documentation, in a clone or in an installation. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../prepare.mjs';
import { Reader } from './reader.mjs';

/** @typedef {import('./reader.mjs').Documented} Documented */

const PAGES = ['README.md', 'service/README.md', ...pagesIn('docs')];
/** Programs of the service that a test can run. Other commands install programs, or need a network. */
const RUNNABLE = /herald-service|^curl /;
/** The tests of the other commands, by their beginning. */
export const elsewhere = {
  'git clone': 'test/scripts/start.test.ts',
  'cd ': 'scripts/tests/packed.mjs',
  'npm start': 'test/scripts/start.test.ts',
  "curl -o hello.wav 'http://127.0.0.1:1880/say": 'scripts/tests/packed.mjs',
  'npm ci': 'scripts/prepare.mjs',
  'npm pack': 'scripts/tests/packed.mjs',
  'npm install': 'scripts/tests/packed.mjs',
  'apt-get install redis-server': 'scripts/tests/programs.mjs',
};

/** @param {string} folder */
function pagesIn(folder) {
  const pages = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.md'));
  return pages.map((file) => `${folder}/${file}`);
}

/**
 * Returns the lines of all blocks with commands, and the commands of the service in sentences and tables.
 * @returns {Documented[]}
 */
export function documentedLines() {
  return PAGES.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8');
    return [...linesOfBlocks(page, text), ...commandsInText(page, text)];
  });
}

/**
 * A line that ends with a backslash continues.
 * @param {string} page
 * @param {string} text
 * @returns {Documented[]}
 */
function linesOfBlocks(page, text) {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => {
    const lines = block.replaceAll(/\\\n\s*/g, ' ').split('\n');
    const isGlobal = /npm install --global/.test(block);
    return lines.map((line) => ({ page, line: line.trim(), isGlobal })).filter(({ line }) => line !== '');
  });
}

/**
 * A command with a word in capitals, such as `NAME`, is no complete one.
 * @param {string} page
 * @param {string} text
 * @returns {Documented[]}
 */
function commandsInText(page, text) {
  const sentences = text.replaceAll(/```.*?```/gs, '');
  const commands = sentences.matchAll(/`((?:npx )?herald-service [^`A-Z]+)`/g);
  return [...commands].map(([, line = '']) => ({ page, line, isGlobal: false }));
}

/**
 * Returns whether a test of this module runs a command.
 * @param {string} line
 */
export const isRunnable = (line) =>
  RUNNABLE.test(line) && !Object.keys(elsewhere).some((start) => line.startsWith(start));

/** Commands that fail for this reader, with the message that shows their work. */
const INCOMPLETE = {
  'voices install': /asks for consent to the licence/,
  'voices native install': /run "npm pack onnxruntime-node@|WebAssembly/,
  'voices refresh': /voices\.json: no such file/,
  'verify hello.wav': /unmarked/i,
};

/**
 * Runs all commands of the documentation one after another.
 * @param {string} folder a clone, or a folder with an installation
 * @param {{node?: string, npx?: 'always' | 'sample'}} [options] path of the Node.js executable. With `sample`, npx starts the first command
 *   and the commands that read standard input. The other commands run without npx, to save CPU time.
 * @returns {Promise<string[]>} the lines that ran
 * @throws Error with page, line and output of a command that fails
 */
export async function runDocumentedCommands(folder, { node, npx = 'always' } = {}) {
  const reader = new Reader(folder, node);
  const lines = documentedLines().filter(({ line }) => isRunnable(line));
  try {
    for (const [index, documented] of lines.entries()) {
      const isDirect = npx === 'sample' && index > 0 && !documented.line.includes('| npx ');
      await runOne(reader, documented, isDirect ? withoutNpx : (same) => same);
    }
  } finally {
    reader.remove();
  }
  return lines.map(({ line }) => line);
}

/**
 * A service ends before the next command. The console and a request of a client need a running service.
 * @param {Reader} reader
 * @param {Documented} documented
 * @param {(documented: Documented) => Documented} asRun
 */
async function runOne(reader, documented, asRun) {
  const { page, line } = documented;
  const needed = /^curl|herald-service console/.test(line)
    ? await reader.run(asRun(serviceFor(line)))
    : undefined;
  const { code, output, stop } = await reader.run(asRun(documented));
  await stop();
  await needed?.stop();
  const [, known] = Object.entries(INCOMPLETE).find(([words]) => line.includes(words)) ?? [];
  const isGood = known === undefined ? code === 0 || code === null : known.test(output);
  const problem = isGood ? reader.problemOf(line) : output;
  if (problem !== undefined) throw new Error(`${page}: "${line}" ended with ${code}: ${problem}`);
}

/**
 * Finds the command as an installation for all folders does.
 * @param {Documented} documented
 * @returns {Documented}
 */
const withoutNpx = ({ page, line }) => ({ page, line: line.replace('npx ', ''), isGlobal: true });

/** @param {string} line @returns {Documented} */
function serviceFor(line) {
  const data = /--data \S+/.exec(line)?.[0] ?? '';
  return { page: '', line: `npx herald-service --json ${data}`, isGlobal: false };
}
