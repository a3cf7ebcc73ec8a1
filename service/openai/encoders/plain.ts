import { type SpeechContainer, speechFile, SpeechStream } from '../../kit/audio/speech-file.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import type { Encode, EncodeOptions } from './encode.js';

/** Yields the samples without a header. */
export const encodeAsPcm: Encode = async function* (pieces) {
  for await (const { audio } of pieces) yield audio;
};

const encodeAs =
  (container: SpeechContainer): Encode =>
  (pieces, options) =>
    options.isWhole ? whole(container, pieces, options) : streamed(container, pieces, options);

/** Yields a WAV. The length in the header of a stream means "until the end". */
export const encodeAsWav = encodeAs('wav');

/** Yields an MP3. The workers have encoded its pieces. */
export const encodeAsMp3 = encodeAs('mp3');

async function* streamed(
  container: SpeechContainer,
  pieces: AsyncIterable<SynthesizedAudio>,
  { mark }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const stream = new SpeechStream(container, mark);
  for await (const piece of pieces) yield stream.add(piece);
  yield stream.end();
}

async function* whole(
  container: SpeechContainer,
  pieces: AsyncIterable<SynthesizedAudio>,
  { mark }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const spoken: SynthesizedAudio[] = [];
  for await (const piece of pieces) spoken.push(piece);
  const [first] = spoken;
  if (first === undefined) return;
  const audio = Buffer.concat(spoken.map((piece) => piece.audio));
  const seconds = spoken.reduce((sum, piece) => sum + piece.seconds, 0);
  yield* speechFile(container, { audio, seconds, sampleRate: first.sampleRate }, mark);
}
