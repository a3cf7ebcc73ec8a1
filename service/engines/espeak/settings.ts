import type { Delivery } from '../engine.js';
import { LEVEL, RATE, type UtteranceRequest } from './messages.js';

/** How eSpeak is set, and how much longer its audio is made afterwards. */
export interface Manner extends Pick<UtteranceRequest, 'rate' | 'pitch' | 'range'> {
  stretch: number;
}

/**
 * Semitones and eSpeak's pitch setting. Measured once: the median pitch (`trackPitch`) of a sentence for every setting
 * of 0 to 99, with the range that `mannerOf` gives, for five variants; they agree within half a semitone.
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
 * eSpeak's settings for a delivery; a wished length is not looked at here.
 * @param speed 2 is twice as fast. What is beyond eSpeak's rates becomes a stretch.
 */
export function mannerOf({ pitchShift, pitchVariance }: Delivery, speed: number): Manner {
  const semitones = between(LOWEST, pitchShift, HIGHEST);
  const wanted = RATE.neutral * speed;
  const rate = Math.round(between(RATE.min, wanted, RATE.max));
  return {
    rate,
    pitch: Math.round(pitchSetting(semitones)),
    // eSpeak's range is in Hz: it grows with the pitch, so that a shifted melody keeps its intervals.
    range: Math.round(between(LEVEL.min, LEVEL.neutral * pitchVariance * 2 ** (semitones / 12), LEVEL.max)),
    stretch: rate / wanted,
  };
}

/** The setting for semitones within the map, on the line between its points. */
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
