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
import { schemas } from '../interface/lazy-schemas.js';

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
      return received(operation, { duration: estimatedSeconds(request), estimated: true });
    case getVoice.name:
      return received(operation, found(await voices(), request['voice_id']));
    case listVoices.name:
    case searchVoices.name:
      return received(operation, pageOf(await voices(), request));
    default:
      return undefined;
  }
}

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
  const {
    page_size = PAGE_SIZE.default,
    next_page_token: token,
    ...filters
  } = schemas().voiceFilters.parse(request);
  const matching = voices.filter((voice) =>
    Object.entries(filters).every(([name, filter]) => matches(voice, name, filter)),
  );
  const start = Number(token ?? 0);
  const end = start + page_size;
  const items = matching.slice(start, end);
  return { items, total: matching.length, ...(end < matching.length && { next_page_token: String(end) }) };
}

/** A comma in a filter means "or" (docs/interface.md#voice-search). A voice of unknown languages speaks any language. */
function matches(voice: ListedVoice, name: string, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const wanted = filter
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  if (name === 'language') {
    const { language = [], locale = '' } = voice;
    if (language.length === 0) return true;
    return wanted.some((word) => locale.toLowerCase() === word || language.includes(word.slice(0, 2)));
  }
  if (name === 'name' || name === 'description') {
    const within = (voice[name] ?? '').toLowerCase();
    return filter
      .toLowerCase()
      .split(/\s+/u)
      .every((word) => within.includes(word));
  }
  return name === 'gender' && wanted.includes((voice.gender ?? '').toLowerCase());
}

/** UTF-16 code units per second of speech, by the writing system. */
const PER_SECOND = { other: 15, han: 5, kana: 8, hangul: 6.5 };

/** Estimates the seconds of a text at the speed of its request. The measured audio later replaces the estimate in a budget. */
function estimatedSeconds({ text, voice_settings: settings }: CheckedRequest): number {
  const units = String(text);
  const count = (pattern: RegExp) => units.match(pattern)?.length ?? 0;
  const [han, kana, hangul] = [
    count(/\p{Script=Han}/gu),
    count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu),
    count(/\p{Script=Hangul}/gu),
  ];
  const other = units.length - han - kana - hangul;
  const { speed = 1 } = schemas().utterance.shape.voice_settings.parse(settings) ?? {};
  const seconds =
    other / PER_SECOND.other + han / PER_SECOND.han + kana / PER_SECOND.kana + hangul / PER_SECOND.hangul;
  return seconds / speed;
}
