import type { EnginePlugin } from './engine.js';
import { ESPEAK_HINT, KANJI_HINT, readsKanji } from '../../kit/packages.js';
import { findEspeak } from './espeak/plugin.js';
import { flite } from './flite/plugin.js';
import { neuralPlugin } from './neural/plugin.js';
import type { NaturalFolders } from '../installed/folders.js';
import type * as plugins from './plug-ins.js';

const espeak = findEspeak();
const builtIn: readonly EnginePlugin[] = [flite, ...(espeak === undefined ? [] : [espeak])];

/** How to add languages other than English; undefined if they are installed. */
export const missingEngineHint: string | undefined = espeak === undefined ? ESPEAK_HINT : undefined;

/** How to add the dictionary for Japanese; undefined if it is installed, or eSpeak is not. */
export const kanjiHint: string | undefined = espeak === undefined || readsKanji() ? undefined : KANJI_HINT;

/**
 * Returns the built-in engines and the engines of the modules, in this order. Their voices become preset voices.
 * @param modules Names of packages, or files relative to the working directory. Each exports its plug-in as `engine`.
 * @param natural Folders of the natural voices. Without them, the engine of the natural voices is left out.
 * @throws EngineError with the module and the reason
 */
export async function loadEngines(
  modules: readonly string[] = [],
  natural?: NaturalFolders,
): Promise<EnginePlugin[]> {
  const engines = [...builtIn, ...(natural === undefined ? [] : [neuralPlugin(natural)])];
  if (modules.length === 0) return engines;
  // Loaded here, because only a service with modules needs it and its dependencies.
  const { addPlugins }: typeof plugins = require('./plug-ins.js');
  return addPlugins(engines, modules);
}
