import { mp3InfoFrame, readMp3Frame } from '@herald-speech/client/audio';

/** The encoder inside wasm-media-encoders. Players ignore delay and padding under an unknown name. */
const ENCODER = 'LAME3.100';
/** Samples of silence that the encoder adds at the start, and the minimum that it adds at the end. */
const DELAY = 576;

/**
 * Creates the info frame of an MP3. It declares the silence that the encoder added at both ends, so that players skip it and
 * the playing time equals the duration of the speech.
 * @param audio frames of a constant bit rate. Without `seconds`, the first frame is sufficient.
 * @param seconds duration of the speech in `audio`. Omit it for a stream: the frame then declares only the silence at the
 *   start.
 */
export function speechInfoFrame(audio: Uint8Array, seconds?: number): Uint8Array {
  const first = readMp3Frame(audio, 0);
  if (first === undefined) return new Uint8Array();
  const lengths = seconds === undefined ? [] : [...frameLengths(audio)];
  const added = lengths.length * first.samples - Math.round((seconds ?? 0) * first.sampleRate);
  const gapless = { encoder: ENCODER, delay: DELAY, padding: Math.max(DELAY, added - DELAY) };
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  return mp3InfoFrame({ first, frames: lengths.length, constantBitrate: true, gapless, bytes, lengths });
}

function* frameLengths(audio: Uint8Array): Generator<number> {
  for (let at = 0, frame = readMp3Frame(audio, at); frame; frame = readMp3Frame(audio, at)) {
    yield frame.length;
    at += frame.length;
  }
}
