const PACKAGE = '@echogarden/espeak-ng-emscripten';
/** Lindera with the dictionary IPADIC, as WebAssembly. */
const ANALYSER = 'lindera-wasm-nodejs-ipadic';

/** How to add the languages other than English. */
export const ESPEAK_HINT = `For 30 more languages run "npm install ${PACKAGE}": eSpeak NG, under the licence GPL-3.`;

/** How to add Japanese with kanji. */
export const KANJI_HINT = `To read Japanese kanji run "npm install ${ANALYSER}". Without it, only kana and numbers are read.`;

/** Finds a package or throws. It loads nothing. */
export type Resolve = (id: string) => string;

/** Whether eSpeak NG is installed. */
export function hasEspeak(resolve: Resolve = require.resolve): boolean {
  return isInstalled(PACKAGE, resolve);
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
