import { existsSync, realpathSync } from 'node:fs';
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

/**
 * Whether the engine of the natural voices is installed; otherwise `NEURAL_HINT` explains how to add it.
 * @param from the folder of the module that needs it
 */
export function hasNeural(from = __dirname): boolean {
  return findNeural(from) !== undefined;
}

/** Returns the path of the program of the neural process. @throws Error with `NEURAL_HINT` */
export function neuralProgram(from = __dirname): string {
  const program = findNeural(from);
  if (program === undefined) throw new Error(`the engine of the natural voices is missing. ${NEURAL_HINT}`);
  return program;
}

function findNeural(from: string): string | undefined {
  const folder = folderOf(NEURAL_PACKAGE, from);
  // An installation that was interrupted has the package without the runtime.
  if (folder === undefined || folderOf(RUNTIME, folder) === undefined) return undefined;
  return path.join(folder, 'dist', 'program.js');
}

/**
 * Returns the folder of a package. `require.resolve` would remember a missing package, so that a package that is installed
 * later would need a restart.
 */
function folderOf(id: string, from: string): string | undefined {
  const places = createRequire(path.join(from, 'index.js')).resolve.paths(id) ?? [];
  const found = places.map((place) => path.join(place, id, 'package.json')).find(existsSync);
  return found && path.dirname(realpathSync(found));
}

/** Returns the packages to install before natural voices can speak; undefined if they can speak. */
export function naturalHint(): string | undefined {
  const hints = [
    ...(hasNeural() ? [] : [NEURAL_HINT]),
    ...(hasEspeak() ? [] : [`Natural voices also need eSpeak NG for the pronunciation. ${ESPEAK_HINT}`]),
  ];
  return hints.length === 0 ? undefined : hints.join(' ');
}
