import type { EnginePlugin } from '../engine.js';
import type { NaturalFolders } from './packages.js';
import { NeuralVoices } from './voices.js';

/** Returns the engine of the natural voices. Each worker receives a port to the neural process. */
export function neuralPlugin(natural: NaturalFolders): EnginePlugin {
  const voices = new NeuralVoices(natural);
  return {
    id: 'neural',
    get voices() {
      return voices.list();
    },
    prepare: () => Promise.resolve(),
    start: () => Promise.reject(new Error('the engine "neural" cannot start yet')),
  };
}
