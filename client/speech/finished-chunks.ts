import type { CachedSpoken } from '../cache/entry.js';
import type { SpeechRequest } from '../interface/operations.js';

/** The finished chunks of a text by index, each with its request as JSON. */
export type FinishedChunks = Map<number, { request: string; spoken: CachedSpoken }>;

/** Bytes of audio that a stream keeps for a repeated call. */
const MAX_BYTES = 32_000_000;

/** The memory of a text for a repeated call. */
export interface FinishedPieces {
  /** Returns the reply of an equal request. */
  get(index: number, request: SpeechRequest): CachedSpoken | undefined;
  set(index: number, request: SpeechRequest, spoken: CachedSpoken): void;
}

const NO_MEMORY: FinishedPieces = { get: () => undefined, set: () => {} };

/**
 * Returns the memory in the caller's map. Pieces that would exceed `maxBytes` are not kept. Earlier pieces stay, because a
 * repeated text asks for them first: with replacement of the oldest, it would find no piece.
 */
export function finishedPieces(finished: FinishedChunks | undefined, maxBytes = MAX_BYTES): FinishedPieces {
  if (finished === undefined) return NO_MEMORY;
  return {
    get(index, request) {
      const former = finished.get(index);
      return former?.request === JSON.stringify(request) ? former.spoken : undefined;
    },
    set(index, request, spoken) {
      // The caller may delete pieces that it has delivered.
      let bytes = spoken.bytes - (finished.get(index)?.spoken.bytes ?? 0);
      for (const { spoken: former } of finished.values()) bytes += former.bytes;
      if (bytes > maxBytes) return;
      finished.set(index, { request: JSON.stringify(request), spoken });
    },
  };
}
