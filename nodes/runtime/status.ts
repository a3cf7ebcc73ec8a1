import type { Progress, SpeechError } from '@herald-speech/client';
import type { Node, NodeStatus } from 'node-red';

/** The activity of the current message. It is `queued` until its account has a connection. */
export type Activity = Progress | { state: 'queued' };

/** The status below a node: the activity of the current message and the number of queued messages. */
export interface StatusBoard {
  progress(activity: Activity): void;
  /** Updates the number after a message was queued. */
  refresh(): void;
  /** Clears the status after a success, or shows `queued` if messages wait. */
  done(): void;
  /** Shows the failure until the next message. */
  failed(error: SpeechError): void;
  clear(): void;
}

/** @param waiting returns the number of queued messages, without the current one */
export function createStatus(node: Pick<Node, 'status'>, waiting: () => number): StatusBoard {
  let shown: NodeStatus = {};
  const show = (status: NodeStatus) => {
    shown = status;
    node.status(status.text === undefined ? status : { ...status, text: counted(status.text, waiting()) });
  };
  return {
    progress: (activity) => show(statusOf(activity)),
    refresh: () => {
      if (shown.text !== undefined) show(shown);
    },
    done: () => show(waiting() > 0 ? statusOf({ state: 'queued' }) : {}),
    failed: ({ route, code }) =>
      show(
        route === 'out-of-credits'
          ? { fill: 'red', shape: 'dot', text: 'no credits' }
          : { fill: 'red', shape: 'ring', text: code },
      ),
    clear: () => show({}),
  };
}

/** UTF-16 code units. The editor truncates longer texts. */
const MAX_LENGTH = 19;

/** Appends the number of queued messages. Drops the word "speaking", then the number, if the text is too long. */
function counted(text: string, more: number): string {
  if (more === 0) return text;
  const forms = [text, text.replace('speaking ', '')].map((form) => `${form} +${more}`);
  return forms.find(({ length }) => length <= MAX_LENGTH) ?? text;
}

function statusOf(activity: Activity): NodeStatus {
  switch (activity.state) {
    case 'queued':
      return { fill: 'grey', shape: 'ring', text: 'queued' };
    case 'waiting':
      return { fill: 'yellow', shape: 'ring', text: `waiting ${Math.ceil(activity.seconds)} s` };
    case 'sending':
      return { fill: 'blue', shape: 'dot', text: 'sending' };
    case 'speaking':
      return { fill: 'blue', shape: 'dot', text: speakingText(activity) };
  }
}

function speakingText({ done, count }: { done: number; count: number }): string {
  return count === 1 ? 'speaking' : `speaking ${Math.min(done + 1, count)}/${count}`;
}
