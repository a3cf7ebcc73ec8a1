/** Records from the microphone. */
import { encodeWav } from './wav.js';

/** Maximum length of a recording in seconds. A longer sample does not improve a custom voice. */
export const MAX_SECONDS = 30;
/** Hertz. Sufficient for speech, with 1.5 MB for 30 seconds. */
const SAMPLE_RATE = 24_000;
/** Samples per reading of the level meter: longer than the time between two readings, so that it includes each peak. */
const METER_SAMPLES = 8192;

export interface Recording {
  stop(): void;
  /** Returns the current peak level from 0 to 1. */
  level(): number;
  /** The recording in a format of the browser. Settles after the microphone is released. */
  finished: Promise<Blob>;
}

/** Starts a recording. @throws Error without a microphone or without the permission to use it */
export async function startRecording(): Promise<Recording> {
  if (navigator.mediaDevices === undefined) {
    throw new Error(
      'The browser records only on HTTPS or on the computer of the service. Choose a file instead.',
    );
  }
  // The signal processing for calls would change the sound of the voice.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((cause: unknown) => {
    throw new Error('No access to a microphone. Connect one and allow its use, or choose a file.', { cause });
  });
  const recorder = new MediaRecorder(stream);
  const meter = meterOf(stream);
  const timer = setTimeout(() => recorder.stop(), MAX_SECONDS * 1000);
  const finished = collect(recorder).finally(() => {
    clearTimeout(timer);
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
    recorder.addEventListener('error', () => reject(new Error('The recording failed. Record again.')));
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

/** Converts a recording to a mono WAV file. Also returns its length in seconds. */
export async function toWav(recorded: Blob): Promise<{ file: File; seconds: number }> {
  // The decoder converts the audio to the sample rate of its context.
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
