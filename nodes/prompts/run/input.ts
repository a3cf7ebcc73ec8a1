import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { resolvePath } from '../../output/files/files.js';
import { say } from '../../runtime/messages.js';
import { propertyOf } from '../../runtime/objects.js';
import { readCsvFile } from '../table/csv-file.js';
import { stateOfNode } from './node-state.js';
import type { Input, PromptTask } from './prompt-task.js';

/** The field `msg.prompts` of messages that this node receives. */
interface Origin {
  partial: boolean;
  /** `interrupted`: continue the run that a restart has ended. `dialog`: run the CSV file, or the last table again. */
  from: unknown;
  /** The table of an interrupted run. */
  rows: unknown;
}

/** Whether the user started a run in the dialog. It makes files, also if the node only plans the tables of messages. */
export const isFromDialog = (message: NodeMessage): boolean => originOf(message).from === 'dialog';

/** Whether a message continues a run that a restart has ended. */
export const isInterrupted = (message: NodeMessage): boolean => originOf(message).from === 'interrupted';

const originOf = ({ prompts }: NodeMessage): Origin => ({
  partial: propertyOf(prompts, 'partial') === true,
  from: propertyOf(prompts, 'from'),
  rows: propertyOf(prompts, 'rows'),
});

/**
 * Whether a message has only some rows of a table: the node sent these rows, and they came back. Without `msg.prompts`, a
 * message that failed before counts as such rows too: otherwise all other files would count as gone.
 */
const isPart = ({ message, again }: Pick<PromptTask, 'message' | 'again'>): boolean =>
  originOf(message).partial || (again && propertyOf(message['prompts'], 'report') === undefined);

/**
 * Returns the table of a message. Rows that were sent back in win over the CSV file, and the file wins over `rows`.
 * @throws SpeechError `bad-request` if a file is not readable
 */
export async function inputOf(task: PromptTask, folder: string): Promise<Input> {
  const { RED, node, request, message, signal } = task;
  const { partial, from, rows: saved } = originOf(message);
  if (from === 'interrupted') return { rows: saved, isPartial: partial };
  const isPartial = isPart(task);
  if (isPartial && Array.isArray(message.payload)) return { rows: message.payload, isPartial };
  const { csv_file, rows, index_csv } = request;
  if (csv_file !== undefined) {
    if (index_csv && resolvePath(RED, csv_file) === path.join(folder, 'index.csv'))
      throw new SpeechError('bad-request', say('prompts-own-index', { file: JSON.stringify(csv_file) }));
    return { rows: await readCsvFile(RED, csv_file, signal), isPartial: false };
  }
  const last = from === 'dialog' ? stateOfNode(node.id)?.lastInput : undefined;
  return { rows: last ?? rows, isPartial };
}
