import type { EnginePlugin } from './engine.js';
import { ESPEAK_HINT, KANJI_HINT, readsKanji } from './espeak/packages.js';
import { findEspeak } from './espeak/plugin.js';
import { flite } from './flite/flite.js';
import { hasNeural, type NaturalFolders } from './neural/packages.js';
import type * as neural from './neural/plugin.js';
import type * as plugins from './plug-ins.js';

const espeak = findEspeak();
const builtIn: readonly EnginePlugin[] = [flite, ...(espeak === undefined ? [] : [espeak])];

/** How to add languages other than English; undefined if they are installed. */
export const engineHint: string | undefined = espeak === undefined ? ESPEAK_HINT : undefined;

/** How to add the dictionary for Japanese; undefined if it is installed, or eSpeak is not. */
export const kanjiHint: string | undefined = espeak === undefined || readsKanji() ? undefined : KANJI_HINT;

/**
 * Returns the built-in engines and the engines of the modules, in this order. Their voices become preset voices.
 * @param modules Names of packages, or files relative to the working directory. Each exports its plug-in as `engine`.
 * @param natural Folders of the natural voices. Without it, or without the package of the engine, there are no such voices.
 * @throws EngineError with the module and the reason
 */
export async function loadEngines(
  modules: readonly string[] = [],
  natural?: NaturalFolders,
): Promise<EnginePlugin[]> {
  const engines = [...builtIn, ...neuralEngines(natural)];
  if (modules.length === 0) return engines;
  // Loaded here, because only a service with modules needs it and its dependencies.
  const { addPlugins }: typeof plugins = require('./plug-ins.js');
  return addPlugins(engines, modules);
}

function neuralEngines(natural: NaturalFolders | undefined): EnginePlugin[] {
  if (natural === undefined || !hasNeural()) return [];
  // Loaded here, because a service without the package needs none of it.
  const { neuralPlugin }: typeof neural = require('./neural/plugin.js');
  return [neuralPlugin(natural)];
}
