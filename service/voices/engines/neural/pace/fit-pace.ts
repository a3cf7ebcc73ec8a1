import type { VoiceConfig } from '../../../installed/voice-config.js';
import { defaultPace, EPSILON, type Pace, predictSeconds } from './pace.js';
import { bestRidge } from './ridge.js';

/** A measured sentence. */
export interface PaceSample {
  ids: readonly number[];
  /** Length relative to the voice's normal speed. */
  stretch: number;
  seconds: number;
}

/**
 * Fits the pace of a voice to measured sentences, some of which have the voice's normal speed. Prefers whole frames if they
 * describe the other speeds better.
 */
export function fitPace(config: VoiceConfig, samples: readonly PaceSample[]): Pace {
  const smooth = fitSmooth(config, samples);
  const whole = fitWholeFrames(
    config,
    samples.filter(({ stretch }) => stretch === 1),
  );
  return [smooth, ...whole].reduce((best, pace) =>
    errorOf(pace, samples) < errorOf(best, samples) ? pace : best,
  );
}

function errorOf(pace: Pace, samples: readonly PaceSample[]): number {
  return samples.reduce(
    (sum, { ids, stretch, seconds }) => sum + (predictSeconds(pace, ids, stretch) - seconds) ** 2,
    0,
  );
}

/**
 * Fits by ridge regression of the seconds on the numbers of the ids. The default pace, scaled to the samples, is the prior for
 * ids that the samples hardly contain.
 */
function fitSmooth(config: VoiceConfig, samples: readonly PaceSample[]): Pace {
  const prior = scaled(defaultPace(config), samples);
  const used = usedIn(samples);
  const rows = samples.map((sample) => [sample.stretch, sample.ids.length, ...countsOf(sample, used)]);
  const [sentence = 0, rounding = 0, ...corrections] = bestRidge(rows, restsOf(prior, samples));
  const ids = corrected(prior.ids, used, corrections);
  return { ids, sentence, rounding: prior.rounding + rounding, frame: 0 };
}

/** Maximum frames of a pad at the voice's normal speed. */
const MAX_PAD = 6;

/**
 * Fits the ids alone at the voice's normal speed. Each sound has a pad, so these sentences determine the sum of both only.
 * @returns a pace for each number of frames of a pad
 */
function fitWholeFrames(config: VoiceConfig, samples: readonly PaceSample[]): Pace[] {
  const prior = { ...scaled(defaultPace(config), samples), rounding: 0 };
  const used = usedIn(samples);
  const rows = samples.map((sample) => countsOf(sample, used));
  const ids = corrected(prior.ids, used, bestRidge(rows, restsOf(prior, samples)));
  const frame = config.hopLength / config.sampleRate;
  return Array.from({ length: MAX_PAD + 1 }, (_, frames) => ({
    ids: inWholeFrames(withPad(ids, frames * frame, config), frame, config),
    sentence: 0,
    rounding: 0,
    frame,
  }));
}

/** Changes the seconds of a pad. The sounds before the pads keep the sum. Only the end has no pad. */
function withPad(ids: readonly number[], seconds: number, { phonemeIds }: VoiceConfig): number[] {
  const [pad = -1] = phonemeIds.get('_') ?? [];
  const ends = phonemeIds.get('$') ?? [];
  const rest = (ids[pad] ?? 0) - seconds;
  return ids.map((length, id) => {
    if (id === pad) return seconds;
    return ends.includes(id) ? length : length + rest;
  });
}

/** Returns the largest lengths that are rounded up to these frames. */
function inWholeFrames(ids: readonly number[], frame: number, { lengthScale }: VoiceConfig): number[] {
  const unit = frame * lengthScale;
  return ids.map((seconds) => {
    const frames = Math.max(0, Math.round(seconds / frame));
    return Math.floor((frames * frame) / unit + EPSILON) * unit;
  });
}

function usedIn(samples: readonly PaceSample[]): number[] {
  return [...new Set(samples.flatMap(({ ids }) => ids))];
}

function restsOf(prior: Pace, samples: readonly PaceSample[]): number[] {
  return samples.map(({ ids, stretch, seconds }) => seconds - predictSeconds(prior, ids, stretch));
}

function corrected(
  ids: readonly number[],
  used: readonly number[],
  corrections: readonly number[],
): number[] {
  const result = [...ids];
  used.forEach((id, place) => (result[id] = (result[id] ?? 0) + (corrections[place] ?? 0)));
  return result;
}

/** Scales a pace to the total length of the samples. */
function scaled(pace: Pace, samples: readonly PaceSample[]): Pace {
  const measured = samples.reduce((sum, { seconds }) => sum + seconds, 0);
  const predicted = samples.reduce((sum, { ids, stretch }) => sum + predictSeconds(pace, ids, stretch), 0);
  const factor = predicted === 0 ? 1 : measured / predicted;
  return { ...pace, ids: pace.ids.map((seconds) => seconds * factor), rounding: pace.rounding * factor };
}

/** Returns how often each id occurs, times the stretch. */
function countsOf({ ids, stretch }: PaceSample, used: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return used.map((id) => stretch * (counts.get(id) ?? 0));
}
