import { createInterface } from 'node:readline';
import { textInWords } from '../voices/engines/espeak/in-words.js';
import { UsageError } from './usage-error.js';
import { withEmojiNames } from '../voices/engines/normalize/emoji/emoji.js';
import type { OutputStream } from './voices/terminal.js';

export const READ_COMMAND = 'read';

/** The line of the help about the command. */
export const READ_HELP = `  ${READ_COMMAND} --language CODE [--emoji] (prints each line of the standard input as it will be read out)`;

/**
 * Prints each line of the input with figures as words, in the order of the lines.
 * @param words the arguments without the flags
 * @throws UsageError for further arguments, or without a language
 */
export async function runRead(
  words: readonly string[],
  language: string | undefined,
  { stdin, stdout, emoji }: { stdin: NodeJS.ReadableStream; stdout: OutputStream; emoji: boolean },
): Promise<void> {
  if (words.length > 1 || language === undefined || !/^[a-z]{2}(?:[-_][a-z]{2})?$/iu.test(language))
    throw new UsageError(
      `the arguments do not fit the command: expected herald-service ${READ_COMMAND} --language CODE, such as en or en-GB`,
    );
  const code = language.slice(0, 2).toLowerCase();
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity }))
    stdout.write(`${textInWords(emoji ? withEmojiNames(line, code) : line, language)}\n`);
}
