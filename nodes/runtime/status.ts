import type { FailureCode, Progress, SpeechError, Text } from '@herald-speech/client';
import type { Node } from 'node-red';
import { localize, type Translator } from './localize.js';
import { say } from './messages.js';

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

/** A status with its text before translation. `short` replaces the text if the number of queued messages needs the space. */
interface Status {
  fill: 'grey' | 'yellow' | 'blue' | 'red';
  shape: 'ring' | 'dot';
  text: Text;
  short?: string;
}

/** @param waiting returns the number of queued messages, without the current one */
export function createStatus(
  node: Pick<Node, 'status'>,
  translator: Translator,
  waiting: () => number,
): StatusBoard {
  let shown: Status | undefined;
  const show = (status: Status) => {
    const { fill, shape, text, short } = status;
    shown = status;
    node.status({ fill, shape, text: counted(localize(translator, text), waiting(), short) });
  };
  const clear = () => {
    shown = undefined;
    node.status({});
  };
  return {
    progress: (activity) => show(statusOf(activity)),
    refresh: () => {
      if (shown !== undefined) show(shown);
    },
    done: () => (waiting() > 0 ? show(statusOf({ state: 'queued' })) : clear()),
    failed: ({ route, code }) =>
      show(
        route === 'out-of-credits'
          ? { fill: 'red', shape: 'dot', text: say('status-no-credits') }
          : { fill: 'red', shape: 'ring', text: codeText(code) },
      ),
    clear,
  };
}

/** UTF-16 code units. The editor truncates longer texts. */
const MAX_LENGTH = 19;

/** Appends the number of queued messages, to the short text or not at all if the result is too long. */
function counted(text: string, more: number, short = text): string {
  if (more === 0) return text;
  const forms = [text, short].map((form) => `${form} +${more}`);
  return forms.find(({ length }) => length <= MAX_LENGTH) ?? text;
}

/** Returns the text of a failure: its code in English, its translation in other languages. */
const codeText = (code: FailureCode): Text => ({ key: `code-${code}`, values: {}, english: code });

function statusOf(activity: Activity): Status {
  switch (activity.state) {
    case 'queued':
      return { fill: 'grey', shape: 'ring', text: say('status-queued') };
    case 'waiting':
      return {
        fill: 'yellow',
        shape: 'ring',
        text: say('status-waiting', { seconds: Math.ceil(activity.seconds) }),
      };
    case 'sending':
      return { fill: 'blue', shape: 'dot', text: say('status-sending') };
    case 'speaking':
      return { fill: 'blue', shape: 'dot', ...speakingText(activity) };
  }
}

function speakingText({ done, count }: { done: number; count: number }): Pick<Status, 'text' | 'short'> {
  if (count === 1) return { text: say('status-speaking') };
  const piece = Math.min(done + 1, count);
  return { text: say('status-piece', { piece, count }), short: `${piece}/${count}` };
}
