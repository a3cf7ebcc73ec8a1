import path from 'node:path';
import { readVoice } from '../../installed/installed-voice.js';
import {
  ENOUGH_SENTENCES,
  type Measurement,
  measurementOf,
  saveMeasurement,
} from '../../installed/measurements.js';
import type { NeuralSpoken } from './messages.js';
import type { Sentence, SentenceSpeaker } from './neural-child.js';
import { VoiceMeter } from './voice-meter.js';

/** Sentences after which the figures of a voice are compared with its measurement. */
const ENOUGH = 8;
/** Difference of the speed that changes the measurement. */
const TOLERANCE = 0.25;

/**
 * Returns a speaker that corrects the measurements of the voices with the sentences that they speak: a wrong speed, and the loudness
 * that a measurement lacks because it is from an earlier version or a slow computer. Measures a voice that was never measured. The loudness never changes afterwards, so that
 * cached audio stays as loud.
 * @param measurements the folder of the measurements
 */
export function correctedInUse(
  speaker: Pick<SentenceSpeaker, 'speak'>,
  measurements: string,
): Pick<SentenceSpeaker, 'speak'> {
  const meters = new Map<string, VoiceMeter>();
  const note = (sentence: Sentence, spoken: NeuralSpoken): void => {
    const { model } = sentence;
    const meter = meters.get(model) ?? new VoiceMeter(readVoice(path.dirname(model)));
    meters.set(model, meter);
    meter.add(sentence, spoken);
    if (meter.sentences < ENOUGH) return;
    meters.delete(model);
    const corrected = correction(measurementOf(measurements, meter.voice), meter);
    if (corrected !== undefined) saveMeasurement(measurements, meter.voice.name, corrected);
  };
  return {
    speak: async (sentence, ...others) => {
      const spoken = await speaker.speak(sentence, ...others);
      try {
        if (sentence.urgency !== 'warm-up') note(sentence, spoken);
      } catch {
        // A voice that was just removed, or a folder without write access: the voice speaks all the same.
      }
      return spoken;
    },
  };
}

/** Returns the measurement in place of the saved one, undefined if that one is right. */
function correction(saved: Measurement | undefined, meter: VoiceMeter): Measurement | undefined {
  const figures = meter.figures();
  if (figures === undefined) return undefined;
  const isPartial = (saved?.sentences ?? 0) < ENOUGH_SENTENCES;
  const loudness = { ...figures.loudness, ...saved?.loudness };
  if (saved === undefined || isPartial)
    return { ...saved, ...figures, loudness, pitch: saved?.pitch ?? null };
  const { realTimeFactor, runtime } = figures;
  const isOther = Math.abs(realTimeFactor / saved.realTimeFactor - 1) > TOLERANCE;
  const isComplete = Object.keys(loudness).length === Object.keys(saved.loudness ?? {}).length;
  if (!isOther && isComplete) return undefined;
  return { ...saved, loudness, ...(isOther && { realTimeFactor, runtime }) };
}
