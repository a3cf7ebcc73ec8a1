/** The prompts node as the panel in its dialog uses it. */
import { type Client, type SpeechDefaults, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { Translator } from '../../runtime/localize.js';

/** The request of a plan from the dialog. */
export interface PlanRequest {
  /** The literal values of the dialog by field. */
  typed: Readonly<Record<string, unknown>>;
  /** Id of the deployed node. If no `csv_file` is typed, its last table is planned. */
  node?: string | undefined;
  /** Id of the account. Blank: the local service. */
  account?: string | undefined;
  client: Client;
  defaults: SpeechDefaults;
  signal: AbortSignal;
  translator: Translator;
}

/** One row of a plan. */
export interface RowView {
  number: number;
  text: string;
  filename: string;
  state: 'new' | 'changed' | 'unchanged' | 'wrong';
  /** Known or estimated seconds of the audio. */
  seconds: number;
  /** Localized. */
  problems: string[];
  /** The request for a sample. Undefined for a wrong row. */
  request?: Readonly<Record<string, unknown>> | undefined;
}

/** A plan with at most 1,000 rows. */
export interface PlanView {
  /** Absolute path. */
  folder: string;
  /** In the order of the table. */
  rows: RowView[];
  /** Number of all rows. */
  count: number;
  counts: Record<RowView['state'], number>;
  /** Estimated seconds of the new and changed files. */
  seconds: number;
  /** Undefined if the account states no price. */
  credits?: number | undefined;
  /** At most 1,000 files of the folder whose rows are gone. */
  gone: string[];
  goneCount: number;
}

/** The figures of a finished run. */
export interface ReportView {
  made: number;
  cached: number;
  unchanged: number;
  failed: number;
  wrong: number;
  gone: number;
  seconds: number;
  credits?: number | undefined;
}

/** The current run of a node, or its last one. */
export interface RunState {
  phase: 'idle' | 'running' | 'paused';
  /** Rows that are finished, of the `count` rows to make. */
  done: number;
  count: number;
  /** Estimated. Undefined before the first file is made. */
  secondsLeft?: number | undefined;
  made: number;
  cached: number;
  failed: number;
  /** The figures of the last run, if it has ended. */
  report?: ReportView | undefined;
  /** Localized reason of the failure of the last run. */
  error?: string | undefined;
}

const later = () => new SpeechError('internal', 'not yet implemented');

/** Plans the values of a dialog. Sends no paid request. @throws SpeechError */
export async function planOf(_RED: NodeAPI, _request: PlanRequest): Promise<PlanView> {
  throw later();
}

/** Returns the state of a node; undefined if it is not deployed. */
export function stateOf(_RED: NodeAPI, _node: string): RunState | undefined {
  return undefined;
}

/** @throws SpeechError `not-configured` if the node is not deployed, `busy` if it runs, `bad-request` without rows */
export function startRun(_RED: NodeAPI, _node: string): void {
  throw later();
}

/** @throws SpeechError `not-configured` if the node is not deployed */
export function pauseRun(_RED: NodeAPI, _node: string): void {
  throw later();
}

/** @throws SpeechError `not-configured` if the node is not deployed */
export function resumeRun(_RED: NodeAPI, _node: string): void {
  throw later();
}

/** @throws SpeechError `not-configured` if the node is not deployed */
export function stopRun(_RED: NodeAPI, _node: string): void {
  throw later();
}

/**
 * Reads a prompt file that the manifest of its folder lists.
 * @param folder path as typed in the dialog
 * @throws SpeechError `not-found` if the manifest does not list it
 */
export async function audioOf(
  _RED: NodeAPI,
  _folder: string,
  _filename: string,
  _signal: AbortSignal,
): Promise<{ data: Uint8Array; mime: string }> {
  throw later();
}
