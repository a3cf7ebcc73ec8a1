import { FileWriter } from './file-writer.js';
import type { Place } from './files.js';
import { paddingOf, type Rendering } from './rendering.js';

/**
 * Writes audio to a file while it is rendered. The file appears under its name when it is complete.
 * @throws SpeechError as `FileWriter`, or the error of the rendering; the temporary file is then removed
 */
export async function writeFileOf(
  rendering: Rendering<unknown>,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  const writer = new FileWriter(place, signal);
  try {
    await writer.open();
    const header = rendering.header(undefined);
    await writer.append(header);
    for await (const { data } of rendering.parts) await writer.append(data);
    const bytes = writer.bytes - header.length;
    await writer.append(paddingOf(rendering, bytes));
    await writer.finish(rendering.header(bytes));
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
