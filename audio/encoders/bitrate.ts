import type { Mp3 } from '@herald-speech/client/audio';
import { bitratesAt } from '../format/format.js';

/** Returns the lowest bit rate of the encoder that keeps the quality of an MP3, in kilobits per second. */
export function bitrateFor({ first, sound, seconds }: Mp3): number {
  const bytes = sound.reduce((sum, run) => sum + run.length, 0);
  const average = Math.round((bytes * 8) / seconds / 1000);
  const bitrates = bitratesAt(first.sampleRate);
  return bitrates.find((bitrate) => bitrate >= Math.min(average, first.bitrate)) ?? bitrates.at(-1) ?? 64;
}
