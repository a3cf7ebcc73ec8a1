import type { EnginePlugin } from '../engine.js';
import type * as espeak from './espeak.js';
import { espeakVoices } from './voices.js';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
/** Lindera with the dictionary IPADIC, as WebAssembly. */
const ANALYSER = 'lindera-wasm-nodejs-ipadic';

/** How to add the languages other than English. */
export const ESPEAK_HINT = `For 30 more languages run "npm install ${PACKAGE}": eSpeak NG, under the licence GPL-3.`;

/** How to add Japanese with kanji. */
export const KANJI_HINT = `To read Japanese kanji run "npm install ${ANALYSER}". Without it, only kana and numbers are read.`;

type Resolve = (id: string) => string;

/**
 * Returns eSpeak NG for 31 languages if its optional package is installed; otherwise `ESPEAK_HINT` explains how to add it.
 * @param resolve Finds a package or throws. It loads nothing.
 */
export function findEspeak(resolve: Resolve = require.resolve): EnginePlugin | undefined {
  if (!isInstalled(PACKAGE, resolve)) return undefined;
  return {
    id: 'espeak',
    voices: espeakVoices,
    prepare: () => Promise.resolve(),
    start: () => {
      // Loaded here, because only a worker that uses eSpeak needs it and its dependencies.
      const { startEspeak }: typeof espeak = require('./espeak.js');
      return Promise.resolve(startEspeak({ readsKanji: readsKanji(resolve) }));
    },
  };
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
