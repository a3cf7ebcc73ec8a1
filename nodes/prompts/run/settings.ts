import { createHash } from 'node:crypto';
import { extensionOf } from '@herald-speech/audio';
import { checkRequest, type SpeechDefaults } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { Account } from '../../account/account-node.js';
import { dressingOf } from '../../lib/announcement.js';
import { formatField, type Formats } from '../../lib/output-format.js';
import { accountRequest, voiceFields } from '../../lib/utterance.js';
import { resolvePath } from '../../output/files/files.js';
import { hashOf } from '../files/hash.js';
import type { PromptRow } from '../table/table.js';
import type { PromptRequest } from './fields.js';
import { dressingToTask, type RowTask, type TaskDressing } from './rows/task.js';

/** The account of a run: its defaults, and the values that change the sound. */
export type RunAccount = Pick<Account, 'defaults' | 'service'> & {
  speaker: Pick<Account['speaker'], 'pronunciations'>;
};

/** The settings of a run, with the values that all rows share. */
export interface RunSettings {
  request: PromptRequest;
  /** Absolute path. */
  folder: string;
  defaults: SpeechDefaults;
  /** Returns the extension of a format, by default of the format of the node. */
  extensionOf(format: string | undefined): string;
  isFormat(name: string): boolean;
  markup: PromptRequest['markup'];
  /** @throws SpeechError `bad-request` if the row has an invalid value */
  taskOf(row: PromptRow): RowTask;
}

/**
 * Prepares the settings of a run. Reads the file of the chime.
 * @throws SpeechError `bad-request` for an invalid chime, `not-configured` for invalid settings of the account
 */
export async function runSettings(
  RED: NodeAPI,
  request: PromptRequest,
  account: RunAccount,
  signal: AbortSignal,
): Promise<RunSettings> {
  const dressing = dressingToTask(await dressingOf(RED, request, signal));
  const shared: Shared = { request, dressing, account: soundOf(account) };
  const tasks = new WeakMap<PromptRow, RowTask>();
  return {
    request,
    folder: resolvePath(RED, request.folder),
    defaults: account.defaults,
    extensionOf: (format) => extensionIn(formatsOf(format) ?? request.format),
    isFormat: (name) => formatsOf(name) !== undefined,
    markup: request.markup,
    taskOf(row) {
      const task = tasks.get(row) ?? taskOf(shared, row);
      tasks.set(row, task);
      return task;
    },
  };
}

interface Shared {
  request: PromptRequest;
  dressing: TaskDressing;
  /** The values of the account that change the sound. */
  account: Pick<RowTask, 'defaults' | 'accountPronunciations'> & {
    service: string;
    writesFigures: boolean | undefined;
  };
}

const soundOf = ({ defaults, speaker, service }: RunAccount): Shared['account'] => ({
  service: service().identity,
  writesFigures: service().writesFigures,
  defaults,
  accountPronunciations: [...speaker.pronunciations()],
});

function formatsOf(name: string | undefined): Formats | undefined {
  return name === undefined ? undefined : formatField().safeParse(name).data;
}

const isRaw = (format: Formats['format']): boolean => format !== 'unchanged' && format.container === 'raw';

const extensionIn = ({ output_format = 'wav', format }: Formats): string =>
  format === 'unchanged' ? output_format : extensionOf(format);

function taskOf({ request: node, dressing, account }: Shared, row: PromptRow): RowTask {
  const { output_format, format } = formatsOf(row.format) ?? node.format;
  const { markup, cache, pronunciations, fallback, mark, retry_attempts, retry_wait, parallel } = node;
  const spoken = checkRequest(accountRequest(), { ...voiceOf(node, row), text: row.text, output_format });
  const sound = { request: spoken, markup, pronunciations, format };
  // Files of versions without a mark count as unchanged, so the default has no value.
  const unmarked = mark || isRaw(format) ? undefined : true;
  const content = {
    ...sound,
    unmarked,
    dressing: fingerprintOf(dressing),
    account: soundFor(spoken, account),
  };
  const { defaults, accountPronunciations } = account;
  const ofAccount = { defaults, accountPronunciations, fallback };
  const others = { mark, cache, retry_attempts, retry_wait, parallel, dressing, filename: row.filename };
  return { ...sound, ...ofAccount, ...others, hash: hashOf(content) };
}

/** Returns the values of the account that change the sound of a request. A default does not if the request has its own value. */
const soundFor = (spoken: RowTask['request'], { defaults, ...account }: Shared['account']): object => ({
  ...account,
  defaults: {
    voice_id: spoken.voice_id === undefined ? defaults.voice_id : undefined,
    language: spoken.language === undefined ? defaults.language : undefined,
  },
});

/** Returns the voice of a row. The voice settings of the row win over the settings of the node. */
function voiceOf(node: PromptRequest, { voice }: PromptRow): object {
  const ofNode = Object.entries(node).filter(([field]) => voiceFields.includes(field));
  const settings = { ...node.voice_settings, ...voice.voice_settings };
  const isSet = Object.keys(settings).length > 0;
  return { ...Object.fromEntries(ofNode), ...voice, voice_settings: isSet ? settings : undefined };
}

/** The digests of the files of chimes. Each row of a run has the same dressing. */
const fingerprints = new WeakMap<object, object>();

function fingerprintOf(dressing: TaskDressing): object {
  const { chime } = dressing;
  if (typeof chime !== 'object') return dressing;
  const digest = () => createHash('sha256').update(chime.base64).digest('hex');
  const fingerprint = fingerprints.get(dressing) ?? { ...dressing, chime: digest() };
  fingerprints.set(dressing, fingerprint);
  return fingerprint;
}
