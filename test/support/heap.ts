import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that are in use once all garbage is gone. */
export function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  // The second one waits for what the first left to another thread: freeing buffers.
  runInNewContext('gc(); gc()');
  return process.memoryUsage().heapUsed;
}
