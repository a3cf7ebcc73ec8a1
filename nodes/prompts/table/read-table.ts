import { SpeechError } from '@herald-speech/client';
import type { Table } from './table.js';

export interface TableOptions {
  /** Returns the extension of a format without a dot, such as `wav`. Undefined means the format of the node. */
  extensionOf(format: string | undefined): string;
  isFormat(name: string): boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the table of prompts from an array of objects, or from CSV as a string or as a Buffer in UTF-8.
 * A wrong row does not stop the others. The work yields to other events after some milliseconds.
 * @throws SpeechError `bad-request` if the whole input is unusable, or the reason of the signal
 */
export async function readTable(_input: unknown, { signal }: TableOptions): Promise<Table> {
  signal?.throwIfAborted();
  throw new SpeechError('bad-request', 'table: not yet readable');
}
