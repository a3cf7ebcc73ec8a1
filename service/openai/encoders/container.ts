import {
  markFields,
  proofFields,
  proofFor,
  type readFlac,
  type readOpus,
  replaceComment,
  type SignedMark,
} from '@herald-speech/client/audio';
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
  /** Reads a file of the container whose Vorbis comments contain the mark. Undefined for a container without comments. */
  read?: typeof readFlac | typeof readOpus;
}

/** Returns an encoder that writes to a container of mediabunny. */
export function encodeTo({ formatOf, track, read }: Container): Encode {
  return async function* (pieces, options) {
    const { isWhole, mark } = options;
    const media = await import('mediabunny');
    const { source, encode } = await track(media, options);
    const write = async (output: Output) => {
      output.addAudioTrack(source);
      if (read !== undefined) output.setMetadataTags({ raw: commentsOf(mark, isWhole) });
      await output.start();
      await encode(pieces);
      await output.finalize();
    };
    const format = formatOf(media, isWhole);
    if (!isWhole) return yield* streamedFile(media, format, write);
    for await (const file of wholeFile(media, format, write)) yield signed(file, mark, read);
  };
}

/**
 * Returns the mark as Vorbis comments, whose names are in upper case by convention. A whole file has a place for the signature. A stream
 * has none: its comments precede the audio.
 */
function commentsOf(mark: SignedMark | undefined, isWhole: boolean): Record<string, string> {
  if (mark === undefined) return {};
  const fields = [...markFields(mark), ...(isWhole ? proofFields(mark.signer?.pending) : [])];
  return Object.fromEntries(fields.map(([name, value]) => [name.toUpperCase(), value]));
}

/** Returns the file with its signature. */
function signed(file: Uint8Array, mark: SignedMark | undefined, read: Container['read']): Uint8Array {
  if (mark?.signer === undefined || read === undefined) return file;
  const { kind, sound } = read(file);
  const proof = proofFor(mark, kind, sound);
  if (proof !== undefined) replaceComment(file, mark.signer.pending.signature, proof.signature);
  return file;
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
