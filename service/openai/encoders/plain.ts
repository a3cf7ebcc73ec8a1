import { id3Mark, wavMark } from '@herald-speech/client/audio';
import { speechInfoFrame } from '../../kit/audio/mp3-header.js';
import { speechHeader } from '../../kit/audio/wav.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import type { Encode } from './encode.js';

/** Yields the samples without a header. */
export const encodeAsPcm: Encode = async function* (pieces) {
  for await (const { audio } of pieces) yield audio;
};

/** Yields a WAV. The length in the header of a stream means "until the end". */
export const encodeAsWav: Encode = (pieces, { isWhole, mark }) => {
  const chunk = mark && wavMark(mark);
  if (!isWhole)
    return streamed(pieces, ({ sampleRate }) => speechHeader(sampleRate, undefined, { before: chunk }));
  return whole(pieces, (audio, { sampleRate }) => [
    speechHeader(sampleRate, audio.length, { after: chunk?.length ?? 0 }),
    audio,
    ...(chunk === undefined ? [] : [chunk]),
  ]);
};

/** Yields an MP3. The workers have encoded its pieces. */
export const encodeAsMp3: Encode = (pieces, { isWhole, mark }) => {
  const tag = mark === undefined ? Buffer.alloc(0) : id3Mark(mark);
  return isWhole
    ? whole(pieces, (audio, { seconds }) => [tag, speechInfoFrame(audio, seconds), audio])
    : streamed(pieces, ({ audio }) => Buffer.concat([tag, speechInfoFrame(audio)]));
};

async function* streamed(
  pieces: AsyncIterable<SynthesizedAudio>,
  headerOf: (first: SynthesizedAudio) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? Buffer.concat([headerOf(piece), piece.audio]) : piece.audio;
    isFirst = false;
  }
}

async function* whole(
  pieces: AsyncIterable<SynthesizedAudio>,
  partsOf: (audio: Uint8Array, speech: { seconds: number; sampleRate: number }) => Uint8Array[],
): AsyncGenerator<Uint8Array> {
  const spoken: SynthesizedAudio[] = [];
  for await (const piece of pieces) spoken.push(piece);
  const [first] = spoken;
  if (first === undefined) return;
  const audio = Buffer.concat(spoken.map((piece) => piece.audio));
  const seconds = spoken.reduce((sum, piece) => sum + piece.seconds, 0);
  yield* partsOf(audio, { seconds, sampleRate: first.sampleRate });
}
