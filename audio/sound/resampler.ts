import type { Speex } from '@echogarden/speex-resampler-wasm';
import { fitted, joined } from './sound.js';
import { inSlices } from './slices.js';

/** From 0 to 10. Quality 7 attenuates aliases by about 100 dB; a higher quality takes several times as long. */
const QUALITY = 7;
/** Samples per call of the library. */
const BLOCK = 4096;

/** Changes the sample rate of a continuous signal. `end` returns the rest and frees the memory. */
export interface Resampler {
  push(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * Completes the output: `end` and all `push` return as many samples as the input times `to / from`, rounded.
   * @param next the level after the end. Default: the last sample
   */
  end(next?: number): Float32Array;
  /** Frees the memory. */
  free(): void;
}

/**
 * Starts a resampler between two sample rates in hertz.
 * @param before the level before the start. A wrong level makes the filter ring.
 */
export async function startResampler(from: number, to: number, before = 0): Promise<Resampler> {
  if (from === to) return same;
  return new SpeexResampler(await loadSpeex(), from, to, before);
}

const same: Resampler = { push: async (samples) => samples, end: () => new Float32Array(), free: () => {} };

/** Returns the greatest common divisor. */
const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other));

class SpeexResampler implements Resampler {
  readonly #speex: Speex;
  readonly #state: number;
  readonly #memory: number;
  readonly #ratio: number;
  readonly #room: number;
  #last = 0;
  #taken = 0;
  #given = 0;
  /** Samples of the output that precede the first sample of the input. */
  #early = 0;
  #freed = false;

  constructor(speex: Speex, from: number, to: number, before: number) {
    this.#speex = speex;
    this.#ratio = to / from;
    this.#room = Math.ceil(BLOCK * this.#ratio) + 16;
    this.#memory = speex._malloc(8 + 4 * (BLOCK + this.#room));
    this.#state = speex._speex_resampler_init(1, from, to, QUALITY, this.#memory);
    // The output then starts with the first sample of the input, not with the delay of the filter.
    speex._speex_resampler_skip_zeros(this.#state);
    if (before !== 0) this.#lead(before, from / divisorOf(from, to));
  }

  async push(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array> {
    this.#taken += samples.length;
    this.#last = samples.at(-1) ?? this.#last;
    return this.#counted(joined(await inSlices(samples, (slice) => this.#process(slice), signal)));
  }

  end(next = this.#last): Float32Array {
    const latency = this.#speex._speex_resampler_get_input_latency(this.#state);
    const missing = Math.max(0, Math.round(this.#taken * this.#ratio) - this.#given);
    // Rounding may keep some more samples inside the filter.
    const rest = this.#counted(
      this.#process(new Float32Array(latency + Math.ceil(2 / this.#ratio)).fill(next)),
    );
    this.free();
    return fitted(rest, missing);
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#speex._speex_resampler_destroy(this.#state);
    this.#speex._free(this.#memory);
  }

  /**
   * Fills the filter with the level before the start. A whole period keeps the output aligned with the first sample.
   * @param period the shortest input in samples whose output has a whole number of samples
   */
  #lead(before: number, period: number): void {
    const latency = this.#speex._speex_resampler_get_input_latency(this.#state);
    const length = period * Math.ceil((2 * latency) / period);
    this.#early = Math.round(length * this.#ratio);
    this.#counted(this.#process(new Float32Array(length).fill(before)));
  }

  #counted(samples: Float32Array): Float32Array {
    const own = samples.subarray(Math.min(this.#early, samples.length));
    this.#early -= samples.length - own.length;
    this.#given += own.length;
    return own;
  }

  #process(samples: Float32Array): Float32Array {
    const parts: Float32Array[] = [];
    for (let at = 0; at < samples.length;) {
      const { taken, output } = this.#block(samples.subarray(at, at + BLOCK));
      parts.push(output);
      at += taken;
    }
    return joined(parts);
  }

  /** The memory has the two lengths, then the input, then the output. */
  #block(input: Float32Array): { taken: number; output: Float32Array } {
    const { _speex_resampler_process_float: process } = this.#speex;
    const [lengths, from] = [this.#memory / 4, this.#memory + 8];
    const to = from + 4 * BLOCK;
    this.#speex.HEAPF32.set(input, from / 4);
    this.#speex.HEAPU32[lengths] = input.length;
    this.#speex.HEAPU32[lengths + 1] = this.#room;
    process(this.#state, 0, from, this.#memory, to, this.#memory + 4);
    const { HEAPF32, HEAPU32 } = this.#speex;
    const [taken = 0, given = 0] = [HEAPU32[lengths], HEAPU32[lengths + 1]];
    return { taken, output: HEAPF32.slice(to / 4, to / 4 + given) };
  }
}

/**
 * Loads the resampler with the first use. All renderings share one instance: each has a separate state in its memory. The
 * package is an ES module, and Node 20.18 cannot `require` ES modules.
 */
const loadSpeex = loadedOnce(async (): Promise<Speex> => {
  const { default: create } = await import('@echogarden/speex-resampler-wasm');
  return create();
});

/** Returns a function that starts `load` on its first call, and returns the same promise on each call. A failed load is repeated. */
function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
