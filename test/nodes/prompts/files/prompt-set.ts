import { mkdir } from 'node:fs/promises';
import { estimatorOf } from '../../../../nodes/prompts/files/estimate.js';
import { hashOf } from '../../../../nodes/prompts/files/hash.js';
import { Manifest } from '../../../../nodes/prompts/files/manifest.js';
import type { PromptPlan } from '../../../../nodes/prompts/files/plan.js';
import { planRun, type PlanInput } from '../../../../nodes/prompts/files/plan-run.js';
import type { PromptFile } from '../../../../nodes/prompts/files/prompt-file.js';
import { savePrompt } from '../../../../nodes/prompts/files/save-prompt.js';
import type { PromptRow } from '../../../../nodes/prompts/table/table.js';
import { never } from '../../../support/waiting.js';

export const rowOf = (filename: string, text: string, number = 2): PromptRow => ({
  number,
  given: { filename, text },
  text,
  filename,
  voice: { language: 'en' },
});

/** The rows of a table from file names and texts. */
export const rowsOf = (texts: Readonly<Record<string, string>>): PromptRow[] =>
  Object.entries(texts).map(([filename, text], index) => rowOf(filename, text, index + 2));

/** The hash and the audio of a row in these tests depend only on its text. */
export const contentOf = ({ text }: PromptRow): string => hashOf({ text });
export const audioOf = ({ text }: PromptRow): Buffer => Buffer.from(`audio of ${text}`);

export function planOf(
  folder: string,
  manifest: Manifest,
  rows: readonly PromptRow[],
  more: Partial<PlanInput> = {},
): Promise<PromptPlan> {
  const estimate = estimatorOf(manifest.all());
  return planRun(
    { table: { rows, wrong: [] }, manifest, folder, hashOf: contentOf, estimate, ...more },
    never,
  );
}

export const save = (
  folder: string,
  manifest: Manifest,
  row: PromptRow,
  signal = never,
): Promise<PromptFile> => {
  const { filename, text } = row;
  const facts = { filename, text, hash: contentOf(row), seconds: 2, voice_id: 'anna', language: 'en' };
  return savePrompt({ folder, manifest }, { ...facts, data: audioOf(row) }, signal);
};

/** Opens the manifest of a folder for some work, and closes it. */
export async function withManifest<Result>(
  folder: string,
  work: (manifest: Manifest) => Promise<Result>,
): Promise<Result> {
  const manifest = await Manifest.open(folder, never);
  try {
    return await work(manifest);
  } finally {
    await manifest.close();
  }
}

/** Makes the rows that are new or changed, as a run does. Returns the names of the files that were made. */
export async function makeAll(folder: string, rows: readonly PromptRow[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return withManifest(folder, async (manifest) => {
    const plan = await planOf(folder, manifest, rows);
    const toMake = plan.rows.filter(({ state }) => state === 'new' || state === 'changed');
    for (const { row } of toMake) await save(folder, manifest, row);
    return toMake.map(({ row }) => row.filename);
  });
}

/** Plans with the manifest of the folder. */
export const planAgain = (
  folder: string,
  rows: readonly PromptRow[],
  more?: Partial<PlanInput>,
): Promise<PromptPlan> => withManifest(folder, (manifest) => planOf(folder, manifest, rows, more));

/** The states of the rows by file name. */
export const statesOf = ({ rows }: PromptPlan): Record<string, string> =>
  Object.fromEntries(rows.map(({ row, state }) => [row.filename, state]));
