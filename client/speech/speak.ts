import { AudioError, joinParsed, type JoinedAudio } from '../audio/join.js';
import type { Account, CallOptions } from '../calls/account.js';
import { asSpeechError, SpeechError } from '../errors.js';
import type { Received } from '../http/reply.js';
import { abridged } from '../interface/describe-issues.js';
import { createSpeech, predictDuration } from '../interface/operations.js';
import type { Phonemes } from '../interface/schemas.js';
import { mapInOrder } from './in-order.js';
import { rounded } from './rounded.js';
import { planSpeech, type SpeechPlan } from './plan.js';
import type { SpeechRequest } from './speech-request.js';
import { messageOf, type Text, text } from '../messages.js';

type Spoken = Received<typeof createSpeech>;

/** The finished chunks of a text by index, each with its request as JSON. */
export type FinishedChunks = Map<number, { request: string; spoken: Spoken }>;

export interface SpeakOptions extends CallOptions {
  /** Receives the finished chunks. A repeated call with the same map requests only the missing and the changed chunks. */
  finished?: FinishedChunks | undefined;
}

/** One chunk of a text. `start` and `duration` are seconds in the whole audio. */
export interface SpokenChunk {
  text: string;
  start: number;
  duration: number;
}

/** The complete speech of a text. */
export interface Speech {
  audio: Uint8Array;
  format: 'wav' | 'mp3';
  mime: string;
  /** Seconds. */
  duration: number;
  chunks: SpokenChunk[];
  /** Charged seconds; undefined unless the service stated them for each chunk. */
  chargedSeconds: number | undefined;
  /** Phonemes with times in the whole audio; undefined unless requested. */
  phonemes: Phonemes | undefined;
  /** Changes to the text that made it speakable, unknown fields, and an approximated custom voice. */
  warnings: string[];
  /** `warnings` with keys and values, for translations. */
  warningTexts: readonly Text[];
}

/** The predicted seconds of a text and of each chunk. */
export interface Prediction {
  duration: number;
  chunks: SpokenChunk[];
  /** Changes to the text, and fields that the client does not know. */
  warnings: string[];
  /** `warnings` with keys and values, for translations. */
  warningTexts: readonly Text[];
}

/**
 * Splits a text, requests several chunks at a time, and joins their audio in order.
 * @throws SpeechError of the first failed chunk; the other chunks are aborted
 */
export async function speak(
  account: Account,
  request: SpeechRequest,
  { finished, ...options }: SpeakOptions = {},
): Promise<Speech> {
  const plan = await planSpeech(account, request, options);
  const spoken = await eachChunk(
    plan,
    account.settings.concurrency,
    options,
    async (chunk, chunkOptions, index) => {
      const json = JSON.stringify(chunk);
      const former = finished?.get(index);
      if (former?.request === json) return former.spoken;
      const reply = await account.send(createSpeech, chunk, chunkOptions);
      finished?.set(index, { request: json, spoken: reply });
      return reply;
    },
  );
  return assemble(plan, spoken);
}

/** Predicts the duration of each chunk. @throws SpeechError of the first failed chunk */
export async function predict(
  account: Account,
  request: SpeechRequest,
  options: CallOptions = {},
): Promise<Prediction> {
  const plan = await planSpeech(account, request, options);
  const predicted = await eachChunk(plan, account.settings.concurrency, options, (chunk, chunkOptions) =>
    account.send(predictDuration, chunk, chunkOptions),
  );
  let end = 0;
  const chunks = predicted.map(({ value: { duration } }, index) => {
    const start = end;
    end += duration;
    return { text: plan.cuts[index]?.text ?? '', start: rounded(start), duration: rounded(duration) };
  });
  const { warnings } = plan;
  return {
    duration: rounded(end),
    chunks,
    warnings: warnings.map(({ english }) => english),
    warningTexts: warnings,
  };
}

/** Sends the requests of a plan, several at a time. An error names its chunk. */
async function eachChunk<Reply>(
  { cuts, requests }: SpeechPlan,
  concurrency: number,
  options: CallOptions,
  send: (request: SpeechRequest, options: CallOptions, index: number) => Promise<Reply>,
): Promise<Reply[]> {
  const count = requests.length;
  let done = 0;
  const report = () => options.onProgress?.({ state: 'speaking', done, count });
  const onProgress: CallOptions['onProgress'] = (progress) =>
    progress.state === 'sending' ? report() : options.onProgress?.(progress);
  const sendOne = async (request: SpeechRequest, index: number, signal?: AbortSignal) => {
    try {
      const reply = await send(request, { ...options, signal, onProgress }, index);
      done += 1;
      report();
      return reply;
    } catch (thrown) {
      throw ofChunk(ofVoice(asSpeechError(thrown), request), cuts, index);
    }
  };
  const [first] = requests;
  if (first !== undefined && count === 1) return [await sendOne(first, 0, options.signal)];
  return mapInOrder(requests, concurrency, options.signal, sendOne);
}

/** Names the voice in place of the service's error text. A 404 without such a text has another cause, such as a wrong URL. */
function ofVoice(error: SpeechError, { voice_id }: SpeechRequest): SpeechError {
  if (error.code !== 'not-found' || error.service === undefined) return error;
  return error.with({ message: text('voice-unknown', { field: 'voice_id', voice: abridged(voice_id) }) });
}

function ofChunk(error: SpeechError, cuts: SpeechPlan['cuts'], index: number): SpeechError {
  const cut = cuts[index];
  const count = cuts.length;
  if (cut === undefined || count < 2 || error.chunk !== undefined) return error;
  const message = text('chunk', { index: index + 1, count, failure: messageOf(error) });
  return error.with({ message, chunk: { index, count, start: cut.start, end: cut.end } });
}

function assemble({ cuts, warnings: planned }: SpeechPlan, spoken: readonly Spoken[]): Speech {
  const isApproximate = spoken.some(({ value }) => value.approximate === true);
  const approximate = isApproximate ? [text('warning-approximate', { field: 'voice_id' })] : [];
  const warnings = [...planned, ...approximate];
  const { audio, format, mime, duration, pieces } = join(spoken);
  return {
    audio,
    format,
    mime,
    duration: rounded(duration),
    chunks: pieces.map((piece, index) => ({
      text: cuts[index]?.text ?? '',
      start: rounded(piece.start),
      duration: rounded(piece.duration),
    })),
    chargedSeconds: chargedSeconds(spoken),
    phonemes: shiftedPhonemes(spoken, pieces),
    warnings: warnings.map(({ english }) => english),
    warningTexts: warnings,
  };
}

/** Returns the sum, or undefined if the service stated no charge for a chunk. */
function chargedSeconds(spoken: readonly Spoken[]): number | undefined {
  let sum = 0;
  for (const { value } of spoken) {
    if (value.charged === undefined) return undefined;
    sum += value.charged;
  }
  return rounded(sum);
}

function join(spoken: readonly Spoken[]): JoinedAudio {
  try {
    return joinParsed(spoken.flatMap(({ audio }) => audio ?? []));
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new SpeechError('bad-reply', error.message, { operation: createSpeech.name, cause: error });
  }
}

/** Joins the phonemes of all chunks; their times become times in the whole audio. */
function shiftedPhonemes(
  spoken: readonly Spoken[],
  pieces: readonly { start: number }[],
): Phonemes | undefined {
  if (spoken.every(({ value }) => value.phonemes === undefined)) return undefined;
  const marks = spoken.flatMap(({ value: { phonemes } }, index) =>
    phonemes === undefined ? [] : [{ phonemes, offset: pieces[index]?.start ?? 0 }],
  );
  return {
    symbols: marks.flatMap(({ phonemes }) => phonemes.symbols),
    start_times_seconds: marks.flatMap(({ phonemes, offset }) =>
      phonemes.start_times_seconds.map((start) => rounded(start + offset)),
    ),
    durations_seconds: marks.flatMap(({ phonemes }) => phonemes.durations_seconds),
  };
}
