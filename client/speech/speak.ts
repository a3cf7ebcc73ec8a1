import type { CallOptions } from '../calls/account.js';
import { AudioError } from '../audio/audio-error.js';
import { joinAudio } from '../audio/join.js';
import type { Client } from '../client.js';
import { asSpeechError, SpeechError } from '../errors.js';
import { mapInOrder } from './in-order.js';
import type { RequestOf, ResponseOf } from '../interface/operation.js';
import { createSpeech, predictDuration } from '../interface/operations.js';
import type { Settings } from '../options.js';
import { planSpeech, type SpeechPlan } from './plan.js';
import type { Phonemes } from '../interface/schemas.js';

/** A request for speech; its text may have any length. */
export type SpeechRequest = RequestOf<typeof createSpeech>;

type Spoken = ResponseOf<typeof createSpeech>;

/** One piece of a text: `start` and `duration` are seconds in the whole audio. */
export interface SpokenChunk {
  text: string;
  start: number;
  duration: number;
}

/** The speech of a text, whole. */
export interface Speech {
  audio: Uint8Array;
  format: 'wav' | 'mp3';
  mime: string;
  /** Seconds. */
  duration: number;
  chunks: SpokenChunk[];
  /** Seconds that the service charged, where it said so for every chunk. */
  chargedSeconds: number | undefined;
  /** Where they were asked for; times are in the whole audio. */
  phonemes: Phonemes | undefined;
  /** What was done to the text so that it could be spoken. */
  warnings: string[];
}

/** Predicted seconds of a text and of each chunk. */
export interface Prediction {
  duration: number;
  chunks: SpokenChunk[];
}

/**
 * Cuts a text, requests several chunks at a time, and joins them in order.
 * @throws SpeechError of the chunk that failed first; the others are stopped and no audio is returned
 */
export async function speak(
  call: Client['call'],
  settings: Settings,
  request: SpeechRequest,
  options: CallOptions = {},
): Promise<Speech> {
  const plan = await planSpeech(call, settings, request, options);
  const spoken = await eachChunk(plan, settings, options, (chunk, chunkOptions) =>
    call(createSpeech, chunk, chunkOptions),
  );
  return assemble(plan, spoken);
}

/** @throws SpeechError of the chunk that failed first */
export async function predict(
  call: Client['call'],
  settings: Settings,
  request: SpeechRequest,
  options: CallOptions = {},
): Promise<Prediction> {
  const plan = await planSpeech(call, settings, request, options);
  const predicted = await eachChunk(plan, settings, options, (chunk, chunkOptions) =>
    call(predictDuration, chunk, chunkOptions),
  );
  let end = 0;
  const chunks = predicted.map(({ duration }, index) => {
    const start = end;
    end += duration;
    return { text: plan.cuts[index]?.text ?? '', start, duration };
  });
  return { duration: end, chunks };
}

/** Sends every chunk of a plan, several at a time; a failure says which chunk it was. */
function eachChunk<Reply>(
  { cuts, requests }: SpeechPlan,
  { concurrency }: Settings,
  options: CallOptions,
  send: (request: SpeechRequest, options: CallOptions) => Promise<Reply>,
): Promise<Reply[]> {
  const count = requests.length;
  let done = 0;
  const tell = () => options.onProgress?.({ state: 'speaking', done, count });
  const onProgress: CallOptions['onProgress'] = (progress) =>
    progress.state === 'sending' ? tell() : options.onProgress?.(progress);
  return mapInOrder(requests, concurrency, options.signal, async (request, index, signal) => {
    try {
      const reply = await send(request, { ...options, signal, onProgress });
      done += 1;
      tell();
      return reply;
    } catch (thrown) {
      throw ofChunk(asSpeechError(thrown), cuts, index);
    }
  });
}

function ofChunk(error: SpeechError, cuts: SpeechPlan['cuts'], index: number): SpeechError {
  const cut = cuts[index];
  const count = cuts.length;
  if (cut === undefined || count < 2 || error.chunk !== undefined) return error;
  const message = `chunk ${index + 1} of ${count}: ${error.message}`;
  return error.with({ message, chunk: { index, count, start: cut.start, end: cut.end } });
}

function assemble({ cuts, warnings }: SpeechPlan, spoken: readonly Spoken[]): Speech {
  const { pieces, ...joined } = join(spoken.map(({ audio }) => audio));
  const charges = spoken.flatMap(({ charged }) => (charged === undefined ? [] : [charged]));
  return {
    ...joined,
    chunks: pieces.map((piece, index) => ({ text: cuts[index]?.text ?? '', ...piece })),
    chargedSeconds: charges.length === spoken.length ? charges.reduce((sum, one) => sum + one, 0) : undefined,
    phonemes: shiftedPhonemes(spoken, pieces),
    warnings,
  };
}

function join(audio: readonly Uint8Array[]): ReturnType<typeof joinAudio> {
  try {
    return joinAudio(audio);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new SpeechError('bad-reply', error.message, { operation: createSpeech.name, cause: error });
  }
}

/** Phonemes of all chunks on the clock of the whole audio. */
function shiftedPhonemes(
  spoken: readonly Spoken[],
  pieces: readonly { start: number }[],
): Phonemes | undefined {
  const marks = spoken.flatMap(({ phonemes }, index) =>
    phonemes === undefined ? [] : [{ phonemes, offset: pieces[index]?.start ?? 0 }],
  );
  if (marks.length === 0) return undefined;
  return {
    symbols: marks.flatMap(({ phonemes }) => phonemes.symbols),
    start_times_seconds: marks.flatMap(({ phonemes, offset }) =>
      phonemes.start_times_seconds.map((start) => start + offset),
    ),
    durations_seconds: marks.flatMap(({ phonemes }) => phonemes.durations_seconds),
  };
}
