import {
  integratedLoudness,
  type PeakLimiter,
  startLimiter,
  startStepMeter,
  stepLength,
  STEPS,
} from '@herald-speech/client/audio';
import { joined } from '../sound/sound.js';
import { inSlices } from '../sound/slices.js';

/** The highest gain: 30 dB. A quieter piece is background noise. */
const MAX_GAIN = 10 ** (30 / 20);
/** Rounds that find the gain. The gates and the limiter make the loudness a nonlinear function of the gain. */
const ROUNDS = 6;
/** dB of gain in one round. */
const MAX_CHANGE = 30;
/** LU per dB of gain. A limiter reduces the effect of the gain. */
const LEAST_EFFECT = 0.3;
/** LU. A smaller difference from the target is not audible. */
const TOLERANCE = 0.05;
/** The most by which the neighbours change the gain of a short piece: 3 dB. After a loud one it would become too quiet. */
const MAX_EFFECT_OF_NEIGHBOURS = 10 ** (3 / 20);
/** Seconds. A longer piece has so many blocks that its neighbours have little effect. */
const SHORT = 2;

/** The neighbours of a piece in the output. */
export interface Surroundings {
  /** Samples of the output before the piece. */
  position: number;
  /** Samples of silence after the piece. */
  pause: number;
}

/** The weighted mean squares of the output so far: complete steps, and the step that the next piece continues. */
interface Before {
  complete: readonly number[];
  open: number;
}

/** Returns the steps of a piece with a gain. */
type Measure = (gain: number) => Promise<number[]>;

/**
 * Finds a gain for each piece, so that the blocks of the whole output have the target loudness. Measures a piece on the grid of
 * the output, together with the silence or the speech next to it.
 */
export class LoudnessTarget {
  readonly #sampleRate: number;
  readonly #target: number;
  readonly #ceiling: number;
  #before: Before = { complete: [], open: 0 };

  /**
   * @param target LUFS of one channel
   * @param ceiling the highest true peak of the output, as an amplitude
   */
  constructor(sampleRate: number, target: number, ceiling: number) {
    this.#sampleRate = sampleRate;
    this.#target = target;
    this.#ceiling = ceiling;
  }

  /** Returns the gain of the next piece. */
  async gainOf(samples: Float32Array, around: Surroundings, signal?: AbortSignal): Promise<number> {
    const offset = around.position % stepLength(this.#sampleRate);
    const end = offset + samples.length;
    const measure = await this.#measuring(samples, offset, signal);
    const find = (before: Before) =>
      this.#search(measure, (steps) => this.#inContext(steps, before, end, around.pause));
    const best = await find(this.#before);
    const { complete, open } = this.#before;
    const hasNeighbour = open > 0 || complete.some((step) => step > 0);
    const isShort = samples.length < SHORT * this.#sampleRate;
    const gain =
      hasNeighbour && isShort ? near(best, await find({ complete: complete.map(() => 0), open: 0 })) : best;
    this.#before = this.#after(await measure(gain), end);
    return gain;
  }

  /** Returns the gain with which the steps in their context have the target loudness. */
  async #search(measure: Measure, inContext: (steps: readonly number[]) => number[]): Promise<number> {
    let gain = 1;
    let loudness = integratedLoudness(inContext(await measure(gain)));
    let effect = 1;
    for (let round = 0; round < ROUNDS; round += 1) {
      const missing = this.#target - loudness;
      if (!Number.isFinite(missing) || Math.abs(missing) < TOLERANCE) break;
      const change = Math.min(missing / effect, MAX_CHANGE);
      gain = Math.min(MAX_GAIN, gain * 10 ** (change / 20));
      const after = integratedLoudness(inContext(await measure(gain)));
      effect = Math.min(1, Math.max(LEAST_EFFECT, (after - loudness) / change));
      loudness = after;
    }
    return gain;
  }

  /** Continues the output with silence. */
  pause(position: number, samples: number): void {
    const length = stepLength(this.#sampleRate);
    const count = Math.ceil(((position % length) + samples) / length);
    this.#before = this.#after(silence(count), (position % length) + samples);
  }

  /** Returns a function that measures the samples with a gain. Below the ceiling of the limiter, the steps are proportional. */
  async #measuring(samples: Float32Array, offset: number, signal?: AbortSignal): Promise<Measure> {
    const steps = await stepsOf(samples, this.#sampleRate, offset, signal);
    const peak = samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    return async (gain) => {
      if (peak * gain <= this.#ceiling) return steps.map((step) => step * gain * gain);
      const limiter = startLimiter(this.#sampleRate, this.#ceiling);
      const louder = await limited(samples, gain, limiter, signal);
      return stepsOf(louder, this.#sampleRate, offset, signal);
    };
  }

  /** Returns the steps of the piece and of its neighbours. An incomplete last step counts only if silence follows. */
  #inContext(steps: readonly number[], before: Before, end: number, pause: number): number[] {
    const length = stepLength(this.#sampleRate);
    const complete = Math.floor((end + pause) / length);
    const all = [...joinedSteps(before, steps), ...silence(STEPS - 1)];
    const count = Math.min(Math.max(1, complete), steps.length + STEPS - 1);
    return all.slice(0, before.complete.length + count);
  }

  #after(steps: readonly number[], end: number): Before {
    const all = joinedSteps(this.#before, steps);
    const isComplete = end % stepLength(this.#sampleRate) === 0;
    const open = isComplete ? 0 : (all.pop() ?? 0);
    return { complete: all.slice(1 - STEPS), open };
  }
}

function joinedSteps({ complete, open }: Before, [first = 0, ...rest]: readonly number[]): number[] {
  return [...complete, open + first, ...rest];
}

const near = (gain: number, alone: number): number =>
  Math.min(alone * MAX_EFFECT_OF_NEIGHBOURS, Math.max(alone / MAX_EFFECT_OF_NEIGHBOURS, gain));

const silence = (steps: number): number[] => Array.from({ length: steps }, () => 0);

async function limited(
  samples: Float32Array,
  gain: number,
  limiter: PeakLimiter,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const push = (slice: Float32Array) => limiter.push(slice.map((sample) => sample * gain));
  const parts = await inSlices(samples, push, signal);
  return joined([...parts, limiter.end()]);
}

/**
 * Measures a sound in steps of the output.
 * @param offset samples of the first step that precede the sound
 */
async function stepsOf(
  samples: Float32Array,
  sampleRate: number,
  offset: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const meter = startStepMeter(sampleRate, offset);
  await inSlices(samples, meter.push, signal);
  return meter.steps();
}
