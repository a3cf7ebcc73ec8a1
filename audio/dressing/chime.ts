import { AudioError, parseAudio } from '@herald-speech/client/audio';
import { audioProblem } from '@herald-speech/client/interface';
import { ruleText } from '../messages.js';
import { OptionError } from '../option-error.js';
import { decode } from '../sound/decode.js';
import type { Sound } from '../sound/sound.js';
import { decodeWav } from '../sound/wav-samples.js';
import { type ChimeName, chimes } from './dressing.js';
import { synthesise } from './synthesis.js';

/** Seconds. A longer file is not a chime. */
const MAX_SECONDS = 30;

/**
 * Checks a chime before any speech is requested.
 * @param chime the name of a built-in chime, or a complete WAV or MP3 file
 * @throws OptionError for an unknown name, for bytes without audio, and for a file of more than 30 seconds
 */
export function checkChime(chime: unknown): ChimeName | Uint8Array {
  if (chime instanceof Uint8Array) return checkFile(chime);
  const name = chimes.find((known) => known === chime);
  if (name === undefined)
    throw new OptionError('chime', chime, ruleText('rule-chime', { chimes: chimes.join(', ') }));
  return name;
}

function checkFile(file: Uint8Array): Uint8Array {
  if (durationOf(file) <= MAX_SECONDS) return file;
  throw new OptionError('chime', file, ruleText('rule-chime-long', { seconds: MAX_SECONDS }));
}

function durationOf(file: Uint8Array): number {
  try {
    const audio = parseAudio(file);
    if (audio.format === 'mp3') return audio.mp3.seconds;
    // Throws for a sample format that cannot be decoded, without decoding the file.
    decodeWav({ ...audio.wav, data: new Uint8Array() });
    return audio.wav.seconds;
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new OptionError('chime', file, ruleText('rule-chime-audio', { problem: audioProblem(error) }));
  }
}

/** Returns the sound of a chime. A file has its sample rate, a built-in chime `sampleRate` (hertz). */
export async function chimeSound(
  chime: ChimeName | Uint8Array,
  sampleRate: number,
  signal?: AbortSignal,
): Promise<Sound> {
  if (typeof chime === 'string') return { samples: synthesise(chime, sampleRate), sampleRate };
  return decode(parseAudio(chime), signal);
}
