import type { EngineVoice } from '../engines/engine.js';

/** Returns whether a user installed the voice. Only these voices have a quality. The other voices are simple voices. */
export function isNaturalVoice({ quality }: Pick<EngineVoice, 'quality'>): boolean {
  return quality !== undefined;
}
