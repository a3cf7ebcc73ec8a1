import type { Speech } from '@herald-speech/client';
import type { Rendering } from './rendering.js';

/** Returns the complete audio of a speech as a rendering with one part. */
export function renderingOf({ audio, format, duration }: Speech): Rendering<{ count: number }> {
  async function* parts() {
    yield { piece: { count: 1 }, data: audio, start: 0, duration };
  }
  return { extension: format, parts: parts() };
}
