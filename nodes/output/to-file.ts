import { FileWriter } from './files/file-writer.js';
import type { OutputFile } from './files/files.js';
import { headerOf, type RenderedAudio, trailerOf } from './rendered-audio.js';

/**
 * Writes audio to a file while it is rendered. A complete file replaces an existing one.
 * @param turn resolves when files of earlier messages have their names: messages can write to the same file at a time
 * @throws SpeechError as `FileWriter`, or the error of the rendering; the temporary file is then removed
 */
export async function writeFileOf(
  rendering: RenderedAudio<unknown>,
  output: OutputFile,
  signal: AbortSignal,
  turn?: () => Promise<void>,
): Promise<void> {
  const writer = new FileWriter(output, signal);
  try {
    await writer.open();
    const header = headerOf(rendering, undefined);
    await writer.append(header);
    for await (const { data } of rendering.parts) await writer.append(data);
    const bytes = writer.bytes - header.length;
    await writer.append(trailerOf(rendering, bytes));
    await writer.finish(headerOf(rendering, bytes), turn);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
