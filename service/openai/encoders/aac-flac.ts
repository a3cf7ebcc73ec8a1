import { AAC_SOUND, id3Mark, id3Proof, readFlac, Signing } from '@herald-speech/client/audio';
import { Semaphore } from '../../kit/semaphore.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import type { Encode } from './encode.js';
import { encodeTo, type Mediabunny, type EncodedTrack } from './container.js';
import { endStarted, Spare } from './spare.js';
import { ThreadEncoder } from './thread-encoder.js';

/** Bits per second of AAC, sufficient for one voice. */
const BITRATE = 64_000;

/** Maximum number of replies that are encoded at a time. Each has a thread. One more thread for each format waits for a reply. */
export const MAX_ENCODER_THREADS = 8;

const threads = new Semaphore(MAX_ENCODER_THREADS);

const aacEncoders = new Spare(async () => {
  const media = await import('mediabunny');
  const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
  registerAacEncoder();
  return ThreadEncoder.start(media, { codec: 'aac', bitrate: BITRATE });
});

const flacEncoders = new Spare(async () => {
  const media = await import('mediabunny');
  const { registerFlacEncoder } = await import('@mediabunny/flac-encoder');
  registerFlacEncoder();
  return ThreadEncoder.start(media, { codec: 'flac' });
});

/**
 * Waits for a free thread. A caller that hangs up while it waits leaves when its turn comes. At the end of the reply, starts a
 * thread for the next one.
 */
const inThread = (encode: Encode, encoders: Spare<ThreadEncoder>): Encode =>
  async function* (pieces, options) {
    await threads.take();
    try {
      // A caller that hung up needs no thread: its pieces fail at once.
      if (options.signal?.aborted === true) for await (const _ of pieces) return;
      yield* encode(pieces, options);
    } finally {
      threads.leave();
      encoders.prepare(options.closing);
    }
  };

const encodeAdts = encodeTo({
  formatOf: ({ AdtsOutputFormat }) => new AdtsOutputFormat(),
  track: async (media) => threadTrack(media, 'aac', aacEncoders),
});

/**
 * Yields AAC-LC in ADTS frames. The mark is an ID3 tag at the start, as in an MP3. The signature of a stream follows the audio in a tag
 * of its own, as HTTP Live Streaming has tags between frames.
 */
export const encodeAsAac = inThread(async function* (pieces, options) {
  const { mark, isWhole } = options;
  const signing = mark && new Signing(mark, AAC_SOUND);
  let isFirst = true;
  for await (const part of encodeAdts(pieces, options)) {
    signing?.add(part);
    if (isFirst && mark !== undefined) yield id3Mark(mark, isWhole ? signing?.proof() : undefined);
    isFirst = false;
    yield part;
  }
  const proof = isWhole || isFirst ? undefined : signing?.proof();
  if (proof !== undefined) yield id3Proof(proof);
}, aacEncoders);

/** Yields FLAC with 16 bits. A stream does not state its length. */
export const encodeAsFlac = inThread(
  encodeTo({
    formatOf: ({ FlacOutputFormat }, isWhole) => new FlacOutputFormat({ appendOnly: !isWhole }),
    track: async (media) => threadTrack(media, 'flac', flacEncoders),
    read: readFlac,
  }),
  flacEncoders,
);

/** A new thread starts during the synthesis of the first piece. */
function threadTrack(media: Mediabunny, codec: 'aac' | 'flac', encoders: Spare<ThreadEncoder>): EncodedTrack {
  const source = new media.EncodedAudioPacketSource(codec);
  const encode = async (pieces: AsyncIterable<SynthesizedAudio>) => {
    const started = encoders.take();
    started.catch(() => undefined); // Awaited below.
    try {
      for await (const piece of pieces) await (await started).encode(piece, source);
      await (await started).finish(source);
    } finally {
      await endStarted(started);
    }
  };
  return { source, encode };
}
