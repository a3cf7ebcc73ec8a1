import path from 'node:path';
import { FileWriter } from '../../output/files/file-writer.js';
import { localeOfTranslator, type Translator } from '../../runtime/localize.js';
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
  if (csv) contents.push(['index.csv', csvLines(files, localeOfTranslator(translator))]);
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
function* csvLines(files: Iterable<PromptFile>, language: string): Generator<string, void, undefined> {
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
