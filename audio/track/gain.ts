import type { Dressing } from '../dressing/dressing.js';
import { LoudnessTarget, type Surroundings } from '../loudness/level.js';
import { startLimiter } from '../loudness/limiter.js';
import { inSlices } from '../sound/turns.js';
import { joined } from '../sound/sound.js';

/** Seconds in which the gain changes from one piece to the next. */
const RAMP = 0.02;

/** Sets the level of a continuous signal piece by piece. The output may be delayed; `end` returns the rest. */
export interface Gain {
  push(samples: Float32Array, around: Surroundings, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * Ends the signal before a pause.
   * @param tail the last samples, with the gain of the last piece
   */
  end(tail: Float32Array, around: Surroundings): Float32Array;
}

/** @param channels equal channels of the output: two are 3 LU louder than one (ITU-R BS.1770) */
export function startGain(
  { volume, loudness }: Pick<Dressing, 'volume' | 'loudness'>,
  sampleRate: number,
  channels: number,
): Gain {
  const factor = volume / 100;
  if (loudness !== undefined) {
    const target = new LoudnessTarget(sampleRate, loudness - 10 * Math.log10(channels));
    return new VariableGain(sampleRate, factor, target);
  }
  if (factor > 1) return new VariableGain(sampleRate, factor);
  const scaled = (samples: Float32Array) =>
    factor === 1 ? samples : samples.map((sample) => sample * factor);
  return { push: async (samples) => scaled(samples), end: scaled };
}

/** Changes the gain at each piece, and limits peaks. */
class VariableGain implements Gain {
  readonly #sampleRate: number;
  readonly #volume: number;
  readonly #target: LoudnessTarget | undefined;
  #limiter;
  #before: number | undefined;

  constructor(sampleRate: number, volume: number, target?: LoudnessTarget) {
    this.#sampleRate = sampleRate;
    this.#volume = volume;
    this.#target = target;
    this.#limiter = startLimiter(sampleRate);
  }

  async push(samples: Float32Array, around: Surroundings, signal?: AbortSignal): Promise<Float32Array> {
    const gain = this.#volume * ((await this.#target?.gainOf(samples, around, signal)) ?? 1);
    const before = this.#before ?? gain;
    this.#before = gain;
    const ramp = Math.round(RAMP * this.#sampleRate);
    const louder = samples.map(
      (sample, at) => sample * (gain + (before - gain) * Math.max(0, 1 - at / ramp)),
    );
    return joined(await inSlices(louder, this.#limiter.push, signal));
  }

  end(tail: Float32Array, { position, pause }: Surroundings): Float32Array {
    const gain = this.#before ?? 1;
    const limited = this.#limiter.push(tail.map((sample) => sample * gain));
    const rest = this.#limiter.end();
    this.#limiter = startLimiter(this.#sampleRate);
    this.#before = undefined;
    this.#target?.pause(position, pause);
    return joined([limited, rest]);
  }
}
