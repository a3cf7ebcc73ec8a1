/** The prompts node as the panel in its dialog uses it. */
import { type Client, type SpeechDefaults, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { Translator } from '../../runtime/localize.js';
import type { PlanView, RunState } from './views.js';

export type { PlanView, ReportView, RowView, RunState } from './views.js';

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
