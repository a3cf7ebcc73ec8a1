import { sniffAudio } from '@herald-speech/client/audio';
import { decodeMp3 } from './mp3.js';
import { pitchRange, syllableRate } from './prosody.js';
import { medianPitch, trackPitch } from './pitch.js';
import { normalize, peakOf } from './samples.js';
import { decodeWavStart, type MonoAudio } from './wav.js';

/** The measured properties of a voice sample. */
export interface SampleFacts {
  /** Seconds of audible sound. */
  seconds: number;
  /** Median pitch in hertz, or null if nothing is voiced. */
  pitch: number | null;
  /** Pitch range in semitones, or null if nothing is voiced. */
  spread: number | null;
  /** Approximate syllables per second. */
  rate: number;
}

/** The sample is unusable. The service reports it as a client error. */
export class SampleError extends Error {
  override readonly name = 'SampleError';
}

/** Hertz. Half the rate of a telephone; pitch and loudness need several samples in each frame. */
const MIN_SAMPLE_RATE = 4000;
/** Only the first minute is analysed. It is sufficient for the pitch. */
const MAX_SECONDS = 60;
const MIN_SECONDS = 1;
/** About -50 dBFS. A file with a lower peak contains only noise. */
const SILENCE = 0.003;
/** Minimum RMS of an audible frame, in a sample with a peak of -3 dBFS. */
const AUDIBLE = 0.01;
const FRAME_SECONDS = 0.02;

/**
 * Measures a sample that `inspectAudio` has accepted.
 * @throws SampleError if the sample is silent, has less than a second of sound or an unsupported encoding
 */
export async function analyseSample(file: Uint8Array): Promise<SampleFacts> {
  const sound = await decodeSample(file);
  if (peakOf(sound.samples) < SILENCE) throw new SampleError('files: the sample is silent. Record it again.');
  const samples = normalize(sound.samples);
  const seconds = audibleSeconds(samples, sound.sampleRate);
  if (seconds < MIN_SECONDS) {
    throw new SampleError(
      `files: ${seconds.toFixed(1)} s of sound is too short. Send at least ${MIN_SECONDS} s.`,
    );
  }
  const track = trackPitch(samples, sound.sampleRate);
  return {
    seconds,
    pitch: medianPitch(track) ?? null,
    spread: pitchRange(track) ?? null,
    rate: syllableRate(samples, sound.sampleRate),
  };
}

/**
 * Decodes a WAV or MP3 file to mono, at most one minute of it.
 * @throws SampleError if the encoding is not supported or the sample rate is too low
 */
export async function decodeSample(file: Uint8Array): Promise<MonoAudio> {
  const sound =
    sniffAudio(file) === 'mp3' ? await decodeMp3(file, MAX_SECONDS) : decodeWavStart(file, MAX_SECONDS);
  if (sound === undefined || sound.samples.length === 0) {
    throw new SampleError('files: this WAV or MP3 encoding is not supported. Use 16-bit PCM.');
  }
  if (sound.sampleRate < MIN_SAMPLE_RATE) {
    const rule = `Send a recording with at least ${MIN_SAMPLE_RATE} Hz.`;
    throw new SampleError(`files: a sample rate of ${sound.sampleRate} Hz is too low. ${rule}`);
  }
  return sound;
}

function audibleSeconds(samples: Float32Array, sampleRate: number): number {
  const length = Math.max(1, Math.round(FRAME_SECONDS * sampleRate));
  let frames = 0;
  for (let at = 0; at + length <= samples.length; at += length) {
    const power = samples.subarray(at, at + length).reduce((sum, sample) => sum + sample * sample, 0);
    if (Math.sqrt(power / length) > AUDIBLE) frames++;
  }
  return (frames * length) / sampleRate;
}
