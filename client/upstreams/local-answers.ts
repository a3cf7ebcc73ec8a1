/** Answers to operations that a service lacks, from data that the client has. They send no request. */
import { SpeechError } from '../base/errors.js';
import { text as message } from '../base/messages.js';
import type { Received } from '../http/reply.js';
import { abridgedText } from '../interface/describe-issues.js';
import { PAGE_SIZE } from '../interface/limits.js';
import type { CheckedRequest, Operation } from '../interface/operation.js';
import {
  getVoice,
  listVoices,
  type OperationName,
  predictDuration,
  searchVoices,
} from '../interface/operations.js';
import { voiceFilters } from '../interface/preset-voices.js';
import { utterance } from '../interface/speech.js';

/** A voice as a service describes it. The other fields of the interface are blank: Herald never guesses them. */
export interface ListedVoice {
  voice_id: string;
  name?: string;
  description?: string;
  /** ISO 639-1 codes; empty if the service does not tell them. */
  language?: readonly string[];
  gender?: string;
  /** The language with its region, such as `en-GB`. */
  locale?: string;
}

/** The operations that `answerFrom` answers. */
export const answered = [
  'getVoice',
  'listVoices',
  'searchVoices',
  'predictDuration',
] as const satisfies readonly OperationName[];

/**
 * Answers an operation from a list of voices, or estimates a duration. Undefined for another operation.
 * @param voices called only for an operation on voices
 * @throws SpeechError `not-found` for an unknown voice, or the failure of `voices`
 */
export async function answerFrom<O extends Operation>(
  operation: O,
  request: CheckedRequest,
  voices: () => Promise<readonly ListedVoice[]>,
): Promise<Received<O> | undefined> {
  switch (operation.name) {
    case predictDuration.name:
      return estimated(operation, request);
    case getVoice.name:
      return received(operation, found(await voices(), request['voice_id']));
    case listVoices.name:
    case searchVoices.name:
      return received(operation, pageOf(await voices(), request));
    default:
      return undefined;
  }
}

/** Answers a prediction with an estimate. */
export const estimated = <O extends Operation>(operation: O, request: CheckedRequest): Received<O> =>
  received(operation, { duration: estimatedSeconds(request), estimated: true });

/** Parses an answer with the schema of its operation, which completes missing fields. */
function received<O extends Operation>(operation: O, value: unknown): Received<O> {
  return { value: operation.response.parse(value) as Received<O>['value'], bytes: 0 };
}

function found(voices: readonly ListedVoice[], id: unknown): ListedVoice {
  const voice = voices.find(({ voice_id }) => voice_id === id);
  const values = { field: 'voice_id', voice: abridgedText(id) };
  if (voice === undefined) throw new SpeechError('not-found', message('voice-unknown', values));
  return voice;
}

function pageOf(voices: readonly ListedVoice[], request: CheckedRequest) {
  const { page_size = PAGE_SIZE.default, next_page_token: token, ...filters } = voiceFilters().parse(request);
  const matching = voices.filter((voice) =>
    Object.entries(filters).every(([name, filter]) => matches(voice, name, filter)),
  );
  const start = startOf(token);
  const end = start + page_size;
  const items = matching.slice(start, end);
  return { items, total: matching.length, ...(end < matching.length && { next_page_token: String(end) }) };
}

/** Reads a page token: the index of the first voice. @throws SpeechError `bad-request` for a token of another service */
function startOf(token = '0'): number {
  if (/^\d{1,9}$/.test(token)) return Number(token);
  const values = { field: 'next_page_token', value: abridgedText(token), rule: message('rule-page-token') };
  throw new SpeechError('bad-request', message('invalid', values));
}

type Matcher = (voice: ListedVoice, filter: string) => boolean;

/** A filter of a field that the list lacks matches no voice. A voice of unknown languages speaks any language. */
const matchers: Readonly<Partial<Record<string, Matcher>>> = {
  name: ({ name = '' }, filter) => hasWords(name, filter),
  description: ({ description = '' }, filter) => hasWords(description, filter),
  gender: ({ gender = '' }, filter) => valuesOf(filter).includes(gender.toLowerCase()),
  language: ({ language = [] }, filter) =>
    language.length === 0 || valuesOf(filter).some((tag) => language.includes(tag.replace(/[-_].*/, ''))),
};

const matches = (voice: ListedVoice, name: string, filter: string | undefined): boolean =>
  filter === undefined || matchers[name]?.(voice, filter) === true;

/** A comma in a filter means "or" (docs/interface.md#voice-search). */
const valuesOf = (filter: string): string[] =>
  filter
    .toLowerCase()
    .split(',')
    .map((value) => value.trim());

function hasWords(within: string, filter: string): boolean {
  const words = filter.trim().toLowerCase().split(/\s+/u);
  return words.every((word) => within.toLowerCase().includes(word));
}

/**
 * Characters of a writing system (regular expression), and the characters that a voice speaks in a second. Measured with the voices of the
 * local service (docs/decisions/0196-upstreams.md).
 */
const PER_SECOND = [
  [/\p{Script=Han}/gu, 4.5],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 9],
  [/\p{Script=Hangul}/gu, 6],
  [/\p{Script=Arabic}/gu, 11.5],
  [/\p{Script=Devanagari}/gu, 15],
] as const;

/** Characters per second of all other writing systems. */
const OTHER = 17;

/** Estimates the seconds of a text at the speed of its request. The measured audio later replaces the estimate in a budget. */
function estimatedSeconds({ text, voice_settings: settings }: CheckedRequest): number {
  const { speed = 1, duration = 0 } = utterance().shape.voice_settings.parse(settings) ?? {};
  return duration > 0 ? duration : secondsOf(String(text)) / speed;
}

function secondsOf(text: string): number {
  let seconds = 0;
  let others = text.match(/[^]/gu)?.length ?? 0;
  for (const [pattern, rate] of PER_SECOND) {
    const count = text.match(pattern)?.length ?? 0;
    seconds += count / rate;
    others -= count;
  }
  return seconds + others / OTHER;
}
