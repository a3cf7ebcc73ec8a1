import type { PromptFile } from './prompt-file.js';

/** Names of the columns, as in the table of prompts, so that the file can be the table of a run. */
const COLUMNS = ['filename', 'text', 'seconds', 'language', 'voice_id'] as const;
/** Without this mark, Excel reads the file in the code page of Windows. */
const BYTE_ORDER_MARK = '\uFEFF';
/** The start of a cell that a spreadsheet can take for a formula, also in full-width characters. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r]/u;

/**
 * Yields the lines of `index.csv` as in RFC 4180, with a byte order mark. In languages with a decimal comma, a semicolon separates
 * the fields, because Excel expects it there.
 * @param language language of the numbers, such as `de`
 */
export function* csvLines(files: Iterable<PromptFile>, language: string): Generator<string, void, undefined> {
  const numbers = new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 2 });
  const separator = numbers.format(0.5).includes(',') ? ';' : ',';
  const lineOf = (cells: readonly string[]) => `${cells.join(separator)}\r\n`;
  yield BYTE_ORDER_MARK + lineOf(COLUMNS);
  for (const file of files) {
    yield lineOf(
      COLUMNS.map((name) => (name === 'seconds' ? numbers.format(file.seconds) : quoted(file[name]))),
    );
  }
}

/** Returns a field in quotes. A spreadsheet shows a cell with an apostrophe at its start as text. */
const quoted = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
