import type { Markup } from '../../../../nodes/lib/utterance.js';
import { readTable } from '../../../../nodes/prompts/table/read-table.js';
import type { Table } from '../../../../nodes/prompts/table/table.js';

/** Formats of a node that writes WAV by default. */
const formats = { extensionOf: (format?: string) => (format === 'asterisk-ulaw' ? 'ulaw' : 'wav') };
const known = ['wav', 'asterisk-ulaw', 'asterisk-wav'];

export const read = (input: unknown, signal?: AbortSignal, markup: Markup = 'remove'): Promise<Table> =>
  readTable(input, { ...formats, isFormat: (name) => known.includes(name), markup, signal });

/** Returns the English problems of the wrong rows by their number. */
export const problemsOf = ({ wrong }: Table): Record<number, string> =>
  Object.fromEntries(
    wrong.map(({ number, problems }) => [number, problems.map(({ english }) => english).join(' | ')]),
  );

/** Returns `number text -> filename` of all rows that can be made. */
export const madeOf = ({ rows }: Table): string[] =>
  rows.map(({ number, text, filename }) => `${number} ${text} -> ${filename}`);
