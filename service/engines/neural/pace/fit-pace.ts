import type { VoiceConfig } from '../../../natural/voice-config.js';
import { defaultPace, type Pace, secondsOf } from './pace.js';
import { bestRidge } from './ridge.js';

/** A measured sentence. */
export interface PaceSample {
  ids: readonly number[];
  /** Length relative to the voice's normal speed. */
  stretch: number;
  seconds: number;
}

/**
 * Fits the pace of a voice to measured sentences, by ridge regression of the seconds on the numbers of the ids. The default
 * pace, scaled to the samples, is the prior for ids that the samples hardly contain.
 */
export function fitPace(config: VoiceConfig, samples: readonly PaceSample[]): Pace {
  const prior = scaled(defaultPace(config), samples);
  const used = [...new Set(samples.flatMap(({ ids }) => ids))];
  const rows = samples.map((sample) => featuresOf(sample, used));
  const rests = samples.map(({ ids, stretch, seconds }) => seconds - secondsOf(prior, ids, stretch));
  const [sentence = 0, rounding = 0, ...corrections] = bestRidge(rows, rests);
  const ids = [...prior.ids];
  used.forEach((id, place) => (ids[id] = (ids[id] ?? 0) + (corrections[place] ?? 0)));
  return { ids, sentence: prior.sentence + sentence, rounding: prior.rounding + rounding };
}

/** Scales a pace to the total length of the samples. */
function scaled(pace: Pace, samples: readonly PaceSample[]): Pace {
  const measured = samples.reduce((sum, { seconds }) => sum + seconds, 0);
  const predicted = samples.reduce((sum, { ids, stretch }) => sum + secondsOf(pace, ids, stretch), 0);
  const factor = predicted === 0 ? 1 : measured / predicted;
  return { ...pace, ids: pace.ids.map((seconds) => seconds * factor), rounding: pace.rounding * factor };
}

function featuresOf({ ids, stretch }: PaceSample, used: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [stretch, ids.length, ...used.map((id) => stretch * (counts.get(id) ?? 0))];
}
