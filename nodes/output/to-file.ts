import { FileWriter } from './files/file-writer.js';
import type { OutputFile } from './files/files.js';
import { type CaptionFormat, headerOf, type RenderedAudio, trailerOf } from './rendered-audio.js';

/** A file with captions. */
export interface CaptionsFile {
  output: OutputFile;
  format: CaptionFormat;
}

/**
 * Writes the captions of audio that is complete to a file in UTF-8. They get their name directly after the audio: a stop in
 * between must not leave the former captions beside new audio.
 * @param nameAudio gives the audio file its name
 */
async function writeCaptions(
  rendering: RenderedAudio<unknown>,
  { output, format }: CaptionsFile,
  signal: AbortSignal,
  nameAudio: () => Promise<void>,
): Promise<void> {
  const unstoppable = new AbortController().signal;
  await written(output, signal, async (writer) => {
    await writer.append(Buffer.from(rendering.captions?.(format) ?? ''));
    await writer.finish(undefined, nameAudio, unstoppable);
  });
}

/**
 * Writes audio to a file while it is rendered. A complete file replaces an existing one.
 * @param turn resolves before the file gets its name, when files of earlier messages have theirs: messages can write to the same
 *   file at a time
 * @param captions the file with the captions of the audio
 * @throws SpeechError as `FileWriter`, or the error of the rendering; the temporary file is then removed
 */
export async function writeFileOf(
  rendering: RenderedAudio<unknown>,
  output: OutputFile,
  signal: AbortSignal,
  turn?: () => Promise<void>,
  captions?: CaptionsFile,
): Promise<void> {
  await written(output, signal, async (writer) => {
    const header = headerOf(rendering, undefined);
    await writer.append(header);
    for await (const { data } of rendering.parts) await writer.append(data);
    const bytes = writer.bytes - header.length;
    await writer.append(trailerOf(rendering, bytes));
    const finish = () => writer.finish(headerOf(rendering, bytes), turn);
    await (captions === undefined ? finish() : writeCaptions(rendering, captions, signal, finish));
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
