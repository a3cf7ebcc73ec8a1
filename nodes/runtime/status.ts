import type { Progress, SpeechError } from '@herald-speech/client';
import type { Node, NodeStatus } from 'node-red';

/** What a message at work does; `queued` until its account is there. */
export type Activity = Progress | { state: 'queued' };

/** What a node shows under itself: what the message at work does, and how many wait behind it. */
export interface StatusBoard {
  progress(activity: Activity): void;
  /** One more waits: the same, with the new count. */
  refresh(): void;
  /** The message is done: nothing to show when no other waits. */
  done(): void;
  /** A failure stays in sight until the next message. */
  failed(error: SpeechError): void;
  clear(): void;
}

/** @param waiting how many messages wait behind the one at work */
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

/** The editor cuts longer texts. */
const MAX_LENGTH = 19;

/** With how many wait; where that is too long, numbers tell more than the word before them. */
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
