import { AAC_SOUND, id3Mark, id3Proof, readFlac, Signing } from '@herald-speech/client/audio';
import { Semaphore } from '../../kit/semaphore.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import type { Encode, EncodeOptions } from './encode.js';
import { encodeTo, type Mediabunny, type EncodedTrack } from './container.js';
import { Spare } from './spare.js';
import { ThreadEncoder, type WarmUp } from './thread-encoder.js';

/** Bits per second of AAC, sufficient for one voice. */
const BITRATE = 64_000;

/** Maximum number of replies that are encoded at a time. Each has a thread. One more thread for each format waits for a reply. */
export const MAX_ENCODER_THREADS = 8;

/** Samples of an AAC frame. */
const FRAME = 1024;
/** Frames of a sound, and of silence after it. A packet contains two frames, so that two frames of silence separate the sound. */
const WARM_UP = { sound: 3, silence: 2 };

const threads = new Semaphore(MAX_ENCODER_THREADS);

const aacEncoders = new Spare(async () => {
  const media = await import('mediabunny');
  const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
  registerAacEncoder();
  return ThreadEncoder.start(media, { codec: 'aac', bitrate: BITRATE }, aacWarmUp());
});

const flacEncoders = new Spare(async () => {
  const media = await import('mediabunny');
  const { registerFlacEncoder } = await import('@mediabunny/flac-encoder');
  registerFlacEncoder();
  return ThreadEncoder.start(media, { codec: 'flac' });
});

/**
 * Returns a sound for the start of a thread. The first frames of a sound take 15 to 30 ms, because WebAssembly compiles its functions on
 * first use. The last frame of silence precedes the speech, as the first one does in every file of AAC.
 */
function aacWarmUp(): WarmUp {
  const samples = new Int16Array((WARM_UP.sound + WARM_UP.silence) * FRAME);
  for (let index = 0; index < WARM_UP.sound * FRAME; index++)
    samples[index] = LOUD * Math.sin(index / 8) * Math.sin(index / 500);
  return { samples, packets: WARM_UP.sound + WARM_UP.silence };
}

/** Amplitude of the sound, of at most 32,767. */
const LOUD = 10_000;

/** Waits for a free thread. @throws the reason of the signal, if the caller hangs up in the meantime */
async function takeEncoder(encoders: Spare<ThreadEncoder>, signal: AbortSignal | undefined) {
  await threads.take(signal);
  try {
    return await encoders.take();
  } catch (error) {
    threads.leave();
    throw error;
  }
}

const encodeAdts = encodeTo({
  formatOf: ({ AdtsOutputFormat }) => new AdtsOutputFormat(),
  track: async (media, options) => threadTrack(media, 'aac', aacEncoders, options),
});

/**
 * Yields AAC-LC in ADTS frames. The mark is an ID3 tag at the start, as in an MP3. The signature of a stream follows the audio in a tag
 * of its own, as HTTP Live Streaming has tags between frames.
 */
export const encodeAsAac: Encode = async function* (pieces, options) {
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
};

/** Yields FLAC with 16 bits. A stream does not state its length. */
export const encodeAsFlac = encodeTo({
  formatOf: ({ FlacOutputFormat }, isWhole) => new FlacOutputFormat({ appendOnly: !isWhole }),
  track: async (media, options) => threadTrack(media, 'flac', flacEncoders, options),
  read: readFlac,
});

/**
 * Takes a thread when the first piece arrives, so that a caller who hangs up before it costs none. At the end of the reply, starts
 * the thread of the next one.
 */
function threadTrack(
  media: Mediabunny,
  codec: 'aac' | 'flac',
  encoders: Spare<ThreadEncoder>,
  { signal, closing }: EncodeOptions,
): EncodedTrack {
  const source = new media.EncodedAudioPacketSource(codec);
  const encode = async (pieces: AsyncIterable<SynthesizedAudio>) => {
    let encoder: ThreadEncoder | undefined;
    try {
      for await (const piece of pieces) {
        encoder ??= await takeEncoder(encoders, signal);
        await encoder.encode(piece, source);
      }
      await encoder?.finish(source);
    } finally {
      if (encoder !== undefined) {
        threads.leave();
        encoders.prepare(closing);
        await encoder.end();
      }
    }
  };
  return { source, encode };
}
