import type { MakeRow } from './make-row.js';

/** Returns a function that makes at most `limit` rows at a time. Further rows wait in the order of their calls. */
export function atMost(limit: number, make: MakeRow): MakeRow {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task, signal, onProgress) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      signal.throwIfAborted();
      return await make(task, signal, onProgress);
    } finally {
      // The place goes to the next row.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
