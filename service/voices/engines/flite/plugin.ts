import type { EnginePlugin } from '../engine.js';
import type * as engine from './flite.js';
import { fliteVoices } from './voices.js';

/** Flite, compiled to WebAssembly: US and Scottish English, included in the package. */
export const flite: EnginePlugin = {
  id: 'flite',
  voices: fliteVoices,
  prepare: () => Promise.resolve(),
  start: () => {
    // Loaded here, because only a worker that uses Flite needs it and the numbers of all languages.
    const { startFlite }: typeof engine = require('./flite.js');
    return startFlite();
  },
};
