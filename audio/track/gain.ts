import { ceilingBelow, startLimiter } from '@herald-speech/client/audio';
import type { Dressing } from '../dressing/dressing.js';
import { LoudnessTarget, type Surroundings } from '../loudness/level.js';
import { inSlices } from '../sound/slices.js';
import { joined } from '../sound/sound.js';
import { type Edge, edgeOf, smoothStart } from './seams.js';

/** Sets the level of a continuous signal piece by piece. The output may be delayed; `end` returns the rest. */
export interface Gain {
  push(samples: Float32Array, around: Surroundings, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * Ends the signal before a pause, or before sound of another sample rate.
   * @param tail the last samples, with the gain of the last piece
   */
  end(tail: Float32Array, around: Surroundings): Float32Array;
}

/** The signal that a gain produces. */
export interface Signal {
  /** Hertz. */
  sampleRate: number;
  /** Equal channels: two are 3 LU louder than one (ITU-R BS.1770). */
  channels: number;
  /** dB by which the decoded audio may exceed the samples before the encoder. */
  headroom: number;
}

/** Returns the dressing that gives one channel of a signal a loudness in LUFS. */
export const levelled = (
  level: number,
  { channels }: Pick<Signal, 'channels'>,
): Pick<Dressing, 'loudness'> => ({
  loudness: level + 10 * Math.log10(channels),
});

export function startGain(
  { volume, loudness }: Pick<Dressing, 'volume' | 'loudness'>,
  { sampleRate, channels, headroom }: Signal,
): Gain {
  const factor = volume / 100;
  const ceiling = ceilingBelow(headroom);
  if (loudness !== undefined) {
    const target = new LoudnessTarget(sampleRate, loudness - 10 * Math.log10(channels), ceiling);
    return new VariableGain(sampleRate, factor, ceiling, target);
  }
  if (factor > 1) return new VariableGain(sampleRate, factor, ceiling);
  const scaled = (samples: Float32Array) =>
    factor === 1 ? samples : samples.map((sample) => sample * factor);
  return { push: async (samples) => scaled(samples), end: scaled };
}

/** Changes the gain at each piece, and limits peaks. */
class VariableGain implements Gain {
  readonly #sampleRate: number;
  readonly #volume: number;
  readonly #target: LoudnessTarget | undefined;
  readonly #ceiling: number;
  #limiter;
  #gain = 1;
  /** The end of the previous piece. */
  #edge: Edge | undefined;

  constructor(sampleRate: number, volume: number, ceiling: number, target?: LoudnessTarget) {
    this.#sampleRate = sampleRate;
    this.#ceiling = ceiling;
    this.#volume = volume;
    this.#target = target;
    this.#limiter = startLimiter(sampleRate, ceiling);
  }

  async push(samples: Float32Array, around: Surroundings, signal?: AbortSignal): Promise<Float32Array> {
    const gain = this.#volume * ((await this.#target?.gainOf(samples, around, signal)) ?? 1);
    const scaled = samples.map((sample) => sample * gain);
    const louder = this.#edge === undefined ? scaled : smoothStart(scaled, this.#edge, this.#sampleRate);
    this.#gain = gain;
    if (louder.length > 0) this.#edge = edgeOf(louder);
    return joined(await inSlices(louder, this.#limiter.push, signal));
  }

  end(tail: Float32Array, { position, pause }: Surroundings): Float32Array {
    const louder = tail.map((sample) => sample * this.#gain);
    const limited = this.#limiter.push(louder);
    const rest = this.#limiter.end();
    this.#limiter = startLimiter(this.#sampleRate, this.#ceiling);
    if (pause > 0) this.#edge = undefined;
    else if (louder.length > 0) this.#edge = edgeOf(louder);
    this.#target?.pause(position, pause);
    return joined([limited, rest]);
  }
}
