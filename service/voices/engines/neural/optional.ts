import type { EnginePlugin, EngineVoice } from '../engine.js';
import { hasNeural, NEURAL } from '../../../kit/packages.js';
import type { NaturalFolders } from '../../installed/folders.js';
import type * as plugins from './plugin.js';

/** Milliseconds until the package is looked for again. */
const CHECK_MS = 1000;
/** The same array, because an engine's array of voices changes only with its voices. */
const NO_VOICES: readonly EngineVoice[] = [];

/**
 * Returns the engine of the natural voices, whose package may be missing. It then has no voices. A package that is installed
 * later counts without a restart of the service.
 * @param isInstalled whether the package is installed
 * @param checkEvery milliseconds until the package is looked for again
 */
export function optionalNeural(
  natural: NaturalFolders,
  isInstalled: () => boolean = hasNeural,
  checkEvery = CHECK_MS,
): EnginePlugin {
  let plugin: EnginePlugin | undefined;
  let checkedAt = -Infinity;
  const present = () => {
    if (plugin !== undefined || performance.now() - checkedAt < checkEvery) return plugin;
    checkedAt = performance.now();
    return (plugin = isInstalled() ? load(natural) : undefined);
  };
  return {
    id: NEURAL,
    get voices() {
      return present()?.voices ?? NO_VOICES;
    },
    prepare: () => Promise.resolve(),
    start: (prepared) => load(natural).start(prepared),
  };
}

function load(natural: NaturalFolders): EnginePlugin {
  // Loaded here, because a service without the package needs none of it.
  const { neuralPlugin }: typeof plugins = require('./plugin.js');
  return neuralPlugin(natural);
}
