import { VoiceError } from '../../engine.js';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { MAX_MODEL_THREADS, type NeuralSettings } from './messages.js';

export interface NeuralOptions extends NeuralSettings {
  /** Milliseconds for a sentence, including the start of the process and the loading of the model. */
  timeLimit: number;
  /** Maximum number of sentences that wait. */
  maxQueued: number;
  /** Whether models are loaded in advance. */
  warmUp: boolean;
}

const MEGABYTE = 2 ** 20;
const GIGABYTE = 1024 * MEGABYTE;

/** `timeLimit` is shorter than the time limit of a job, so that a job fails with the reason. */
export const neuralDefaults: NeuralOptions = {
  timeLimit: 25_000,
  maxQueued: 64,
  maxModels: 3,
  keepMs: 300_000,
  memoryBytes: Math.min(2 * GIGABYTE, totalmem() / 2),
  threads: Math.min(MAX_MODEL_THREADS, availableParallelism()),
  spareBytes: 128 * MEGABYTE,
  warmUp: true,
};

/** Free memory for a model that is loaded in advance, in addition to `spareBytes`. */
const WARM_UP_BYTES = 512 * MEGABYTE;

/**
 * Checks the memory directly before a model is loaded in advance: earlier ones have taken some of it.
 * @throws VoiceError
 */
export function checkSpareMemory({ spareBytes }: Pick<NeuralOptions, 'spareBytes'>): void {
  // Not `process.availableMemory()`: in a container with a limit, the cache of files counts as used. macOS counts its caches as used.
  if (process.platform !== 'darwin' && freemem() < spareBytes + WARM_UP_BYTES)
    throw new VoiceError('the machine has too little free memory to load a model in advance');
}
