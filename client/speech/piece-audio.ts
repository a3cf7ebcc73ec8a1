import { AudioError, joinParsed, type JoinedAudio, type ParsedAudio } from '../audio/join.js';
import type { SignedMark } from '../audio/signature.js';
import { SpeechError } from '../base/errors.js';
import { createSpeech } from '../interface/operations.js';
import type { Phonemes } from '../interface/speech.js';
import { rounded } from '../base/rounding.js';

/** Joins the audio of all pieces as `joinParsed` does. @throws SpeechError `bad-reply` if their formats differ */
export function joinPieces(pieces: readonly ParsedAudio[], mark?: SignedMark | false): JoinedAudio {
  try {
    return joinParsed(pieces, mark);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new SpeechError('bad-reply', error.message, { operation: createSpeech.name, cause: error });
  }
}

/** Returns a piece as a file whose header states its length. */
export const completeFile = (parsed: ParsedAudio | undefined, bytes: Uint8Array): Uint8Array =>
  parsed === undefined ? bytes : joinPieces([parsed]).audio;

/** Returns phonemes `offset` seconds later. */
export const shifted = (phonemes: Phonemes, offset: number): Phonemes => ({
  ...phonemes,
  start_times_seconds: phonemes.start_times_seconds.map((start) => rounded(start + offset)),
});
