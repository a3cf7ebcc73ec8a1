/** The prompts node as the panel in its dialog uses it. */
import path from 'node:path';
import {
  checkRequest,
  type Client,
  type SpeechDefaults,
  SpeechError,
  wavHeader,
} from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { accountOf, localServiceFacts } from '../../account/account-node.js';
import { type SavedAccount, serviceFactsOf } from '../../account/open-account.js';
import { pronunciationsOf } from '../../account/settings.js';
import { rawFormatOf } from '../../output/files/file-format.js';
import { readBounded, resolvePath, pathToWrite, withErrors } from '../../output/files/files.js';
import { isRaw, mediaTypeOf } from '../../runtime/media-types.js';
import type { Translator } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { Manifest } from '../files/manifest.js';
import { readCsvFile } from '../table/csv-file.js';
import { checkVoice } from './check-voice.js';
import { promptFields } from './fields.js';
import { type NodeState, stateOfNode } from './node-state.js';
import { viewOfPlan } from './plan-view.js';
import { planPrompts } from './plan-prompts.js';
import { type RunAccount, runSettings } from './settings.js';
import type { PlanView, RunView } from './views.js';

export type { PlanView, RunView } from './views.js';

/** Bytes of the largest prompt file that the dialog plays. */
const MAX_PLAYED_BYTES = 50_000_000;

/** The request of a plan from the dialog. */
export interface PlanRequest {
  /** The literal values of the dialog by field. */
  typed: Readonly<Record<string, unknown>>;
  /** Id of the deployed node. If neither `csv_file` nor `rows` is typed, its last table is planned. */
  node?: string | undefined;
  /** Id of the account. Blank: the local service. */
  account?: string | undefined;
  /** The values of the account in the dialog, deployed or not. They win over the deployed account. */
  typedAccount?: SavedAccount | undefined;
  /** The pronunciations of the account in the dialog. Default: the pronunciations of the deployed account. */
  pronunciations?: readonly object[] | undefined;
  client: Client;
  defaults: SpeechDefaults;
  signal: AbortSignal;
  translator: Translator;
}

/** Plans the values of a dialog. Sends no paid request. @throws SpeechError */
export async function planOf(RED: NodeAPI, request: PlanRequest): Promise<PlanView> {
  const { typed, client, defaults, signal, translator } = request;
  const account = accountFor(RED, request);
  const settings = await runSettings(RED, checkRequest(promptFields(), typed), account, signal);
  const rows = await rowsOf(RED, request, settings.request);
  const planned = await planPrompts(
    settings,
    { rows, isPartial: false },
    {
      creditsPerSecond: account.service().creditsPerSecond,
      checkVoice: (choice) => checkVoice(client, choice, defaults, { signal }),
    },
    signal,
  );
  return viewOfPlan(translator, settings, planned);
}

function accountFor(
  RED: NodeAPI,
  { account: id, typedAccount, defaults, pronunciations }: PlanRequest,
): RunAccount {
  const isDeployed = typedAccount === undefined && id !== undefined && id !== '';
  const account = isDeployed ? accountOf(RED, id) : undefined;
  const typedFacts = () => typedAccount && serviceFactsOf(typedAccount);
  const given = pronunciations && pronunciationsOf({ pronunciations });
  return {
    defaults,
    service: () => typedFacts() ?? account?.service() ?? localServiceFacts(),
    speaker: { pronunciations: () => given ?? account?.speaker.pronunciations() ?? [] },
  };
}

/** Returns the table of the CSV file, the typed rows, or the last table of the node. */
async function rowsOf(
  RED: NodeAPI,
  { node, signal }: PlanRequest,
  { csv_file, rows }: { csv_file?: string | undefined; rows?: unknown },
): Promise<unknown> {
  if (csv_file !== undefined) return readCsvFile(RED, csv_file, signal);
  const found = rows ?? (node === undefined ? undefined : stateOfNode(node)?.lastInput);
  if (found === undefined) throw new SpeechError('bad-request', say('prompts-no-rows'));
  return found;
}

/** Returns the state of a node; undefined if it is not deployed. */
export const stateOf = (_RED: NodeAPI, node: string): RunView | undefined => stateOfNode(node)?.view;

/**
 * Runs the table of the node's CSV file, or the last table that the node received.
 * @throws SpeechError `not-configured` if the node is not deployed, `busy` if it runs, `bad-request` without rows
 */
export function startRun(_RED: NodeAPI, id: string): void {
  const state = deployed(id);
  if (state.isRunning) throw new SpeechError('busy', say('prompts-running'));
  const { csv_file, rowsType } = state.context.saved;
  const isFromMessage = rowsType === undefined || rowsType === 'msg';
  const hasRows = Boolean(csv_file) || state.lastInput !== undefined || !isFromMessage;
  if (!hasRows) throw new SpeechError('bad-request', say('prompts-no-rows'));
  state.node.receive({ prompts: { from: 'dialog' } });
}

/** @throws SpeechError `not-configured` if the node is not deployed */
export const pauseRun = (_RED: NodeAPI, id: string): void => deployed(id).node.receive({ pause: true });

/** @throws SpeechError `not-configured` if the node is not deployed */
export const resumeRun = (_RED: NodeAPI, id: string): void => deployed(id).node.receive({ resume: true });

/** @throws SpeechError `not-configured` if the node is not deployed */
export const stopRun = (_RED: NodeAPI, id: string): void => deployed(id).node.receive({ reset: true });

function deployed(id: string): NodeState {
  const state = stateOfNode(id);
  if (state === undefined) throw new SpeechError('not-configured', say('prompts-not-deployed'));
  return state;
}

/**
 * Reads a prompt file that the manifest of its folder lists. Raw audio gets a WAV header, so that browsers play it.
 * @param folder path as typed in the dialog
 * @throws SpeechError `not-found` if the manifest does not list it, `bad-request` for raw audio of an unknown format
 */
export async function audioOf(
  RED: NodeAPI,
  folder: string,
  filename: string,
  signal: AbortSignal,
): Promise<{ data: Uint8Array; mime: string }> {
  const root = resolvePath(RED, folder);
  const manifest = await Manifest.open(root, signal);
  if (manifest.get(filename) === undefined)
    throw new SpeechError('not-found', say('prompts-no-file', { file: JSON.stringify(filename) }));
  const file = path.join(root, ...filename.split('/'));
  // A link must not lead out of the folder.
  const target = await withErrors(file, () => pathToWrite({ file, root }));
  const data = await readBounded(target, MAX_PLAYED_BYTES, signal);
  if (!isRaw(filename)) return { data, mime: mediaTypeOf(filename) };
  return { data: wavOf(data, filename), mime: 'audio/wav' };
}

function wavOf(data: Uint8Array, filename: string): Uint8Array {
  const format = rawFormatOf(path.extname(filename).slice(1).toLowerCase());
  if (format === undefined)
    throw new SpeechError('bad-request', say('payload-raw', { value: JSON.stringify(filename) }));
  const bitsPerSample = format.encoding === 'pcm' ? 16 : 8;
  return Buffer.concat([wavHeader({ ...format, channels: 1, bitsPerSample }, data.length), data]);
}
