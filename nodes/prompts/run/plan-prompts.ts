import { asSpeechError, type Text, type VoiceChoice } from '@herald-speech/client';
import { estimatorOf } from '../files/estimate.js';
import { Manifest } from '../files/manifest.js';
import type { PromptPlan, PlannedRow } from '../files/plan.js';
import { isToMake, planRun, totalsOf } from '../files/plan-run.js';
import { readTable } from '../table/read-table.js';
import type { Table } from '../table/table.js';
import { takeTurns } from '../table/turns.js';
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
  return { table, manifest, plan: await withVoices(plan, settings, service, signal) };
}

/** The lookup of one voice for all its rows. */
interface Lookup {
  choice: VoiceChoice;
  problem?: Text | undefined;
}

/** Returns the plan in which rows with an unknown or unsuitable voice are wrong. */
async function withVoices(
  plan: PromptPlan,
  settings: RunSettings,
  service: PlanService,
  signal: AbortSignal,
): Promise<PromptPlan> {
  const lookups = new Map<string, Lookup>();
  const lookupOf = new Map<PlannedRow, Lookup>();
  await takeTurns([plan.rows], signal, (planned) => {
    if (!isToMake(planned)) return;
    const { voice_id, language, style, model } = settings.taskOf(planned.row).request;
    const choice = { voice_id, language, style, model };
    const key = JSON.stringify(choice);
    const lookup = lookups.get(key) ?? { choice };
    lookups.set(key, lookup);
    lookupOf.set(planned, lookup);
  });
  const look = async (lookup: Lookup) => {
    lookup.problem = await voiceProblem(() => service.checkVoice(lookup.choice));
  };
  await Promise.all([...lookups.values()].map(look));
  const rows = plan.rows.map((planned) => {
    const reason = lookupOf.get(planned)?.problem;
    if (reason === undefined) return planned;
    return { ...planned, reason, state: 'wrong', seconds: 0, credits: planned.credits && 0 } as const;
  });
  return { ...plan, rows, ...totalsOf(rows, plan.wrong.length, plan.credits !== undefined) };
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
