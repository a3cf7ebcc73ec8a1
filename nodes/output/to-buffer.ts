import { SpeechError } from '@herald-speech/client';
import { say } from '../runtime/messages.js';
import { headerOf, type RenderedAudio, trailerOf } from './rendered-audio.js';

/** Maximum length of a Buffer in bytes: 75 minutes of 16-bit audio at 22,050 hertz. */
export const MAX_BUFFER_BYTES = 200_000_000;

/**
 * Collects audio in a Buffer with a complete file.
 * @throws SpeechError `too-large` if the audio has more bytes than the limit
 */
export async function collect(
  rendering: RenderedAudio<unknown>,
  maxBytes = MAX_BUFFER_BYTES,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const { data } of rendering.parts) {
    bytes += data.length;
    if (bytes > maxBytes) throw new SpeechError('too-large', say('buffer-full', { limit: maxBytes }));
    parts.push(data);
  }
  return Buffer.concat([headerOf(rendering, bytes), ...parts, trailerOf(rendering, bytes)]);
}
