import { MessagePort } from 'node:worker_threads';
import type { EnginePlugin } from '../engine.js';
import type * as neural from './neural.js';
import type * as ports from './process/neural-port.js';
import { NEURAL } from '../../../kit/packages.js';
import type { NaturalFolders } from '../../installed/folders.js';
import { NeuralVoices } from './voices.js';

/**
 * Returns the engine of the natural voices. In a worker, it starts with a port to the process that runs the models, see
 * `servePort`.
 */
export function neuralPlugin(natural: NaturalFolders): EnginePlugin {
  const voices = new NeuralVoices(natural);
  // A voice may be newer than the list, which is read once a second.
  const find = (id: string) => voices.get(id) ?? new NeuralVoices(natural).get(id);
  return {
    id: NEURAL,
    get voices() {
      return voices.list();
    },
    prepare: () => Promise.resolve(),
    start: (port) => {
      if (!(port instanceof MessagePort)) throw new TypeError('the engine "neural" needs a port');
      // Loaded here, because only a worker that speaks needs them and their dependencies.
      const { startNeural }: typeof neural = require('./neural.js');
      const { NeuralPort }: typeof ports = require('./process/neural-port.js');
      const processes = new NeuralPort(port);
      return Promise.resolve(startNeural({ find, speaker: processes, espeak: processes }));
    },
  };
}
