import type { SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { editorTranslators } from './languages.js';
import { localize, type Translator } from './localize.js';
import {
  doneStatus,
  failedStatus,
  type JobActivity,
  type JobResult,
  type Status,
  statusOf,
  wordsOf,
} from './status-texts.js';

/** The status below a node: the activity of the current message and the number of queued messages. */
export interface StatusBoard {
  progress(activity: JobActivity): void;
  /** Updates the number after a message was queued. */
  refresh(): void;
  /**
   * Shows the result until the next message, or `queued` if messages wait. Without audio, clears the status.
   */
  done(result?: JobResult): void;
  /** Shows the failure until the next message arrives. */
  failed(error: SpeechError): void;
  clear(): void;
}

/** The status of one message. The node shows it while the message is the first in the queue. */
export interface JobStatus {
  progress(activity: JobActivity): void;
  /** Sets the result that `done` shows. */
  spoken(result: JobResult): void;
  /** Shows the message from now on. */
  lead(): void;
  done(): void;
  /** An intended stop does not count as a failure. */
  failed(error: SpeechError): void;
}

export function statusOfJob(board: StatusBoard): JobStatus {
  let last: JobActivity = { state: 'queued' };
  let result: JobResult | undefined;
  let isFirst = false;
  return {
    progress(activity) {
      last = activity;
      if (isFirst) board.progress(activity);
    },
    spoken: (spoken) => (result = spoken),
    lead() {
      isFirst = true;
      board.progress(last);
    },
    done: () => (isFirst ? board.done(result) : board.refresh()),
    failed(error) {
      if (!isFirst) board.refresh();
      else if (error.route === 'stopped') board.done();
      else board.failed(error);
    },
  };
}

/** A status in all languages of the editor, by codes such as `de`. */
export interface EditorStatus extends Pick<Status, 'fill' | 'shape'> {
  texts: Readonly<Record<string, string>>;
}

/** The topic on which open editors receive the statuses, followed by the id of the node (docs/decisions/0153). */
const TOPIC = 'herald/status/';

/** Returns the function that sends the status of a node to all editors: to open ones now, to others when they open. */
export const toEditors =
  ({ comms }: Pick<NodeAPI, 'comms'>, node: string) =>
  (status?: EditorStatus): void =>
    comms.publish(`${TOPIC}${node}`, status ?? {}, status !== undefined);

/**
 * Shows the status of a node: in the language of Node-RED for Status nodes, and in the language of each editor.
 * @param waiting returns the number of queued messages, without the current one
 * @param publish sends a status to the editors; undefined if the node has none any more
 */
export function createStatus(
  node: Pick<Node, 'status'>,
  translator: Translator,
  waiting: () => number,
  publish: (status?: EditorStatus) => void = () => {},
): StatusBoard {
  let shown: Status | undefined;
  const send = senderOf(node, translator, publish);
  const show = (status: Status) => {
    shown = status;
    send(status, waiting());
  };
  const clear = () => {
    shown = undefined;
    send();
  };
  const queued = () => show(statusOf({ state: 'queued' }));
  return {
    progress: (activity) => show(statusOf(activity)),
    refresh() {
      if (shown?.isResult === true) return waiting() > 0 ? queued() : undefined;
      if (shown !== undefined) show(shown);
    },
    done(result) {
      if (waiting() > 0) queued();
      else if (result === undefined) clear();
      else show(doneStatus(result));
    },
    failed: (error) => show(failedStatus(error)),
    clear,
  };
}

/** Returns the function that sends a status to Status nodes and to editors. Each one goes to all of them, so equal ones go once. */
function senderOf(
  node: Pick<Node, 'status'>,
  translator: Translator,
  publish: (status?: EditorStatus) => void,
): (status?: Status, waiting?: number) => void {
  const known = new Map<string, Words>();
  let last: string | undefined;
  return (status, waiting = 0) => {
    if (status === undefined) {
      last = undefined;
      node.status({});
      return publish();
    }
    const { fill, shape, isResult = false } = status;
    const id = JSON.stringify([status, waiting]);
    // A result is always news.
    if (!isResult && id === last) return;
    last = id;
    const { text, texts } = known.get(id) ?? allWordsOf(status, translator, waiting);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(id, { text, texts });
    node.status({ fill, shape, text });
    // Node-RED has sent its own text to the editors.
    publish({ fill, shape, texts });
  };
}

/** The words of a status in the language of Node-RED, and in each language of the editor. */
interface Words extends Pick<EditorStatus, 'texts'> {
  text: string;
}

/** Maximum number of statuses of a node whose words are remembered: all lookups in catalogues take longer than the rest of a status. */
const MAX_KNOWN = 100;

function allWordsOf(status: Status, translator: Translator, waiting: number): Words {
  const wordsIn = (reader: Translator) => wordsOf(status, (text) => localize(reader, text), waiting);
  const texts = [...editorTranslators()].map(([language, reader]) => [language, wordsIn(reader)]);
  return { text: wordsIn(translator), texts: Object.fromEntries(texts) };
}
