import path from 'node:path';
import { readVoice } from '../../installed/installed-voice.js';
import {
  ENOUGH_SENTENCES,
  type Measurement,
  measurementOf,
  saveMeasurement,
} from '../../installed/measurements.js';
import type { NeuralSpoken } from './process/messages.js';
import type { Sentence, SentenceSpeaker } from './process/neural-child.js';
import { slowed } from './pace/fit-pace.js';
import type { Pace } from './pace/pace.js';
import { VoiceMeter } from './voice-meter.js';

/** Sentences after which the figures of a voice are compared with its measurement. */
const ENOUGH = 8;
/** Difference of the speed that changes the measurement. */
const TOLERANCE = 0.25;
/** Difference of the predicted length that changes the pace. */
const PACE_TOLERANCE = 0.01;
/**
 * Part of the difference that eight sentences correct. They may be unusual ones: alone, they differ from other texts by 2 % (standard deviation). In this
 * way, their error falls below 1 % in the long run.
 */
const PACE_STEP = 0.25;

/**
 * Returns a speaker that corrects the measurements of the voices with the sentences that they speak: a wrong speed, the predicted length,
 * and the loudness that a measurement lacks because it is from an earlier version or a slow computer. Measures a voice that was never measured. The loudness never changes afterwards, so that
 * cached audio stays as loud.
 * @param measurements the folder of the measurements
 */
export function correctedInUse(
  speaker: Pick<SentenceSpeaker, 'speak' | 'load'>,
  measurements: string,
): Pick<SentenceSpeaker, 'speak' | 'load'> {
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
    load: (model) => speaker.load(model),
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
  const pace = correctedPace(saved.pace, meter);
  const isOther = Math.abs(realTimeFactor / saved.realTimeFactor - 1) > TOLERANCE;
  const isComplete = Object.keys(loudness).length === Object.keys(saved.loudness ?? {}).length;
  if (!isOther && isComplete && pace === saved.pace) return undefined;
  return { ...saved, loudness, pace, ...(isOther && { realTimeFactor, runtime }) };
}

function correctedPace(pace: Pace, meter: VoiceMeter): Pace {
  const difference = Math.min(1, meter.drift(pace) - 1);
  return Math.abs(difference) > PACE_TOLERANCE ? slowed(pace, 1 + PACE_STEP * difference) : pace;
}
