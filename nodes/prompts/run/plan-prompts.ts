import { asSpeechError, type Text, type VoiceChoice } from '@herald-speech/client';
import { estimatorOf } from '../files/estimate.js';
import { Manifest } from '../files/manifest.js';
import type { PromptPlan, PlannedRow } from '../files/plan.js';
import { planRun } from '../files/plan-run.js';
import { readTable } from '../table/read-table.js';
import type { Table } from '../table/table.js';
import type { Input } from './prompt-task.js';
import type { RunSettings } from './settings.js';

/** The plan of a table, and the manifest with which it was compared. */
export interface PlannedTable {
  table: Table;
  plan: PromptPlan;
  manifest: Manifest;
}

/** The service, as far as a plan asks it. */
interface PlanService {
  creditsPerSecond: number | undefined;
  /** Checks without a charge that a voice exists and fits. @throws SpeechError `bad-request` or `not-found` if not */
  checkVoice(choice: VoiceChoice): Promise<void>;
}

/**
 * Reads and checks a table, and compares it with the folder. Looks up each different voice of the rows to make once. Writes
 * nothing and sends no paid request.
 * @throws SpeechError
 */
export async function planPrompts(
  settings: RunSettings,
  { rows, isPartial }: Input,
  service: PlanService,
  signal: AbortSignal,
): Promise<PlannedTable> {
  const table = await readTable(rows, { ...settings, signal });
  const manifest = await Manifest.open(settings.folder, signal);
  const { creditsPerSecond } = service;
  const { request, defaults, folder } = settings;
  const input = {
    table,
    manifest,
    folder,
    hashOf: (row: PlannedRow['row']) => settings.taskOf(row).hash,
    estimate: estimatorOf(manifest.all()),
    language: request.language ?? defaults.language,
    creditsPerSecond,
    isPartial,
  };
  const plan = await planRun(input, signal);
  return { table, manifest, plan: await withVoices(plan, settings, service) };
}

/** Whether a run makes the file of a row. */
export const isToMake = ({ state }: PlannedRow): boolean => state === 'new' || state === 'changed';

/** Returns the plan in which rows with an unknown or unsuitable voice are wrong. */
async function withVoices(
  plan: PromptPlan,
  settings: RunSettings,
  service: PlanService,
): Promise<PromptPlan> {
  const lookups = new Map<string, Promise<Text | undefined>>();
  const problemOf = (planned: PlannedRow) => {
    const { voice_id, language, style, model } = settings.taskOf(planned.row).request;
    const choice = { voice_id, language, style, model };
    const key = JSON.stringify(choice);
    const lookup = lookups.get(key) ?? voiceProblem(() => service.checkVoice(choice));
    lookups.set(key, lookup);
    return lookup;
  };
  const rows = await Promise.all(
    plan.rows.map(async (planned) => {
      const reason = isToMake(planned) ? await problemOf(planned) : undefined;
      if (reason === undefined) return planned;
      return { ...planned, reason, state: 'wrong', seconds: 0, credits: planned.credits && 0 } as const;
    }),
  );
  return { ...plan, rows, ...totals(plan, rows) };
}

async function voiceProblem(check: () => Promise<void>): Promise<Text | undefined> {
  try {
    await check();
    return undefined;
  } catch (thrown) {
    const error = asSpeechError(thrown);
    if (error.code !== 'bad-request' && error.code !== 'not-found') throw error;
    return error.text ?? { key: '', values: {}, english: error.message };
  }
}

function totals(
  plan: PromptPlan,
  rows: readonly PlannedRow[],
): Pick<PromptPlan, 'counts' | 'seconds' | 'credits'> {
  const counts = { new: 0, changed: 0, unchanged: 0, wrong: plan.wrong.length };
  for (const { state } of rows) counts[state] += 1;
  const toMake = rows.filter(isToMake);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    counts,
    seconds: sum(toMake.map(({ seconds }) => seconds)),
    credits: plan.credits === undefined ? undefined : sum(toMake.map(({ credits = 0 }) => credits)),
  };
}
