import { stoppable } from '../base/abort.js';
import type { AudioFormat } from '../audio/join.js';
import type { SpeechService } from './service.js';
import type { Phonemes } from '../interface/schemas.js';
import { type Text, text } from '../base/messages.js';
import type { FinishedChunks } from './finished.js';
import { completeFile, shifted } from './piece-audio.js';
import { type PlanOptions, planSpeech } from './plan.js';
import { rounded } from '../base/rounded.js';
import type { PieceOptions } from './speak-piece.js';
import { speakPlan } from './speak-plan.js';
import type { SpeechRequest } from '../interface/operations.js';

/** One chunk of a text with its audio. */
export interface SpeechPiece {
  /** Place in the text, counted from 0. */
  index: number;
  /** Pieces of the whole text. */
  count: number;
  /** The text as sent. */
  text: string;
  /** Place of `text` in the whole text as sent, in UTF-16 code units. White space lies between two pieces. */
  offset: number;
  /** A complete WAV or MP3 file. */
  audio: Uint8Array;
  format: AudioFormat;
  mime: string;
  /** Seconds from the start of the first piece of this stream. */
  start: number;
  /** Seconds. */
  duration: number;
  /** Charged seconds: 0 if cached, undefined if the service did not state them. */
  chargedSeconds: number | undefined;
  /** Whether the audio came from the cache. */
  cached: boolean;
  /** Id of the simple voice that spoke in place of the requested voice; undefined if the requested voice spoke. */
  voiceFallback: string | undefined;
  /** Phonemes with times as `start`; undefined unless requested. */
  phonemes: Phonemes | undefined;
  /** Changes to the text and unknown fields (with the first piece), and an approximated custom voice. */
  warningTexts: readonly Text[];
}

export interface StreamOptions extends PlanOptions, PieceOptions {
  /** Index of the first piece to deliver, to go on in the middle of a text. Default 0. */
  first?: number | undefined;
  /** Receives the finished chunks. A repeated call with the same map requests only the missing and the changed chunks. */
  finished?: FinishedChunks | undefined;
}

/**
 * Speaks a text of any length and yields its pieces in order. Requests `concurrency` pieces at a time. The memory is
 * bounded: at most 2 x `concurrency` pieces are in work or wait for the caller. `return` aborts all requests.
 * @throws SpeechError of the first failed chunk, after the pieces before it
 */
export function stream(
  service: SpeechService,
  request: SpeechRequest,
  options: StreamOptions = {},
): AsyncGenerator<SpeechPiece, void, undefined> {
  return stoppable(options.signal, (signal) => streamPieces(service, request, { ...options, signal }));
}

async function* streamPieces(
  service: SpeechService,
  request: SpeechRequest,
  options: StreamOptions,
): AsyncGenerator<SpeechPiece, void, undefined> {
  const plan = await planSpeech(service, request, options);
  const { first = 0 } = options;
  const count = plan.cuts.length;
  let index = first;
  let end = 0;
  let warned = false;
  for await (const { value, audio, cached } of speakPlan(service, plan, options)) {
    const { approximate = false, charged, voiceFallback, phonemes, format, mime, duration } = value;
    // A stream that goes on in the middle follows a stream that has reported them.
    const planned = index === 0 ? plan.warnings : [];
    const warnings = approximate && !warned ? [approximateVoice()] : [];
    warned ||= approximate;
    const start = end;
    end += duration;
    const cut = plan.cuts[index];
    yield {
      index,
      count,
      text: cut?.text ?? '',
      offset: cut?.start ?? 0,
      audio: completeFile(audio, value.audio),
      format,
      mime,
      start: rounded(start),
      duration: rounded(duration),
      chargedSeconds: cached ? 0 : charged,
      cached,
      voiceFallback,
      phonemes: phonemes && shifted(phonemes, start),
      warningTexts: [...planned, ...warnings],
    };
    index += 1;
  }
}

/** The warning of an approximated custom voice. */
export const approximateVoice = (): Text => text('warning-approximate', { field: 'voice_id' });
