import type { Progress, SpeechError, Text } from '@herald-speech/client';
import type { Node } from 'node-red';
import { localize, type Translator } from './localize.js';
import { say } from './messages.js';

/** The activity of the current message. It is also `queued` until its account has a connection. */
export type JobActivity = Progress | { state: 'planning' } | RowProgress;

/** The work on a table: `done` of `count` rows have ended. */
interface RowProgress {
  state: 'rows' | 'paused';
  done: number;
  count: number;
  /** Estimated seconds until the end. Undefined before the first row has ended. */
  secondsLeft?: number | undefined;
}

/** The result of a message for its status: its audio, or the rows with a file of all rows. */
export type JobResult = SpokenAudio | Pick<RowProgress, 'done' | 'count'>;

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

/** The audio of a message. */
interface SpokenAudio {
  seconds: number;
  /** True if all of it came from the cache. */
  isCached?: boolean;
  /** True if Redis failed, so that the account was without its fleet. */
  isApart?: boolean;
  /** True if players cannot reach the URL of the audio. */
  isUnreachable?: boolean;
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

/** A status with its text before translation. `short` replaces the text if the number of queued messages needs the space. */
interface Status {
  fill: 'grey' | 'yellow' | 'blue' | 'green' | 'red';
  shape: 'ring' | 'dot';
  text: Text;
  short?: string;
  /** True for the result of a message. A result has no number of queued messages: they are not part of it. */
  isResult?: boolean;
}

/** @param waiting returns the number of queued messages, without the current one */
export function createStatus(
  node: Pick<Node, 'status'>,
  translator: Translator,
  waiting: () => number,
): StatusBoard {
  let shown: Status | undefined;
  let last: string | undefined;
  const localized = memory(translator);
  const show = (status: Status) => {
    const { fill, shape, text: translatable, short, isResult = false } = status;
    shown = status;
    const words = localized(translatable);
    const text = isResult ? words : counted(words, waiting(), short);
    // Each status goes to all open editors and Status nodes. A result is always news.
    if (!isResult && `${fill} ${text}` === last) return;
    last = `${fill} ${text}`;
    node.status({ fill, shape, text });
  };
  const clear = () => {
    [shown, last] = [undefined, undefined];
    node.status({});
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
      else show('count' in result ? rowsStatus(result) : doneStatus(result));
    },
    failed: (error) => show(failedStatus(translator, error)),
    clear,
  };
}

/** Maximum number of remembered translations of a node. */
const MAX_TEXTS = 100;

/** Returns `localize` with a memory: a lookup in Node-RED's catalogue takes longer than the rest of a status. */
function memory(translator: Translator): (text: Text) => string {
  const known = new Map<string, string>();
  return (text) => {
    const id = `${text.key} ${text.english}`;
    const found = known.get(id) ?? localize(translator, text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(id, found);
    return found;
  };
}

/** Messages with a separate status. Other messages have the status of their code. */
const SPECIFIC: Readonly<Record<string, 'status-no-voice' | 'status-unknown-voice'>> = {
  'voice-speaks-only': 'status-no-voice',
  'voice-lacks-language': 'status-no-voice',
  'no-voice': 'status-no-voice',
  'voice-unknown': 'status-unknown-voice',
  'voice-not-installed': 'status-unknown-voice',
};

/** Returns the status of a failure: of its message, or of its code if the name of a language makes the status too long. */
function failureText(translator: Translator, { code, text: message }: SpeechError): Text {
  const key = message && SPECIFIC[message.key];
  if (message === undefined || key === undefined) return say(`code-${code}`);
  const { language = '' } = message.values;
  const text = key === 'status-no-voice' ? say(key, { language }) : say(key);
  return localize(translator, text).length <= MAX_LENGTH ? text : say(`code-${code}`);
}

const failedStatus = (translator: Translator, error: SpeechError): Status => ({
  fill: 'red',
  shape: error.route === 'out-of-credits' ? 'dot' : 'ring',
  text: failureText(translator, error),
  isResult: true,
});

function doneStatus({ seconds: exact, ...audio }: SpokenAudio): Status {
  const { isCached = false, isApart = false, isUnreachable = false } = audio;
  const seconds = exact.toFixed(1);
  const warning = { fill: 'yellow', shape: 'ring', isResult: true } as const;
  if (isUnreachable) return { ...warning, text: say('status-unreachable') };
  if (isApart) return { ...warning, text: say('status-apart', { seconds }) };
  const text = say(isCached ? 'status-cached' : 'status-done', { seconds });
  return { fill: 'green', shape: 'dot', text, isResult: true };
}

const rowsStatus = ({ done, count }: Pick<RowProgress, 'done' | 'count'>): Status => ({
  fill: done === count ? 'green' : 'yellow',
  shape: 'dot',
  text: say('status-rows-done', { done, count }),
  isResult: true,
});

/** UTF-16 code units. The editor truncates longer texts. */
const MAX_LENGTH = 19;

/** Appends the number of queued messages, to the short text or not at all if the result is too long. */
function counted(text: string, more: number, short = text): string {
  if (more === 0) return text;
  const forms = [text, short].map((form) => `${form} +${more}`);
  return forms.find(({ length }) => length <= MAX_LENGTH) ?? text;
}

function statusOf(activity: JobActivity): Status {
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
    case 'planning':
      return { fill: 'blue', shape: 'ring', text: say('status-planning') };
    case 'rows':
      return { fill: 'blue', shape: 'dot', ...rowsText(activity) };
    case 'paused':
      return { fill: 'yellow', shape: 'ring', text: say('status-paused', countsOf(activity)) };
  }
}

const countsOf = ({ done, count }: RowProgress) => ({ done, count });

/** The remaining time is a rounded-up number of its largest unit, so that the status stays short. */
function rowsText({ secondsLeft, ...activity }: RowProgress): Pick<Status, 'text' | 'short'> {
  const counts = countsOf(activity);
  const short = `${counts.done}/${counts.count}`;
  if (secondsLeft === undefined) return { text: say('status-rows', counts), short };
  const minutes = Math.ceil(secondsLeft / 60);
  if (minutes < 100) return { text: say('status-rows-minutes', { ...counts, minutes }), short };
  return { text: say('status-rows-hours', { ...counts, hours: Math.ceil(minutes / 60) }), short };
}

function speakingText({ done, count }: { done: number; count: number }): Pick<Status, 'text' | 'short'> {
  if (count === 1) return { text: say('status-speaking') };
  const piece = Math.min(done + 1, count);
  return { text: say('status-piece', { piece, count }), short: `${piece}/${count}` };
}
