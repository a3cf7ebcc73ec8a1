import type { Decimal, Progress, SpeechError, Text } from '@herald-speech/client';
import { causeOf } from './failure-cause.js';
import { say } from './messages.js';

/** The activity of the current message. It is also `queued` until its account has a connection. */
export type JobActivity = Progress | Prediction | { state: 'planning' } | RowProgress;

/** The prediction of a text: `done` of `count` pieces are complete. */
interface Prediction {
  state: 'predicting';
  done: number;
  count: number;
}

/** The work on a table: `done` of `count` rows have ended. */
interface RowProgress {
  state: 'rows' | 'paused';
  done: number;
  count: number;
  /** Estimated seconds until the end. Undefined before the first row has ended. */
  secondsLeft?: number | undefined;
}

/** The result of a message for its status: its audio, the rows with a file of all rows, or a warning. */
export type JobResult = SpokenAudio | Pick<RowProgress, 'done' | 'count'> | { warning: Text };

/** The audio of a message. */
interface SpokenAudio {
  seconds: number;
  /** True if all of it came from the cache. */
  isCached?: boolean;
  /** True if Redis failed, so that the account was without its fleet. */
  isApart?: boolean;
  /** True if players cannot reach the URL of the audio. */
  isUnreachable?: boolean;
  /** The first warning about the text. */
  warning?: Text | undefined;
  /** True if a natural voice failed, so that a simple voice spoke. */
  isSimple?: boolean;
  /** The name of the account that spoke in place of the node's account; `local` for the local service. */
  fallback?: string | undefined;
}

/** A status with its text before translation. */
export interface Status {
  fill: 'grey' | 'yellow' | 'blue' | 'green' | 'red';
  shape: 'ring' | 'dot';
  text: Text;
  /** Replaces a result that is too long in the language of the reader. */
  other?: Text;
  /** Replaces the text if the number of queued messages needs the space. */
  short?: string;
  /** True for the result of a message. A result has no number of queued messages: they are not part of it. */
  isResult?: boolean;
}

/** UTF-16 code units of an activity with the number of queued messages. */
const MAX_LENGTH = 19;
/** UTF-16 code units of a result, such as "Check: Silence after (s)". */
const MAX_RESULT = 32;

/**
 * Returns the words of a status.
 * @param localized returns a text in the language of the reader
 * @param waiting the number of queued messages
 */
export function wordsOf(
  { text, other = text, short, isResult = false }: Status,
  localized: (text: Text) => string,
  waiting: number,
): string {
  const words = localized(text);
  if (!isResult) return counted(words, waiting, short);
  return words.length <= MAX_RESULT ? words : localized(other);
}

/** Appends the number of queued messages, to the short text or not at all if the result is too long. */
function counted(text: string, more: number, short = text): string {
  if (more === 0) return text;
  const forms = [text, short].map((form) => `${form} +${more}`);
  return forms.find(({ length }) => length <= MAX_LENGTH) ?? text;
}

/** Returns the status of a failure: its cause, or the status of its code. */
export function failedStatus({ code, route, text: message }: SpeechError): Status {
  const other = say(`code-${code}`);
  const text = (message && causeOf(message)) ?? other;
  return { fill: 'red', shape: route === 'out-of-credits' ? 'dot' : 'ring', text, other, isResult: true };
}

const WARNING = { fill: 'yellow', shape: 'ring', isResult: true } as const;

/** Returns the status of a result. The warning that the listener hears first counts: no sound, a gap in the text, another voice. */
export function doneStatus(result: JobResult): Status {
  if ('count' in result) return rowsStatus(result);
  if (!('seconds' in result)) return warningStatus(result.warning);
  const { seconds, isUnreachable = false, warning, fallback } = result;
  if (isUnreachable) return { ...WARNING, ...unreachableText(fallback, { decimal: seconds }) };
  return warning === undefined ? spokenStatus(result) : warningStatus(warning);
}

const warningStatus = (warning: Text): Status => ({ ...WARNING, text: causeOf(warning) ?? warning });

function spokenStatus({ seconds: exact, fallback, ...is }: SpokenAudio): Status {
  const { isCached = false, isApart = false, isSimple = false } = is;
  const seconds = { decimal: exact };
  if (fallback !== undefined) return { ...WARNING, ...fallbackText(fallback, seconds) };
  if (isSimple) return { ...WARNING, text: say('status-simple', { seconds }) };
  if (isApart) return { ...WARNING, text: say('status-apart', { seconds }) };
  const text = say(isCached ? 'status-cached' : 'status-done', { seconds });
  return { fill: 'green', shape: 'dot', text, isResult: true };
}

function fallbackText(account: string, seconds: Decimal): Pick<Status, 'text' | 'other'> {
  const isLocal = account === LOCAL;
  const text = isLocal ? say('status-local', { seconds }) : say('status-account', { account, seconds });
  return { text, other: say('status-fallback', { seconds }) };
}

/** After a fallback, names who spoke too: its account may have another base URL, the one of its service. */
function unreachableText(fallback: string | undefined, seconds: Decimal): Pick<Status, 'text' | 'other'> {
  if (fallback === undefined) return { text: say('status-unreachable', { seconds }) };
  const isLocal = fallback === LOCAL;
  const text = isLocal
    ? say('status-local-unreachable')
    : say('status-account-unreachable', { account: fallback });
  return { text, other: say('status-fallback-unreachable') };
}

/** The name of the local service as an account (`nodes/account/speech.ts`). */
const LOCAL = 'local';

const rowsStatus = ({ done, count }: Pick<RowProgress, 'done' | 'count'>): Status => ({
  fill: done === count ? 'green' : 'yellow',
  shape: 'dot',
  text: count === 0 ? say('status-rows-none') : say('status-rows-done', { done, count }),
  isResult: true,
});

/** Returns the status of an activity. */
export function statusOf(activity: JobActivity): Status {
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
      return { fill: 'blue', shape: 'dot', ...piecesText(activity, 'status-speaking', 'status-piece') };
    case 'predicting':
      return { fill: 'blue', shape: 'dot', ...piecesText(activity, 'status-predicting', 'status-predicted') };
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

function piecesText(
  { done, count }: { done: number; count: number },
  whole: 'status-speaking' | 'status-predicting',
  part: 'status-piece' | 'status-predicted',
): Pick<Status, 'text' | 'short'> {
  if (count === 1) return { text: say(whole) };
  const piece = Math.min(done + 1, count);
  return { text: say(part, { piece, count }), short: `${piece}/${count}` };
}
