import type { Speech } from '@herald-speech/client';
import type { Rendering } from './rendering.js';

/** Returns the complete audio of a speech as a rendering with one part. */
export function renderingOf({ audio, mime, format, duration }: Speech): Rendering<{ count: number }> {
  async function* parts() {
    yield { piece: { count: 1 }, data: audio, start: 0, duration };
  }
  return { mime, extension: format, parts: parts(), header: () => new Uint8Array() };
}
