import { integratedLoudness, type ParsedAudio, startStepMeter } from '@herald-speech/client/audio';
import { decode } from '../sound/decode.js';
import { inSlices } from '../sound/slices.js';

/** Seconds of speech that decide the loudness of a speaker. */
const MEASURED = 10;

/**
 * Finds the loudness of pieces whose speakers differ: all others get the loudness of the first speaker. Keeps the last pieces of the first
 * speaker, about `MEASURED` seconds.
 */
export class OneLoudness {
  #first: string | undefined;
  #recent: ParsedAudio[] = [];
  /** LUFS of one channel. */
  #target: number | undefined;

  /**
   * Returns the loudness that a piece must get, in LUFS of one channel. Undefined if the piece stays as it is: a piece of the first
   * speaker.
   */
  async levelOf(speaker: string, audio: ParsedAudio, signal?: AbortSignal): Promise<number | undefined> {
    this.#first ??= speaker;
    if (speaker !== this.#first) {
      this.#target ??= await loudnessOf(this.#recent, signal);
      if (Number.isFinite(this.#target)) return this.#target;
      // The first speaker was silent, so the next one counts as the first.
      this.#first = speaker;
      this.#recent = [];
      this.#target = undefined;
    }
    if (this.#target === undefined) this.#keep(audio);
    else this.#recent = [];
    return undefined;
  }

  #keep(audio: ParsedAudio): void {
    this.#recent.push(audio);
    const seconds = (pieces: readonly ParsedAudio[]) =>
      pieces.reduce((sum, piece) => sum + secondsOf(piece), 0);
    while (seconds(this.#recent.slice(1)) >= MEASURED) this.#recent.shift();
  }
}

const secondsOf = (audio: ParsedAudio): number =>
  audio.format === 'wav' ? audio.wav.seconds : audio.mp3.seconds;

async function loudnessOf(pieces: readonly ParsedAudio[], signal?: AbortSignal): Promise<number> {
  const steps: number[] = [];
  for (const piece of pieces) {
    const { samples, sampleRate } = await decode(piece, signal);
    const meter = startStepMeter(sampleRate);
    await inSlices(samples, meter.push, signal);
    steps.push(...meter.steps());
  }
  return integratedLoudness(steps);
}
