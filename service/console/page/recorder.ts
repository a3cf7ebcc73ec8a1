/** Records from the microphone. */
import { encodeWav } from './wav.js';

/** Seconds after which a recording ends by itself: more does not make a better clone. */
export const MAX_SECONDS = 30;
/** Hz. All of a voice, and half a minute in 1.5 MB. */
const SAMPLE_RATE = 24_000;
/** Samples that the meter looks at: more than come in between two looks, so that no peak is missed. */
const METER_SAMPLES = 8192;

export interface Recording {
  stop(): void;
  /** How loud it is now, 0 to 1. */
  level(): number;
  /** What was recorded, in the browser's own format; settles once the microphone is free again. */
  finished: Promise<Blob>;
}

/** Starts to record. @throws when there is no microphone, or it may not be used */
export async function startRecording(): Promise<Recording> {
  if (navigator.mediaDevices === undefined) {
    throw new Error('This browser records on https or on the machine itself alone. Choose a file instead.');
  }
  // Processing made for calls would become part of the voice.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((cause: unknown) => {
    throw new Error('The microphone is not there, or may not be used.', { cause });
  });
  const recorder = new MediaRecorder(stream);
  const meter = meterOf(stream);
  const late = setTimeout(() => recorder.stop(), MAX_SECONDS * 1000);
  const finished = collect(recorder).finally(() => {
    clearTimeout(late);
    meter.close();
    for (const track of stream.getTracks()) track.stop();
  });
  recorder.start();
  return { stop: () => recorder.state === 'recording' && recorder.stop(), level: meter.level, finished };
}

function collect(recorder: MediaRecorder): Promise<Blob> {
  const pieces: Blob[] = [];
  return new Promise((resolve, reject) => {
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: recorder.mimeType })));
    recorder.addEventListener('error', () => reject(new Error('The recording failed.')));
  });
}

function meterOf(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = METER_SAMPLES;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
    },
    close: () => void context.close(),
  };
}

/** A recording as a WAV file of one channel, and its length in seconds. */
export async function toWav(recorded: Blob): Promise<{ file: File; seconds: number }> {
  // Decoding brings the sound to the rate of its context.
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const sound = await context.decodeAudioData(await recorded.arrayBuffer());
  const file = new File([encodeWav(mixed(sound), SAMPLE_RATE)], 'recording.wav', { type: 'audio/wav' });
  return { file, seconds: sound.duration };
}

function mixed(sound: AudioBuffer): Float32Array {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  return Float32Array.from(
    { length: sound.length },
    (_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length,
  );
}
