import { mp3InfoFrame, readMp3Frame } from '@herald-speech/client/audio';

/** LAME, which wasm-media-encoders has inside: players trust the numbers under its name alone. */
const ENCODER = 'LAME3.100';
/** Samples of silence that it puts in front, and at least puts behind. */
const DELAY = 576;

/**
 * The frame in front of an MP3 that tells players how many samples are not of the speech, so that they play it as long as
 * it is: what the encoder puts in front, and behind up to the end of the last frame.
 * @param audio frames of one constant bit rate; the first of them do where `seconds` is left out
 * @param seconds of speech in `audio`; left out while it is still being made, and then the silence in front alone is told
 */
export function mp3Header(audio: Uint8Array, seconds?: number): Uint8Array {
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
