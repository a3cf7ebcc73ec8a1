import type { VoiceConfig } from '../../../installed/voice-config.js';
import { defaultPace, EPSILON, type Pace, secondsOfSentence, silentIds } from './pace.js';

/** A spoken sentence. */
export interface PaceSample {
  ids: readonly number[];
  /** Length relative to the voice's normal speed. */
  stretch: number;
  seconds: number;
  /** Seconds between the first and the last audible sample. */
  audible: number;
  /** Frames of each id, null if the model does not tell them. */
  durations: ArrayLike<number> | null;
}

/** Sentences in which the default pace of an id counts as much as one occurrence of it: some sounds are rare. */
const PRIOR = 2;
/** Ids at the end of a sentence that the model speaks slower: four symbols with their pads. */
const LAST = 8;

/**
 * Fits the pace of a voice to spoken sentences: the mean length of each id, and the seconds that each sentence has beside them. Prefers
 * whole frames if they describe the sentences better. Without durations, scales the default pace.
 */
export function fitPace(config: VoiceConfig, samples: readonly PaceSample[]): Pace {
  const heard = samples.map((sample) => ({ ...sample, ...soundsOf(config, sample.ids) }));
  const prior = scaled(defaultPace(config), samples);
  const known = heard.filter(({ durations }) => durations !== null);
  if (known.length === 0) return withSentence(prior, heard);
  const frame = frameOf(known);
  const smooth = withSentence(fitSmooth(prior, known, frame), heard);
  // At one speed, any lengths fit: only another speed shows how the model rounds.
  if (known.every(({ stretch }) => stretch === 1)) return smooth;
  const whole = withSentence(fitWholeFrames(prior, known, frame, config), heard);
  return errorOf(whole, known) < errorOf(smooth, known) ? whole : smooth;
}

/** A sentence with the places of its sounds and their pads: silence around them is no part of a plan. */
interface HeardSample extends PaceSample {
  from: number;
  to: number;
}

function soundsOf(config: VoiceConfig, ids: readonly number[]): Pick<HeardSample, 'from' | 'to'> {
  const silent = silentIds(config);
  const isSound = (id: number) => !silent.has(id);
  return { from: Math.max(0, ids.findIndex(isSound)), to: ids.findLastIndex(isSound) + 2 };
}

const soundSeconds = (pace: Pace, { ids, from, to, stretch }: HeardSample): number =>
  secondsOfSentence(pace, ids.slice(from, to), stretch);

/**
 * Adds the seconds of a sentence beside the mean lengths of its ids. Its last sounds are slower, and the start of its first sound and
 * the end of its last one are not audible.
 */
function withSentence(pace: Pace, samples: readonly HeardSample[]): Pace {
  const missing = samples.reduce((sum, sample) => sum + sample.audible - soundSeconds(pace, sample), 0);
  return { ...pace, sentence: missing / samples.reduce((sum, { stretch }) => sum + stretch, 0) };
}

function errorOf(pace: Pace, samples: readonly HeardSample[]): number {
  return samples.reduce((sum, sample) => sum + (soundSeconds(pace, sample) - sample.audible) ** 2, 0);
}

/** The model rounds each length up to a whole frame, which adds half a frame on average. */
function fitSmooth(prior: Pace, samples: readonly HeardSample[], frame: number): Pace {
  const rounding = frame / 2;
  const inner = samples.map(innerPart);
  const ids = meansOf(prior.ids, inner, PRIOR, (frames, stretch) => (frames * frame - rounding) / stretch);
  // The default pace of rare sounds must not change the total length.
  const wanted = inner
    .flatMap(({ durations }) => Array.from(durations ?? []))
    .reduce((sum, frames) => sum + frames * frame - rounding, 0);
  const lengths = { ids, sentence: 0, rounding: 0, frame: 0 };
  const total = inner.reduce(
    (sum, sample) => sum + secondsOfSentence(lengths, sample.ids, sample.stretch),
    0,
  );
  const factor = total === 0 ? 1 : wanted / total;
  return { ...lengths, ids: ids.map((seconds) => seconds * factor), rounding };
}

/** Returns the sounds of a sentence without its last ones. */
function innerPart({ from, to, ...sample }: HeardSample): PaceSample {
  const end = Math.max(from, to - LAST);
  const durations = Array.from(sample.durations ?? []).slice(from, end);
  return { ...sample, ids: sample.ids.slice(from, end), durations };
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
  const predicted = samples.reduce((sum, { ids, stretch }) => sum + secondsOfSentence(pace, ids, stretch), 0);
  return slowed(pace, predicted === 0 ? 1 : measured / predicted);
}

/** Returns a pace whose sentences take longer by a factor. */
export const slowed = (pace: Pace, factor: number): Pace => ({
  ...pace,
  ids: pace.ids.map((seconds) => seconds * factor),
  sentence: pace.sentence * factor,
  rounding: pace.rounding * factor,
});

/** Returns the factor by which sentences were longer than predicted; 1 for a pace in whole frames, which is exact. */
export function driftOf(config: VoiceConfig, pace: Pace, samples: readonly PaceSample[]): number {
  const heard = samples.map((sample) => ({ ...sample, ...soundsOf(config, sample.ids) }));
  const predicted = heard.reduce((sum, sample) => sum + soundSeconds(pace, sample), 0);
  if (pace.frame > 0 || predicted === 0) return 1;
  return samples.reduce((sum, { audible }) => sum + audible, 0) / predicted;
}
