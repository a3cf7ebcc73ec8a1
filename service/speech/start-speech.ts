import type { MarkSigner } from '@herald-speech/client/audio';
import { Charge } from '../accounts/charge.js';
import type { AccountLedger } from '../accounts/ledger.js';
import type { UnrecordedUsage } from '../accounts/unrecorded-usage.js';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../kit/errors.js';
import { errorForLog, type Log } from '../kit/log.js';
import { unknownVoice } from '../kit/unknown-voice.js';
import { WorkerError } from '../kit/worker-error.js';
import type { Catalogue } from '../voices/catalogue/catalogue.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import type { FrontEnd, Metrics, SpeechObserver } from '../metrics/metrics.js';
import type { SynthesizedAudio } from '../voices/workers/jobs.js';
import type { SpeechSynthesis } from '../voices/workers/speech.js';
import { chunksOf } from './chunks.js';
import type { SpeechCall, SpeechInput } from './speech-call.js';
import { type SpeechWork, simpleWorkOf, type WorkDependencies, workOf } from './speech-work.js';
import { type StartJob, VoicesInTurn } from './stand-in.js';
import { type Started, startBeforeDeadline } from './start-deadline.js';

/** The objects that speech of every front end uses. */
export interface SpeechDependencies extends WorkDependencies {
  speech: SpeechSynthesis;
  ledger: AccountLedger;
  /** Logs usage that a failing disk could not record. */
  unrecorded: UnrecordedUsage;
  /** The setting `voice` (docs/service.md#default-voices). */
  defaultVoices: readonly string[];
  /** Milliseconds to the first audio of a natural voice, then a simple voice speaks. 0 means no limit. */
  simpleVoiceAfter: number;
  /** The key that signs the marks of synthetic speech. Undefined if audio files have no mark. */
  signer: MarkSigner | undefined;
  metrics: Metrics;
  log: Log;
}

/** Speech that has started. */
export interface SpokenSpeech {
  /**
   * Pieces in order, one sentence each, with one sample rate. Nothing is charged for them yet: use `chargedPieces`, or `charge`.
   * The end of the loop over them stops the synthesis.
   */
  pieces: AsyncIterable<SynthesizedAudio>;
  /** Release it at the end in any case. */
  charge: Charge;
  /** The voice that speaks. A natural voice that fails gives way to a simple voice, also in the middle. */
  readonly voice: SpeakingVoice;
}

/** How the speech differs from the request. */
export interface SpeakingVoice {
  /** Whether the voice only approximates the sample of a custom voice. */
  approximate: boolean;
  /** Id of the simple voice that speaks in place of the requested natural voice. */
  voiceFallback?: string | undefined;
  /** Why the natural voice failed; undefined if it was only late. */
  fallbackReason?: string | undefined;
}

/**
 * Starts speech for any front end: equal voices, limits, queue and credits. A long text takes one place in the queue at a
 * time, for one chunk of at most 300 UTF-16 code units, and the next chunk starts when the caller has read the one before.
 * @throws ServiceError 400 or 404; AccountsError `forbidden`, `not-found` or `out-of-credits`; WorkerError
 */
export async function startSpeech(
  dependencies: SpeechDependencies,
  request: SpeechInput,
  call: SpeechCall,
  frontEnd: FrontEnd,
): Promise<SpokenSpeech> {
  const observer = dependencies.metrics.speech(frontEnd);
  try {
    return await start(dependencies, request, call, { frontEnd, observer });
  } catch (error) {
    observer.end({ error });
    throw error;
  }
}

async function start(
  dependencies: SpeechDependencies,
  request: SpeechInput,
  call: SpeechCall,
  { frontEnd, observer }: { frontEnd: FrontEnd; observer: SpeechObserver },
): Promise<SpokenSpeech> {
  const { ledger, unrecorded, speech, catalogue } = dependencies;
  const texts = chunksOf(request);
  const first = { ...request, text: await firstOf(texts) };
  const wanted = await workOf(dependencies, first, call);
  const simple = simpleWorkOf(dependencies, wanted, first, call);
  const charge = new Charge({ credits: ledger.credits, unrecorded }, call.caller.account, wanted.use);
  try {
    const started = await startedWork(dependencies, { wanted, simple }, first, call);
    charge.use = started.by.use;
    const onStandIn = (failed: SpeechWork, by: SpeechWork, error: WorkerError) => {
      if (charge.seconds === 0) charge.use = by.use;
      const voices = { voice: failed.job.request.voice, voiceFallback: by.voiceFallback };
      const problem = `the voice ${voices.voice} failed, so ${by.voiceFallback} speaks: ${error.code === 'voice' ? error.message : errorForLog(error)}`;
      dependencies.log({ level: 'error', protocol: frontEnd, error: problem, ...voices });
    };
    const { isWhole = false } = request;
    const voices = new VoicesInTurn(started.by, { speech, signal: call.signal, simple, isWhole, onStandIn });
    const pieces = chunksInOrder(voices, started.pieces, { first: first.text, texts }, { speech, call });
    const all = orEnd(pieces, wanted, catalogue, { observer, charge });
    return { pieces: all, charge, voice: voiceOf(voices) };
  } catch (error) {
    charge.release();
    throw await orRemoved(error, wanted, catalogue);
  }
}

/** The voice is another one after a failure. */
const voiceOf = (voices: VoicesInTurn): SpeakingVoice => ({
  get approximate() {
    return voices.by.approximate;
  },
  get voiceFallback() {
    return voices.by.voiceFallback;
  },
  get fallbackReason() {
    return voices.reason;
  },
});

async function firstOf(texts: AsyncIterator<string>): Promise<string> {
  const first = await texts.next();
  if (first.done !== true) return first.value;
  throw new ServiceError(400, 'text has no letter and no digit: send a text that can be spoken');
}

function startedWork(
  { speech, simpleVoiceAfter }: SpeechDependencies,
  { wanted, simple }: { wanted: SpeechWork; simple: SpeechWork | undefined },
  request: SpeechInput,
  call: SpeechCall,
): Promise<Started<SpeechWork>> {
  const start = async ({ job }: SpeechWork) =>
    request.waits === true ? speech.speakWithRoom(job, call.signal) : speech.speak(job, call.signal);
  return startBeforeDeadline(start, wanted, simpleVoiceAfter > 0 ? simple : undefined, simpleVoiceAfter);
}

/**
 * Yields the pieces of the first chunk, and then of each further chunk, in the voice that spoke last. A reader that hears the audio
 * has some of it left: texts that start go first meanwhile (docs/decisions/0174).
 */
async function* chunksInOrder(
  voices: VoicesInTurn,
  started: AsyncIterable<SynthesizedAudio>,
  { first, texts }: { first: string; texts: AsyncIterator<string> },
  { speech, call: { signal } }: { speech: SpeechSynthesis; call: SpeechCall },
): AsyncGenerator<SynthesizedAudio> {
  let seconds = 0;
  let start: number | undefined;
  const left = () => seconds - (performance.now() - (start ?? 0)) / 1000;
  let begin: StartJob = () => Promise.resolve(started);
  let text = first;
  for (;;) {
    for await (const piece of voices.speak(text, begin)) {
      start ??= performance.now();
      seconds += piece.seconds;
      yield piece;
    }
    const next = await texts.next();
    if (next.done === true) return;
    text = next.value;
    begin = (job) => speech.speakNext({ ...job, request: { ...job.request, isNext: true } }, signal, left);
  }
}

/**
 * Passes the pieces on, and reports their end to the observer. The reader also stops if the account cannot pay a piece, which is a
 * failure.
 */
async function* orEnd(
  pieces: AsyncIterable<SynthesizedAudio>,
  wanted: SpeechWork,
  catalogue: SpeechDependencies['catalogue'],
  { observer, charge }: { observer: SpeechObserver; charge: Charge },
): AsyncGenerator<SynthesizedAudio> {
  let outcome: Parameters<SpeechObserver['end']>[0] = 'stopped';
  try {
    for await (const piece of pieces) {
      observer.piece(piece);
      yield piece;
    }
    outcome = 'done';
  } catch (thrown) {
    const error = await orRemoved(thrown, wanted, catalogue);
    outcome = { error };
    throw error;
  } finally {
    const isRefused = outcome === 'stopped' && charge.refusal !== undefined;
    observer.end(isRefused ? { error: charge.refusal } : outcome);
  }
}

/**
 * Yields the pieces, and charges exactly the pieces that it yielded, also if the loop ends early or the speech fails. For
 * front ends that send each piece at once. Releases the charge.
 * @param isSent If it returns false, speech that did not end is free: an encoder kept its pieces.
 * @throws the error of the pieces; AccountsError `out-of-credits` before a piece that the account cannot pay; StoreError
 */
export async function* chargedPieces(
  { pieces, charge }: SpokenSpeech,
  isSent: () => boolean = () => true,
): AsyncGenerator<SynthesizedAudio> {
  let isComplete = false;
  try {
    for await (const piece of pieces) {
      charge.add(piece.seconds);
      yield piece;
    }
    isComplete = true;
  } finally {
    try {
      if (isComplete || isSent()) charge.settle();
    } finally {
      charge.release();
    }
  }
}

/** Milliseconds after which the catalogue has certainly noticed a change of the folder of the natural voices. */
const NOTICED = 1200;

/**
 * Returns the error of a speech request. A natural voice that was removed at the same time gives a 404 in place of an internal
 * error.
 */
async function orRemoved(
  error: unknown,
  { job }: Pick<SpeechWork, 'job'>,
  catalogue: Catalogue,
): Promise<unknown> {
  const { voice } = job.request;
  const natural = catalogue.get(voice);
  if (!(error instanceof WorkerError && (error.code === 'failed' || error.code === 'voice'))) return error;
  if (natural !== undefined && !isNaturalVoice(natural)) return error;
  if (natural !== undefined) await delay(NOTICED);
  return catalogue.get(voice) === undefined ? new ServiceError(404, unknownVoice(voice)) : error;
}
