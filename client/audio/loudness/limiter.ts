import { startPeaks } from './true-peak.js';

/** dBTP: the highest true peak of the decoded audio (EBU R128). */
const HIGHEST_PEAK = -1;

/**
 * Returns the highest true peak of the samples before an encoder, as an amplitude.
 * @param headroom dB by which the decoded audio may exceed the samples
 */
export const ceilingBelow = (headroom: number): number => 10 ** ((HIGHEST_PEAK - headroom) / 20);

/** Seconds in which the gain falls before a peak. */
const ATTACK = 0.005;
/** Seconds in which the gain recovers by 63 %. */
const RELEASE = 0.08;

/** Limits the true peak of a continuous signal. The output is delayed; `end` returns the rest. */
export interface PeakLimiter {
  push(samples: Float32Array): Float32Array;
  end(): Float32Array;
}

/**
 * Starts a limiter with look-ahead. The gain falls before a peak and recovers after it, without steps. Below the ceiling the
 * samples stay the same.
 * @param ceiling the highest true peak, as an amplitude
 */
export function startLimiter(sampleRate: number, ceiling: number): PeakLimiter {
  const peaks = startPeaks(sampleRate);
  const envelope = startEnvelope(sampleRate, ceiling);
  const delay = peaks.delay + envelope.delay;
  let pending = new Float32Array();
  let taken = 0;
  const push = (samples: Float32Array): Float32Array => {
    const gains = envelope.push(peaks.push(samples));
    taken += samples.length;
    // The first values belong to the time before the first sample.
    const skipped = Math.min(gains.length, Math.max(0, delay - (taken - samples.length)));
    const input = concatenated(pending, samples);
    const output = input.slice(0, gains.length - skipped);
    for (let at = 0; at < output.length; at += 1) output[at] = (output[at] ?? 0) * (gains[at + skipped] ?? 1);
    pending = input.slice(output.length);
    return output;
  };
  return { push, end: () => push(new Float32Array(delay)) };
}

function concatenated(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

interface Envelope {
  /** Samples. */
  delay: number;
  push(peaks: Float32Array): Float32Array;
}

/** Turns peaks to gains: the lowest needed gain of the window, with a slow release, averaged over the window. */
function startEnvelope(sampleRate: number, ceiling: number): Envelope {
  const window = Math.max(1, Math.round(ATTACK * sampleRate));
  const recovery = 1 - Math.exp(-1 / (RELEASE * sampleRate));
  const needed = new Float64Array(window).fill(1);
  const smoothed = new Float64Array(window).fill(1);
  let [at, lowest, gain, sum] = [0, 1, 1, window];
  const step = (peak: number): number => {
    const left = needed[at] ?? 1;
    const entered = peak > ceiling ? ceiling / peak : 1;
    needed[at] = entered;
    if (entered <= lowest) lowest = entered;
    else if (left === lowest && lowest < 1) lowest = needed.reduce((low, value) => Math.min(low, value), 1);
    gain = Math.min(lowest, gain + (1 - gain) * recovery);
    if (gain > 0.999_999) gain = 1;
    sum += gain - (smoothed[at] ?? 1);
    smoothed[at] = gain;
    at = (at + 1) % window;
    return gain === 1 && sum > window - 1e-9 ? 1 : sum / window;
  };
  return { delay: window - 1, push: (peaks) => peaks.map(step) };
}
