import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/*
 * The optional packages of the voice engines: whether they are installed, and how to install them. Nothing is loaded.
 */

const ESPEAK = '@echogarden/espeak-ng-emscripten';
/** Lindera with the dictionary IPADIC, as WebAssembly. */
const ANALYSER = 'lindera-wasm-nodejs-ipadic';
const NEURAL_PACKAGE = '@herald-speech/neural';
const RUNTIME = 'onnxruntime-web';

/** Id of the engine of the natural voices. */
export const NEURAL = 'neural';

/** How to add the languages other than English. */
export const ESPEAK_HINT = `For 30 more languages run "npm install ${ESPEAK}": eSpeak NG, under the licence GPL-3.`;

/** How to add Japanese with kanji. */
export const KANJI_HINT = `To read Japanese kanji run "npm install ${ANALYSER}". Without it, only kana and numbers are read.`;

/** How to add the engine of the natural voices. A checkout contains the package without its dependencies. */
export const NEURAL_HINT = `For natural voices run "${isCheckout() ? 'npm run natural" in the repository' : `npm install ${NEURAL_PACKAGE}"`}.`;

/** Whether this file is in a checkout of the repository, in `service/dist/kit/` there. */
function isCheckout(): boolean {
  return existsSync(path.resolve(__dirname, '../../../scripts/natural.mjs'));
}

/** Finds a package or throws. It loads nothing. */
export type Resolve = (id: string) => string;

/** Whether eSpeak NG is installed. */
export function hasEspeak(resolve: Resolve = require.resolve): boolean {
  return isInstalled(ESPEAK, resolve);
}

/** Whether the optional dictionary for Japanese is installed; otherwise `KANJI_HINT` explains how to add it. */
export function readsKanji(resolve: Resolve = require.resolve): boolean {
  return isInstalled(ANALYSER, resolve);
}

function isInstalled(id: string, resolve: Resolve): boolean {
  try {
    resolve(id);
    return true;
  } catch {
    return false;
  }
}

/** Whether the engine of the natural voices is installed; otherwise `NEURAL_HINT` explains how to add it. */
export function hasNeural(resolve: Resolve = require.resolve): boolean {
  return findNeural(resolve) !== undefined;
}

/** Returns the path of the program of the neural process. @throws Error with `NEURAL_HINT` */
export function neuralProgram(resolve: Resolve = require.resolve): string {
  const program = findNeural(resolve);
  if (program === undefined) throw new Error(`the engine of the natural voices is missing. ${NEURAL_HINT}`);
  return program;
}

function findNeural(resolve: Resolve): string | undefined {
  try {
    const program = path.join(path.dirname(resolve(`${NEURAL_PACKAGE}/package.json`)), 'dist', 'program.js');
    // An installation that was interrupted has the package without the runtime.
    createRequire(program).resolve(RUNTIME);
    return program;
  } catch {
    return undefined;
  }
}

/** Returns the packages to install before natural voices can speak; undefined if they can speak. */
export function naturalHint(): string | undefined {
  const hints = [
    ...(hasNeural() ? [] : [NEURAL_HINT]),
    ...(hasEspeak() ? [] : [`Natural voices also need eSpeak NG for the pronunciation. ${ESPEAK_HINT}`]),
  ];
  return hints.length === 0 ? undefined : hints.join(' ');
}
