import type { VoiceConfig } from '../../../installed/voice-config.js';
import { defaultPace, EPSILON, type Pace, predictSeconds } from './pace.js';

/** A spoken sentence. */
export interface PaceSample {
  ids: readonly number[];
  /** Length relative to the voice's normal speed. */
  stretch: number;
  seconds: number;
  /** Frames of each id, null if the model does not tell them. */
  durations: ArrayLike<number> | null;
}

/** Sentences in which the default pace of an id counts as much as one occurrence of it: some sounds are rare. */
const PRIOR = 2;

/**
 * Fits the pace of a voice to spoken sentences: the mean length of each id. Prefers whole frames if they describe the sentences
 * better. Without durations, scales the default pace.
 */
export function fitPace(config: VoiceConfig, samples: readonly PaceSample[]): Pace {
  const prior = scaled(defaultPace(config), samples);
  const known = samples.filter(({ durations }) => durations !== null);
  if (known.length === 0) return prior;
  const frame = frameOf(known);
  const smooth = fitSmooth(prior, known, frame);
  // At one speed, any lengths fit: only another speed shows how the model rounds.
  if (known.every(({ stretch }) => stretch === 1)) return smooth;
  const whole = fitWholeFrames(prior, known, frame, config);
  return errorOf(whole, known) < errorOf(smooth, known) ? whole : smooth;
}

function errorOf(pace: Pace, samples: readonly PaceSample[]): number {
  return samples.reduce(
    (sum, { ids, stretch, seconds }) => sum + (predictSeconds(pace, ids, stretch) - seconds) ** 2,
    0,
  );
}

/** The model rounds each length up to a whole frame, which adds half a frame on average. */
function fitSmooth(prior: Pace, samples: readonly PaceSample[], frame: number): Pace {
  const rounding = frame / 2;
  const ids = meansOf(prior.ids, samples, PRIOR, (frames, stretch) => (frames * frame - rounding) / stretch);
  // The default pace of rare sounds must not change the total length.
  const count = samples.reduce((sum, sample) => sum + sample.ids.length, 0);
  const wanted = samples.reduce((sum, { seconds }) => sum + seconds, 0) - rounding * count;
  const lengths = { ids, sentence: 0, rounding: 0, frame: 0 };
  const factor =
    wanted / samples.reduce((sum, sample) => sum + predictSeconds(lengths, sample.ids, sample.stretch), 0);
  return { ...lengths, ids: ids.map((seconds) => seconds * factor), rounding };
}

/** For a model whose lengths do not depend on the neighbours. */
function fitWholeFrames(
  prior: Pace,
  samples: readonly PaceSample[],
  frame: number,
  { lengthScale }: VoiceConfig,
): Pace {
  const normal = samples.filter(({ stretch }) => stretch === 1);
  const unit = frame * lengthScale;
  const ids = meansOf(prior.ids, normal, 0, (frames) => frames * frame).map((seconds) => {
    // The largest length that is rounded up to these frames.
    const frames = Math.max(0, Math.round(seconds / frame));
    return Math.floor((frames * frame) / unit + EPSILON) * unit;
  });
  return { ids, sentence: 0, rounding: 0, frame };
}

/** Returns the mean length of each id. An id that no sample contains keeps its length. */
function meansOf(
  lengths: readonly number[],
  samples: readonly PaceSample[],
  weight: number,
  lengthOf: (frames: number, stretch: number) => number,
): number[] {
  const sums = lengths.map((length) => length * weight);
  const counts = lengths.map(() => weight);
  for (const { ids, stretch, durations } of samples)
    ids.forEach((id, place) => {
      sums[id] = (sums[id] ?? 0) + lengthOf(durations?.[place] ?? 0, stretch);
      counts[id] = (counts[id] ?? 0) + 1;
    });
  return lengths.map((length, id) =>
    (counts[id] ?? 0) === 0 ? length : (sums[id] ?? 0) / (counts[id] ?? 1),
  );
}

/** Returns the seconds of a frame. */
function frameOf(samples: readonly PaceSample[]): number {
  const seconds = samples.reduce((sum, sample) => sum + sample.seconds, 0);
  const frames = samples.flatMap(({ durations }) => Array.from(durations ?? []));
  return seconds / frames.reduce((sum, count) => sum + count, 0);
}

/** Scales a pace to the total length of the samples. */
function scaled(pace: Pace, samples: readonly PaceSample[]): Pace {
  const measured = samples.reduce((sum, { seconds }) => sum + seconds, 0);
  const predicted = samples.reduce((sum, { ids, stretch }) => sum + predictSeconds(pace, ids, stretch), 0);
  const factor = predicted === 0 ? 1 : measured / predicted;
  return { ...pace, ids: pace.ids.map((seconds) => seconds * factor), rounding: pace.rounding * factor };
}
