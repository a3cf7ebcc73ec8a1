import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { MARK_KEY_FILE, MarkSigner, type Verification, verifyAudio } from '@herald-speech/client/audio';
import { isErrno } from '@herald-speech/client/files';
import { UsageError } from './usage-error.js';

/** The flags of the commands for marks, as options of `parseArgs`. */
export const markFlags = { 'public-key': { type: 'string' } } as const;

/** The lines of the help about the commands. */
export const MARK_HELP = `  mark-key (prints the public half of the key that signs the mark of synthetic speech)
  verify FILE... [--public-key=KEY] (checks the mark of files: made by this Herald and unchanged, changed, or unmarked)`;

/** The result of a command. */
export interface MarkOutput {
  /** For programs, with `--json`. */
  json: object;
  /** For users: a line for each checked file. */
  lines: readonly string[];
  /** For users: why a file was not checked, or not compared with a key. */
  problems: readonly string[];
  /** True if a file is not made by this Herald and unchanged. */
  hasProblems: boolean;
}

/** Returns whether a command line is for marks. */
export const isMarkCommand = ([name = '']: readonly string[]): boolean => Object.hasOwn(commands, name);

/**
 * Runs a command for marks. The service may be running or stopped.
 * @param words the arguments without the flags
 * @param data the data folder
 * @throws UsageError for wrong arguments; Error for a key that is missing or not readable
 */
export function runMark(
  [name, ...files]: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  data: string,
): Promise<MarkOutput> {
  const given = flags['public-key'];
  const [run, count] =
    name === 'verify' ? [commands.verify, files.length > 0] : [commands['mark-key'], files.length === 0];
  if (!count || (name !== 'verify' && given !== undefined))
    throw new UsageError(
      'the arguments do not fit the command: expected herald-service mark-key, or verify FILE...',
    );
  if (given === undefined) return run(data, files);
  if (typeof given === 'string' && /^[\w-]{43}$/.test(given))
    return verifyWith(given, { own: 'the Herald with this key', missing: '' }, files);
  throw new UsageError('--public-key: expected the 43 characters that "herald-service mark-key" prints');
}

const commands = {
  async 'mark-key'(data: string): Promise<MarkOutput> {
    const key = await keyIn(data);
    if (key === undefined) throw new Error(noKey(data));
    return { json: { key }, lines: [key], problems: [], hasProblems: false };
  },
  async verify(data: string, files: readonly string[]): Promise<MarkOutput> {
    const key = await keyIn(data);
    return verifyWith(key, { own: 'this Herald', missing: key === undefined ? noKey(data) : '' }, files);
  },
};

const noKey = (data: string): string =>
  `no key in ${data}: the first start of the service creates it. Or name its folder with --data`;

/** Returns the public half of the key in a data folder, or undefined without a key. */
async function keyIn(data: string): Promise<string | undefined> {
  const file = path.join(data, MARK_KEY_FILE);
  try {
    return new MarkSigner(await readFile(file, 'utf8')).key;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

interface Words {
  /** The name of the Herald with the key. */
  own: string;
  /** Why there is no key to compare. Blank with a key. */
  missing: string;
}

async function verifyWith(
  key: string | undefined,
  words: Words,
  files: readonly string[],
): Promise<MarkOutput> {
  const results: (Checked & { file: string })[] = [];
  for (const file of files) results.push({ file, ...(await verifyFile(file, key)) });
  const lines: string[] = [];
  const problems: string[] = [];
  for (const { file, ...result } of results)
    if ('error' in result) problems.push(`${file}: ${result.error}`);
    else lines.push(`${file}: ${describe(result, words)}`);
  if (words.missing !== '' && results.some((result) => 'verdict' in result && result.verdict === 'foreign'))
    problems.push(words.missing);
  const hasProblems = results.some((result) => !('verdict' in result) || result.verdict !== 'unchanged');
  return { json: { files: results }, lines, problems, hasProblems };
}

/** The result for a file, or why it was not checked. */
type Checked = Verification | { error: string };

async function verifyFile(file: string, key: string | undefined): Promise<Checked> {
  try {
    return verifyAudio(await readFile(file), key === undefined ? [] : [key]);
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return { error: 'no such file' };
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

function describe({ verdict, mark = {}, key = '' }: Verification, { own, missing }: Words): string {
  const { voice, language } = mark;
  const facts = Object.entries({ voice, language }).flatMap(([name, value]) =>
    value ? [`${name} ${value}`] : [],
  );
  const about = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  switch (verdict) {
    case 'unchanged':
      return `made by ${own} and unchanged${about}`;
    case 'foreign':
      return `made by ${missing === '' ? 'another' : 'a'} Herald and unchanged${about}, key ${key}`;
    case 'changed':
      return 'changed after it was signed';
    case 'unsigned':
      return `marked as synthetic speech, but not signed${about}`;
    case 'unmarked':
      return 'unmarked';
  }
}
