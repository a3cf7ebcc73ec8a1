import { sniffAudio } from '@herald-speech/client/audio';
import { decodeMp3 } from './mp3.js';
import { melodySpread, syllableRate } from './manner.js';
import { medianPitch, trackPitch } from './pitch.js';
import { normalize, peakOf } from './samples.js';
import { decodeWav, type Sound } from './wav.js';

/** What a clone sample tells about the voice in it. */
export interface SampleFacts {
  /** Seconds in which something is to be heard. */
  seconds: number;
  /** Median pitch in Hz, or null where nothing in it has a pitch. */
  pitch: number | null;
  /** How lively the melody is, in semitones, or null likewise. */
  spread: number | null;
  /** Syllables a second, about. */
  rate: number;
}

/** Why a sample can't be used: the caller's fault. */
export class SampleError extends Error {
  override readonly name = 'SampleError';
}

/** A minute shows the pitch of a voice; more only takes time. */
const MAX_SECONDS = 60;
const MIN_SECONDS = 1;
/** About -50 dBFS: below it a file holds nothing but noise. */
const SILENCE = 0.003;
/** RMS of a frame that is to be heard, of a sample whose peak is at -3 dBFS. */
const AUDIBLE = 0.01;
const FRAME_SECONDS = 0.02;

/**
 * Listens to a sample that `inspectAudio` found whole.
 * @throws SampleError when it is silent, holds under a second of sound, or can't be read
 */
export async function analyseSample(file: Uint8Array): Promise<SampleFacts> {
  const sound = await decodeSample(file);
  if (peakOf(sound.samples) < SILENCE) throw new SampleError('the sample is silent');
  const samples = normalize(sound.samples);
  const seconds = audibleSeconds(samples, sound.sampleRate);
  if (seconds < MIN_SECONDS) {
    throw new SampleError(
      `${seconds.toFixed(1)} s of sound are too short, at least ${MIN_SECONDS} s is needed`,
    );
  }
  const track = trackPitch(samples, sound.sampleRate);
  return {
    seconds,
    pitch: medianPitch(track) ?? null,
    spread: melodySpread(track) ?? null,
    rate: syllableRate(samples, sound.sampleRate),
  };
}

/**
 * The sound in a WAV or MP3 file, mono, a minute of it at most.
 * @throws SampleError when it can't be read
 */
export async function decodeSample(file: Uint8Array): Promise<Sound> {
  const sound =
    sniffAudio(file) === 'mp3' ? await decodeMp3(file, MAX_SECONDS) : decodeWav(file, MAX_SECONDS);
  if (sound === undefined || sound.samples.length === 0) {
    throw new SampleError('this kind of WAV or MP3 is not read: use 16-bit PCM');
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
