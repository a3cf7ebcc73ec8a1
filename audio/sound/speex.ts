import type { Speex } from '@echogarden/speex-resampler-wasm';
import { lazy } from './lazy.js';

export type { Speex };

/**
 * Loads the resampler with the first use. All renderings share one instance: each has a separate state in its memory. The
 * package is an ES module, and Node 20.18 cannot `require` ES modules.
 */
export const loadSpeex = lazy(async (): Promise<Speex> => {
  const { default: create } = await import('@echogarden/speex-resampler-wasm');
  return create();
});
