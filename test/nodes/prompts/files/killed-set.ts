import type { PromptRow } from '../../../../nodes/prompts/table/table.js';
import { rowOf } from './prompt-set.js';

/** Returns 120 rows in several folders, and the audio of a row: 20,000 bytes that depend on its text. */
export function loadSet(): { rows: PromptRow[]; audioOf(row: PromptRow): Buffer } {
  const rows = Array.from({ length: 120 }, (_, index) =>
    rowOf(`menu ${index % 7}/${index}.wav`, `Prompt ${index}.`, index + 2),
  );
  return { rows, audioOf: ({ text }) => Buffer.alloc(20_000, `${text} `) };
}
