import { FileWriter } from './files/file-writer.js';
import type { OutputFile } from './files/files.js';
import { type CaptionFormat, headerOf, type RenderedAudio, trailerOf } from './rendered-audio.js';

/** A file with captions. */
export interface CaptionsFile {
  output: OutputFile;
  format: CaptionFormat;
}

/** Writes the captions of audio that is complete to a file in UTF-8. Otherwise as `writeFileOf`. */
export async function writeCaptions(
  rendering: RenderedAudio<unknown>,
  { output, format }: CaptionsFile,
  signal: AbortSignal,
): Promise<void> {
  await written(output, signal, async (writer) => {
    await writer.append(Buffer.from(rendering.captions?.(format) ?? ''));
    await writer.finish();
  });
}

/**
 * Writes audio to a file while it is rendered. A complete file replaces an existing one.
 * @param turn resolves before the file gets its name, when files of earlier messages have theirs: messages can write to the same
 *   file at a time
 * @throws SpeechError as `FileWriter`, or the error of the rendering; the temporary file is then removed
 */
export async function writeFileOf(
  rendering: RenderedAudio<unknown>,
  output: OutputFile,
  signal: AbortSignal,
  turn?: () => Promise<void>,
): Promise<void> {
  await written(output, signal, async (writer) => {
    const header = headerOf(rendering, undefined);
    await writer.append(header);
    for await (const { data } of rendering.parts) await writer.append(data);
    const bytes = writer.bytes - header.length;
    await writer.append(trailerOf(rendering, bytes));
    await writer.finish(headerOf(rendering, bytes), turn);
  });
}

/** Opens a file and writes it. Removes the temporary file after an error. */
async function written(
  output: OutputFile,
  signal: AbortSignal,
  write: (writer: FileWriter) => Promise<void>,
): Promise<void> {
  const writer = new FileWriter(output, signal);
  try {
    await writer.open();
    await write(writer);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
