import type { CachedSpoken } from '../cache/entry.js';
import type { MarkSigner, SignedMark } from '../audio/signature.js';
import type { SpeechService } from './service.js';
import { SpeechError } from '../base/errors.js';
import type { Phonemes } from '../interface/speech.js';
import { type Text, text } from '../base/messages.js';
import { joinPieces, shifted } from './piece-audio.js';
import type { SpeechPlan } from './plan.js';
import { rounded } from '../base/rounding.js';
import type { SpeechRequest } from '../interface/operations.js';
import { type OpenText, openText, type StreamOptions } from './open-text.js';
import { approximateVoice, failedVoice } from './stream.js';

export interface SpeakOptions extends Omit<StreamOptions, 'first'> {
  /** Whether the audio has the mark of synthetic speech (`readMark`). Default true. */
  mark?: boolean | undefined;
  /** The key that signs the mark (`verifyAudio`). Default: no signature, except that of a service which spoke the text as one piece. */
  signer?: MarkSigner | undefined;
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
  /** The text without removed markup, with the replacements of the pronunciations. Figures are as in the request, also if the service got words. */
  text: string;
  /** Seconds. */
  duration: number;
  chunks: SpokenChunk[];
  /** Number of chunks whose audio came from the cache. */
  cached: number;
  /** Charged seconds; undefined unless the service stated them for each chunk. */
  chargedSeconds: number | undefined;
  /** Id of the first simple voice that spoke in place of the requested voice; undefined if none did. */
  voiceFallback: string | undefined;
  /** Phonemes with times in the whole audio; undefined unless requested. */
  phonemes: Phonemes | undefined;
  /** Changes to the text that made it speakable, unknown fields, an approximated custom voice, and a voice that failed. */
  warnings: string[];
  /** `warnings` with keys and values, for translations. */
  warningTexts: readonly Text[];
}

/**
 * Collects the pieces of `stream`, and joins their audio in order.
 * @throws SpeechError of the first failed chunk; `too-large` if the audio exceeds `maxAudioBytes`
 */
export async function speak(
  service: SpeechService,
  request: SpeechRequest,
  options: SpeakOptions = {},
): Promise<Speech> {
  const { maxTextLength, maxAudioBytes } = service.settings;
  const opened = await openText(service, request, options, { maxTextLength, maxAudioBytes });
  const spoken = await collected(opened, maxAudioBytes);
  return assemble(opened.plan, spoken, options.mark !== false && markOf(request, spoken, options.signer));
}

/** @throws SpeechError of the first failed chunk; `too-large` if the audio has more bytes than the limit */
async function collected(pieces: OpenText, limit: number): Promise<CachedSpoken[]> {
  const spoken: CachedSpoken[] = [];
  let bytes = 0;
  try {
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
      bytes += piece.value.audio.length;
      if (bytes > limit) throw new SpeechError('too-large', text('audio-large', { limit }));
      spoken.push(piece);
    }
    return spoken;
  } finally {
    await pieces.end();
  }
}

/** Returns the mark for audio of a service that sends none. */
const markOf = (
  { voice_id, language }: SpeechRequest,
  [first]: readonly CachedSpoken[],
  signer: MarkSigner | undefined,
): SignedMark => ({ voice: first?.value.voiceFallback ?? voice_id, language, signer });

function assemble(
  { cuts, text, requests, warnings: planned }: SpeechPlan,
  spoken: readonly CachedSpoken[],
  mark: SignedMark | false,
): Speech {
  const isApproximate = spoken.some(({ value }) => value.approximate === true);
  const failures = spoken.flatMap(({ value }) => failedVoice(requests[0]?.voice_id ?? '', value));
  const failed = new Map(failures.map((failure) => [failure.english, failure])).values();
  const warnings = [...planned, ...(isApproximate ? [approximateVoice()] : []), ...failed];
  const files = spoken.flatMap(({ audio = [] }) => audio);
  const { audio, format, mime, duration, pieces } = joinPieces(files, mark);
  return {
    audio,
    format,
    mime,
    text,
    duration: rounded(duration),
    chunks: pieces.map((piece, index) => ({
      text: cuts[index]?.text ?? '',
      start: rounded(piece.start),
      duration: rounded(piece.duration),
    })),
    cached: spoken.filter(({ cached }) => cached).length,
    chargedSeconds: chargedSeconds(spoken),
    voiceFallback: spoken.find(({ value }) => value.voiceFallback !== undefined)?.value.voiceFallback,
    phonemes: joinedPhonemes(spoken, pieces),
    warnings: warnings.map(({ english }) => english),
    warningTexts: warnings,
  };
}

/** Returns the sum, or undefined if the service stated no charge for a chunk. */
function chargedSeconds(spoken: readonly CachedSpoken[]): number | undefined {
  let sum = 0;
  for (const { value, cached } of spoken) {
    if (cached) continue;
    if (value.charged === undefined) return undefined;
    sum += value.charged;
  }
  return rounded(sum);
}

/** Joins the phonemes of all chunks; their times become times in the whole audio. */
function joinedPhonemes(
  spoken: readonly CachedSpoken[],
  pieces: readonly { start: number }[],
): Phonemes | undefined {
  if (spoken.every(({ value }) => value.phonemes === undefined)) return undefined;
  const marks = spoken.flatMap(({ value: { phonemes } }, index) =>
    phonemes === undefined ? [] : [shifted(phonemes, pieces[index]?.start ?? 0)],
  );
  return {
    symbols: marks.flatMap(({ symbols }) => symbols),
    start_times_seconds: marks.flatMap((mark) => mark.start_times_seconds),
    durations_seconds: marks.flatMap((mark) => mark.durations_seconds),
  };
}
