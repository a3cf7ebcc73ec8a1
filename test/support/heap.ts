import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage and returns the bytes in use. */
export function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  // The first collection frees buffers on another thread. The second one waits for that thread.
  runInNewContext('gc(); gc()');
  return process.memoryUsage().heapUsed;
}
