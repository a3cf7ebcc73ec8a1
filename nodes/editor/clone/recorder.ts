/** Records a sample from the microphone as a mono WAV file. */

/** Maximum length in seconds: 1.5 MB. A longer sample does not improve a custom voice. */
export const MAX_SECONDS = 30;
const SAMPLE_RATE = 24_000;
/** Bytes of the WAV header. */
const HEADER = 44;

export interface Recording {
  stop(): void;
  /** The WAV file. Settles after the microphone is released. */
  finished: Promise<Blob>;
}

/** Starts a recording. @throws Error without a microphone, or without the permission to use it */
export async function startRecording(): Promise<Recording> {
  // The signal processing for calls would change the sound of the voice.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  const recorder = new MediaRecorder(stream);
  const stop = () => recorder.state === 'recording' && recorder.stop();
  const timer = setTimeout(stop, MAX_SECONDS * 1000);
  const finished = recorded(recorder)
    .finally(() => {
      clearTimeout(timer);
      for (const track of stream.getTracks()) track.stop();
    })
    .then(toWav);
  recorder.start();
  return { stop, finished };
}

function recorded(recorder: MediaRecorder): Promise<Blob> {
  const pieces: Blob[] = [];
  return new Promise((resolve, reject) => {
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: recorder.mimeType })));
    recorder.addEventListener('error', () => reject(new Error('recording failed')));
  });
}

/** Services accept WAV and MP3, but browsers record other formats. */
async function toWav(recording: Blob): Promise<Blob> {
  // The decoder converts the audio to the sample rate of its context.
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const sound = await context.decodeAudioData(await recording.arrayBuffer());
  return new Blob([wavOf(sound.getChannelData(0))], { type: 'audio/wav' });
}

/** Encodes samples from -1 to 1 with 16-bit PCM. */
function wavOf(samples: Float32Array): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(HEADER + 2 * samples.length));
  const text = (at: number, word: string) =>
    Array.from(word, (letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); // Size of the chunk.
  view.setUint16(20, 1, true); // PCM.
  view.setUint16(22, 1, true); // Channels.
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true); // Bytes per second.
  view.setUint16(32, 2, true); // Bytes per frame.
  view.setUint16(34, 16, true); // Bits per sample.
  text(36, 'data');
  view.setUint32(40, view.byteLength - HEADER, true);
  samples.forEach((sample, index) => {
    const level = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER + 2 * index, Math.round(level * 32_767), true);
  });
  return view.buffer;
}
