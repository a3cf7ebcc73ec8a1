import { type Mark, markFields } from '@herald-speech/client/audio';
import type * as mediabunny from 'mediabunny';
import type { AudioSource, Output, OutputFormat } from 'mediabunny';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import type { Encode, EncodeOptions } from './encode.js';
import { HandOver } from './hand-over.js';

/** An ES module, which Node.js 20.18 cannot `require`. Loaded for the first reply that needs it. */
export type Mediabunny = typeof mediabunny;

/** A track of a file, which encodes the pieces. */
export interface EncodedTrack {
  source: AudioSource;
  /** Encodes all pieces. Waits while the reader of the file is slow. */
  encode(pieces: AsyncIterable<SynthesizedAudio>): Promise<void>;
}

export interface Container {
  formatOf(media: Mediabunny, isWhole: boolean): OutputFormat;
  track(media: Mediabunny, options: EncodeOptions): Promise<EncodedTrack>;
  /** Whether the container has Vorbis comments, which contain the mark. */
  hasComments: boolean;
}

/** Returns an encoder that writes to a container of mediabunny. */
export function encodeTo({ formatOf, track, hasComments }: Container): Encode {
  return async function* (pieces, options) {
    const { isWhole, mark } = options;
    const media = await import('mediabunny');
    const { source, encode } = await track(media, options);
    const write = async (output: Output) => {
      output.addAudioTrack(source);
      if (hasComments) output.setMetadataTags({ raw: commentsOf(mark) });
      await output.start();
      await encode(pieces);
      await output.finalize();
    };
    const format = formatOf(media, isWhole);
    yield* isWhole ? wholeFile(media, format, write) : streamedFile(media, format, write);
  };
}

/** Returns the mark as Vorbis comments, whose names are in upper case by convention. */
function commentsOf(mark: Mark | undefined): Record<string, string> {
  const fields = mark === undefined ? [] : markFields(mark);
  return Object.fromEntries(fields.map(([name, value]) => [name.toUpperCase(), value]));
}

/** Yields the complete file. Its header may contain data of its end. */
async function* wholeFile(
  media: Mediabunny,
  format: OutputFormat,
  write: (output: Output) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const target = new media.BufferTarget();
  const output = new media.Output({ format, target });
  try {
    await write(output);
  } finally {
    await ended(output);
  }
  if (target.buffer !== null) yield new Uint8Array(target.buffer);
}

/** Yields the file while it grows. A slow reader slows the encoder. */
async function* streamedFile(
  media: Mediabunny,
  format: OutputFormat,
  write: (output: Output) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const file = new HandOver();
  const output = new media.Output({ format, target: new media.StreamTarget(file.writable) });
  const written = write(output).finally(() => file.end());
  written.catch(() => undefined); // Reported below, when the reader has all parts before the failure.
  try {
    yield* file.parts();
    await written;
  } finally {
    file.abandon();
    await ended(output);
    await written.catch(() => undefined);
  }
}

/** Ends the encoder of a file that is not complete. */
export async function ended(output: Output): Promise<void> {
  if (output.state !== 'finalized') await output.cancel();
}
