import type { ParsedAudio } from '@herald-speech/client/audio';
import { decodeMp3 } from './mp3-samples.js';
import type { Sound } from './sound.js';
import { decodeWav } from './wav-samples.js';

/**
 * Decodes a complete WAV or MP3, mixed to one channel.
 * @throws AudioError `unsupported` for PCM of more than 32 bits
 */
export async function decode(audio: ParsedAudio, signal?: AbortSignal): Promise<Sound> {
  return audio.format === 'wav' ? decodeWav(audio.wav) : decodeMp3(audio.bytes, audio.mp3, signal);
}
