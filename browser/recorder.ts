/** Records from the microphone, as a mono WAV file. */
import { encodeWav } from './wav.js';

/** Maximum length of a recording in seconds. A longer sample does not improve a custom voice. */
export const MAX_SECONDS = 30;
/** Hertz. Sufficient for speech, with 1.5 MB for 30 seconds. */
const SAMPLE_RATE = 24_000;
/** Samples per reading of the level meter: longer than the time between two readings, so that it includes each peak. */
const METER_SAMPLES = 8192;

/** A recording that is not possible. `insecure`: the browser records only on HTTPS and on its own computer. */
export class RecordingError extends Error {
  constructor(
    readonly reason: 'insecure' | 'no-microphone' | 'failed',
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export interface Recording {
  stop(): void;
  /** Returns the current peak level from 0 to 1. */
  level(): number;
  /**
   * The WAV file and its length in seconds. Settles after the microphone is released.
   * @throws RecordingError
   */
  finished: Promise<{ file: File; seconds: number }>;
}

/** Starts a recording. @throws RecordingError without a microphone or without the permission to use it */
export async function startRecording(): Promise<Recording> {
  if (navigator.mediaDevices === undefined) throw new RecordingError('insecure');
  // The signal processing for calls would change the sound of the voice.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((cause: unknown) => {
    throw new RecordingError('no-microphone', { cause });
  });
  const recorder = new MediaRecorder(stream);
  const stop = () => recorder.state === 'recording' && recorder.stop();
  const timer = setTimeout(stop, MAX_SECONDS * 1000);
  const meter = meterOf(stream);
  const finished = collect(recorder)
    .finally(() => {
      clearTimeout(timer);
      meter.close();
      for (const track of stream.getTracks()) track.stop();
    })
    .then(toWav);
  recorder.start();
  return { stop, level: meter.level, finished };
}

function collect(recorder: MediaRecorder): Promise<Blob> {
  const pieces: Blob[] = [];
  return new Promise((resolve, reject) => {
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: recorder.mimeType })));
    recorder.addEventListener('error', () => reject(new RecordingError('failed')));
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

/** Services accept WAV and MP3, but browsers record other formats. */
async function toWav(recorded: Blob): Promise<{ file: File; seconds: number }> {
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
