import path from 'node:path';

/*
 * The packages of the voice engines: whether the optional ones are installed, and how to install them. Nothing is loaded.
 */

const ESPEAK = '@echogarden/espeak-ng-emscripten';
/** Lindera with the dictionary IPADIC, as WebAssembly. */
const ANALYSER = 'lindera-wasm-nodejs-ipadic';

/** Id of the engine of the natural voices. */
export const NEURAL = 'neural';

/** How to add the languages other than English. */
export const ESPEAK_HINT = `For 30 more languages run "npm install ${ESPEAK}": eSpeak NG, under the licence GPL-3.`;

/** How to add Japanese with kanji. */
export const KANJI_HINT = `To read Japanese kanji run "npm install ${ANALYSER}". Without it, only kana and numbers are read.`;

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

/** Returns the path of the program of the neural process. */
export function neuralProgram(): string {
  return path.join(path.dirname(require.resolve('@herald-speech/neural/package.json')), 'dist', 'program.js');
}

/** Returns the package to install before natural voices can speak; undefined if they can speak. */
export function naturalHint(): string | undefined {
  return hasEspeak() ? undefined : `Natural voices need eSpeak NG for the pronunciation. ${ESPEAK_HINT}`;
}
