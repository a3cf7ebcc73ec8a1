import type { CachedSpoken } from '../cache/entry.js';
import { stoppable } from '../base/abort.js';
import type { AudioFormat } from '../audio/join.js';
import type { Phonemes } from '../interface/speech.js';
import { type Text, text } from '../base/messages.js';
import { completeFile, shifted } from './piece-audio.js';
import { rounded } from '../base/rounding.js';
import { type OpenText, openText, type StreamOptions } from './open-text.js';
import type { SpeechService } from './service.js';
import type { CompleteChoice } from '../voices/complete.js';
import type { SpeechRequest } from '../interface/operations.js';

/** One chunk of a text with its audio. */
export interface SpeechPiece {
  /** Place in the text, counted from 0. */
  index: number;
  /** Pieces of the whole text. */
  count: number;
  /** The text, with figures as in the request, also if the service got words. */
  text: string;
  /** Place of `text` in the whole text, in UTF-16 code units. White space lies between two pieces. */
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
  /** The requested voice. */
  voice: CompleteChoice;
  /** The name of the requested voice; undefined unless `speakWith` knows it from an earlier reply of the service. */
  voiceName: string | undefined;
  /** Id of the simple voice that spoke in place of the requested voice; undefined if the requested voice spoke. */
  voiceFallback: string | undefined;
  /** Why the requested voice failed; undefined if it spoke, or was only late. */
  voiceFallbackReason: string | undefined;
  /** Phonemes with times as `start`; undefined unless requested. */
  phonemes: Phonemes | undefined;
  /** Changes to the text and unknown fields (with the first piece), an approximated custom voice, and a voice that failed. */
  warningTexts: readonly Text[];
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
  const text = new SpeechPieces(await openText(service, request, options), request);
  try {
    for (let piece = await text.next(); piece !== undefined; piece = await text.next()) yield piece;
  } finally {
    await text.end();
  }
}

/** The pieces of a text that one service speaks. */
export class SpeechPieces {
  /** Index of the next piece. */
  private index: number;
  /** Seconds of all pieces so far. */
  private seconds = 0;
  private isApproximate = false;
  /** The last failure of the voice. */
  private failure: string | undefined;

  private readonly voice: CompleteChoice;

  /** @param request its voice */
  constructor(
    private readonly text: OpenText,
    { voice_id, language, style, model }: CompleteChoice,
    private readonly voiceName?: string,
  ) {
    this.index = text.first;
    this.voice = { voice_id, language, style, model };
  }

  /** Returns the next piece; undefined after the last one. @throws SpeechError */
  async next(): Promise<SpeechPiece | undefined> {
    const spoken = await this.text.next();
    return spoken && this.pieceOf(spoken);
  }

  /** Ends all work. */
  end(): Promise<void> {
    return this.text.end();
  }

  private pieceOf({ value, audio, cached }: CachedSpoken): SpeechPiece {
    const { charged, voiceFallback, voiceFallbackReason, phonemes, format, mime, duration } = value;
    const warningTexts = this.warningsWith(value);
    const index = this.index++;
    const start = this.seconds;
    this.seconds += duration;
    const { cuts } = this.text.plan;
    return {
      index,
      count: cuts.length,
      text: cuts[index]?.text ?? '',
      offset: cuts[index]?.start ?? 0,
      audio: completeFile(audio, value.audio),
      format,
      mime,
      start: rounded(start),
      duration: rounded(duration),
      chargedSeconds: cached ? 0 : charged,
      cached,
      voice: this.voice,
      voiceName: this.voiceName,
      voiceFallback,
      voiceFallbackReason,
      phonemes: phonemes && shifted(phonemes, start),
      warningTexts,
    };
  }

  private warningsWith(value: CachedSpoken['value']): Text[] {
    const { approximate = false, voiceFallbackReason: failure } = value;
    // A stream that goes on in the middle follows a stream that has reported them.
    const planned = this.index === 0 ? this.text.plan.warnings : [];
    const isNew = approximate && !this.isApproximate;
    this.isApproximate ||= approximate;
    const failed = failure === this.failure ? [] : failedVoice(this.voice.voice_id, value);
    this.failure = failure ?? this.failure;
    return [...planned, ...(isNew ? [approximateVoice()] : []), ...failed];
  }
}

/** The warning of an approximated custom voice. */
export const approximateVoice = (): Text => text('warning-approximate', { field: 'voice_id' });

/** Returns the warning of a voice that failed, if it did. */
export const failedVoice = (
  voice: string,
  { voiceFallback: other = '', voiceFallbackReason: reason }: CachedSpoken['value'],
): Text[] => (reason === undefined ? [] : [text('warning-voice-failed', { voice, other, reason })]);
