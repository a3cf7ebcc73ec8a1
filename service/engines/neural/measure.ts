import type { InstalledVoice } from '../../natural/installed-voice.js';
import type { Measurement } from './measurements.js';

/** Progress of a measurement: sentences done, and sentences in total. */
export type OnMeasured = (done: number, total: number) => void;

/**
 * Measures the speed, the memory and the pace of a voice on this machine, in a minute at most.
 * @throws the reason of the signal; Error if the voice cannot speak
 */
export function measureVoice(
  voice: InstalledVoice,
  signal: AbortSignal,
  onProgress?: OnMeasured,
): Promise<Measurement> {
  void onProgress;
  signal.throwIfAborted();
  return Promise.reject(new Error(`voice "${voice.name}" cannot be measured yet`));
}
