import type { Prosody } from '../engine.js';
import { LEVEL, RATE, type UtteranceRequest } from './messages.js';

/** eSpeak's settings, and the factor by which its audio is stretched afterwards. */
export interface EspeakSettings extends Pick<UtteranceRequest, 'rate' | 'pitch' | 'range'> {
  stretch: number;
}

/**
 * Semitones and eSpeak's pitch setting. Measured once: the median pitch (`trackPitch`) of a sentence for each setting
 * from 0 to 99 and five variants, with the range of `espeakSettings`. The variants agree within half a semitone.
 */
const PITCH_MAP = [
  [-9, 0],
  [-6, 15],
  [-3, 34],
  [0, 50],
  [3, 66],
  [6, 81],
  [9, 96],
  [9.5, 99],
] as const;
const LOWEST = -9;
const HIGHEST = 9.5;

/**
 * Converts a prosody to eSpeak's settings, without its duration.
 * @param speed Factor: 2 is twice as fast. Beyond eSpeak's rates, the audio is stretched.
 */
export function espeakSettings({ pitchShift, pitchVariance }: Prosody, speed: number): EspeakSettings {
  const semitones = between(LOWEST, pitchShift, HIGHEST);
  const wordsPerMinute = RATE.neutral * speed;
  const rate = between(RATE.min, wordsPerMinute, RATE.max);
  return {
    rate: Math.round(rate),
    pitch: Math.round(pitchSetting(semitones)),
    // eSpeak's range is in hertz. It grows with the pitch, so that the intervals stay the same.
    range: Math.round(between(LEVEL.min, LEVEL.neutral * pitchVariance * 2 ** (semitones / 12), LEVEL.max)),
    stretch: rate / wordsPerMinute,
  };
}

/** Interpolates between the points of the map. */
function pitchSetting(semitones: number): number {
  const next = Math.max(
    1,
    PITCH_MAP.findIndex(([point]) => point >= semitones),
  );
  const [[from, low], [to, high]] = [PITCH_MAP[next - 1] ?? [LOWEST, 0], PITCH_MAP[next] ?? [HIGHEST, 99]];
  return low + ((high - low) * (semitones - from)) / (to - from);
}

function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
