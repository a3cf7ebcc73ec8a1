import path from 'node:path';
import { FileWriter } from '../../output/files/file-writer.js';
import { localeOf, type Translator } from '../../runtime/localize.js';
import { csvLines } from './index-csv.js';
import { htmlLines } from './index-html.js';
import type { PromptFile } from './prompt-file.js';

/** UTF-16 code units that are written at once. Other work can run in between. */
const STEP = 100_000;

export interface IndexOptions {
  csv: boolean;
  html: boolean;
  /** The heading of the sheet, such as the name of the node. Blank for the default. */
  title: string;
  /** Language of the texts and of the numbers. */
  translator: Translator;
}

/**
 * Writes `index.csv` and `index.html` beside the prompts, each completely or not at all.
 * @param folder absolute path
 * @param files in the order of the index
 * @returns the absolute paths
 * @throws SpeechError `bad-request`, `timed-out`, or the reason of the signal
 */
export async function writeIndex(
  folder: string,
  files: readonly PromptFile[],
  { csv, html, title, translator }: IndexOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const contents: [name: string, lines: Iterable<string>][] = [];
  if (csv) contents.push(['index.csv', csvLines(files, localeOf(translator))]);
  if (html) contents.push(['index.html', htmlLines(files, title, translator)]);
  const written: string[] = [];
  for (const [name, lines] of contents) {
    const file = path.join(folder, name);
    await writeLines(file, folder, lines, signal);
    written.push(file);
  }
  return written;
}

async function writeLines(file: string, root: string, lines: Iterable<string>, signal: AbortSignal) {
  const writer = new FileWriter({ file, root }, signal);
  try {
    await writer.open();
    for (const text of steps(lines)) await writer.append(Buffer.from(text));
    await writer.finish(new Uint8Array());
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Joins lines to long texts, because each write has a fixed cost. */
function* steps(lines: Iterable<string>): Generator<string, void, undefined> {
  let step = '';
  for (const line of lines) {
    step += line;
    if (step.length < STEP) continue;
    yield step;
    step = '';
  }
  yield step;
}
