import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { asSpeechError, type SpeechError, type Text } from '@herald-speech/client';
import { withTimeLimit } from '../../output/files/time-limit.js';
import {
  checkInside,
  existingPart,
  fileError,
  statsOf,
  pathToWrite,
  withErrors,
} from '../../output/files/files.js';
import { say } from '../../runtime/messages.js';
import { fileKey } from '../table/filename.js';
import type { PromptRow, Table } from '../table/table.js';
import { Turns } from '../table/turns.js';
import { isAsMade, promptPath } from './check-file.js';
import type { Estimate } from './estimate.js';
import type { Manifest } from './manifest.js';
import type { PromptFile } from './prompt-file.js';
import type { PromptPlan, PlannedRow, PlannedState } from './plan.js';

/** Files that are checked at a time. `withTimeLimit` permits no more. */
const PARALLEL = 2;

export interface PlanInput {
  table: Pick<Table, 'rows' | 'wrong'>;
  manifest: Manifest;
  /** Absolute path. It need not exist. */
  folder: string;
  /** Returns the content hash. A SpeechError `bad-request` makes the row wrong. */
  hashOf(row: PromptRow): string;
  estimate: Estimate;
  /** Language of a row that sets none. */
  language?: string | undefined;
  /** Undefined if the account has no price. */
  creditsPerSecond?: number | undefined;
  /** Whether the table has only some rows of the set. Nothing is gone then. */
  isPartial?: boolean | undefined;
}

/**
 * Compares the table with the manifest and the folder. Writes nothing.
 * @throws SpeechError `bad-request` if the folder is not a folder, `timed-out`, or the reason of the signal
 */
export async function planRun(input: PlanInput, signal: AbortSignal): Promise<PromptPlan> {
  const { table, manifest, folder, isPartial = false } = input;
  const exists = await folderExists(folder, signal);
  const rows = await inParallel(table.rows, signal, (row) => planRow(input, row, exists, signal));
  const files = isPartial ? [] : manifest.all();
  const rest = files.length === 0 ? [] : withoutRow(files, table);
  const spelled = rest.length === 0 ? [] : table.rows;
  const spellings = new Map(spelled.map(({ filename }) => [fileKey(filename), filename]));
  const found = await inParallel(rest, signal, (name) =>
    isThere(folder, name, spellings.get(fileKey(name)), signal),
  );
  return {
    rows,
    wrong: table.wrong,
    gone: rest.filter((_name, index) => found[index]),
    lost: rest.filter((_name, index) => !found[index]),
    ...totalsOf(rows, table.wrong.length, input.creditsPerSecond !== undefined),
    isPartial,
  };
}

/** Whether a run makes the file of a row. */
export const isToMake = ({ state }: Pick<PlannedRow, 'state'>): boolean =>
  state === 'new' || state === 'changed';

/** Returns the sums of a plan. @param wrong number of the wrong rows of the table */
export function totalsOf(
  rows: readonly PlannedRow[],
  wrong: number,
  hasPrice: boolean,
): Pick<PromptPlan, 'counts' | 'seconds' | 'credits'> {
  const counts = { new: 0, changed: 0, unchanged: 0, wrong };
  let [seconds, credits] = [0, 0];
  for (const row of rows) {
    counts[row.state] += 1;
    if (!isToMake(row)) continue;
    seconds += row.seconds;
    credits += row.credits ?? 0;
  }
  return { counts, seconds, credits: hasPrice ? credits : undefined };
}

/**
 * Returns the results in the order of the items. The first failure ends the work. In a new folder, no file needs a check, so the
 * work itself lets other events happen.
 */
async function inParallel<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const turns = new Turns(signal);
  let isFailed = false;
  const worker = async () => {
    for (const [index, item] of rest) {
      if (isFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
      if (turns.isOver) await turns.next();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

/** @throws SpeechError `bad-request` if the path is a file */
async function folderExists(folder: string, signal: AbortSignal): Promise<boolean> {
  const check = async () => {
    if ((await statsOf(folder)) === undefined) return false;
    if (!(await stat(folder)).isDirectory()) throw fileError(folder, say('file-not-folder'));
    return true;
  };
  return withErrors(folder, () => withTimeLimit(path.join(folder, 'plan'), signal, check));
}

/** Returns the files without a row. A wrong row keeps its file, also if a run has made it under another spelling. */
function withoutRow(files: readonly PromptFile[], { rows, wrong }: PlanInput['table']): string[] {
  const names = new Set(rows.map(({ filename }) => filename));
  const keys = new Set(wrong.map(({ filename }) => fileKey(filename)));
  const filenames = files.map(({ filename }) => filename);
  return filenames.filter((name) => !names.has(name) && !keys.has(fileKey(name)));
}

/**
 * Returns whether a file exists that belongs to no row.
 * @param spelling the file of a row whose name differs in case. On Windows, it is the same file.
 */
function isThere(
  folder: string,
  filename: string,
  spelling: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const file = promptPath(folder, filename);
  return withTimeLimit(file, signal, async () => {
    const found = await idOf(file);
    return (
      found !== undefined && (spelling === undefined || found !== (await idOf(promptPath(folder, spelling))))
    );
  });
}

/** Returns the identity of a file, or undefined if it cannot be found. */
async function idOf(file: string): Promise<string | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

async function planRow(
  input: PlanInput,
  row: PromptRow,
  exists: boolean,
  signal: AbortSignal,
): Promise<PlannedRow> {
  try {
    const hash = input.hashOf(row);
    const finding = await checkFile(input, row, { hash, exists }, signal);
    return { row, hash, ...finding, ...costOf(input, row, finding.state) };
  } catch (error) {
    const failure = asSpeechError(error);
    if (failure.code !== 'bad-request') throw error;
    return {
      row,
      hash: '',
      state: 'wrong',
      seconds: 0,
      credits: input.creditsPerSecond && 0,
      reason: textOf(failure),
    };
  }
}

const textOf = ({ text, message }: SpeechError): Text => text ?? { key: '', values: {}, english: message };

interface Finding {
  state: PlannedState;
  reason: Text | undefined;
}

async function checkFile(
  { manifest, folder }: PlanInput,
  row: PromptRow,
  { hash, exists }: { hash: string; exists: boolean },
  signal: AbortSignal,
): Promise<Finding> {
  if (!exists) return { state: 'new', reason: undefined };
  const file = promptPath(folder, row.filename);
  const made = manifest.get(row.filename);
  return withErrors(file, () =>
    withTimeLimit(file, signal, async (limit) => {
      const isSame = made !== undefined && (await isAsMade(file, made, limit));
      if (isSame && made.hash === hash) return { state: 'unchanged', reason: undefined };
      const isReplaced = await checkReplaceable(file, folder);
      if (!isReplaced) return { state: 'new', reason: undefined };
      if (made === undefined) return { state: 'new', reason: say('prompts-replaces') };
      return { state: 'changed', reason: say(isSame ? 'prompts-changed' : 'prompts-edited') };
    }),
  );
}

/** Returns whether a file exists. @throws SpeechError `bad-request` if a run cannot write to its path */
async function checkReplaceable(file: string, root: string): Promise<boolean> {
  if ((await statsOf(file)) === undefined) {
    await checkInside(file, await existingPart(path.dirname(file)), root);
    return false;
  }
  await pathToWrite({ file, root });
  return true;
}

/** Returns the seconds and credits of a row. Only a file that will be made costs credits. */
function costOf(
  { manifest, estimate, language, creditsPerSecond }: PlanInput,
  row: PromptRow,
  state: PlannedState,
) {
  if (state === 'unchanged') {
    const { seconds = 0 } = manifest.get(row.filename) ?? {};
    return { seconds, credits: creditsPerSecond && 0 };
  }
  const seconds = estimate(row.text, row.voice.language ?? language);
  return { seconds, credits: creditsPerSecond === undefined ? undefined : seconds * creditsPerSecond };
}
