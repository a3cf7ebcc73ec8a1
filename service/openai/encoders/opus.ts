import { setImmediate as pause } from 'node:timers/promises';
import { readOpus } from '@herald-speech/client/audio';
import type { OpusEncoderHandle } from 'libopus-wasm';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import { encodeTo, type Mediabunny, type EncodedTrack } from './container.js';
import { SPEECH_RATE } from './sample-rate.js';
import { toSamples } from './samples-of.js';

/** Samples of a packet: 20 ms. */
const FRAME = SPEECH_RATE / 50;
/** Bits per second, transparent for one voice. */
const BITRATE = 32_000;
/** Of 0 to 10. Level 5 encodes about 100 seconds per second, level 10 a third of this. */
const COMPLEXITY = 5;
/** Packets between two pauses for other requests: about 3 ms of computation. */
const PACKETS_AT_ONCE = 15;
/** Seconds of an Ogg page of a stream. */
const PAGE = 0.1;
/** Hertz of all times of Ogg Opus (RFC 7845, section 4). */
const OPUS_CLOCK = 48_000;

/** Yields Ogg Opus (RFC 7845). */
export const encodeAsOpus = encodeTo({
  formatOf: ({ OggOutputFormat }, isWhole) =>
    new OggOutputFormat(isWhole ? {} : { maximumPageDuration: PAGE }),
  track: opusTrack,
  read: readOpus,
});

async function opusTrack(media: Mediabunny): Promise<EncodedTrack> {
  const { Application, createEncoder, Signal } = await import('libopus-wasm');
  const source = new media.EncodedAudioPacketSource('opus');
  const encode = async (pieces: AsyncIterable<SynthesizedAudio>) => {
    const encoder = await createEncoder({
      application: Application.Audio,
      signal: Signal.Voice,
      channels: 1,
      sampleRate: SPEECH_RATE,
      bitrate: BITRATE,
      complexity: COMPLEXITY,
    });
    try {
      await addPackets(media, source, encoder, pieces);
    } finally {
      encoder.free();
    }
  };
  return { source, encode };
}

/** Adds the packets. The last one is shorter, so that players end with the last sample. */
async function addPackets(
  media: Mediabunny,
  source: InstanceType<Mediabunny['EncodedAudioPacketSource']>,
  encoder: OpusEncoderHandle,
  pieces: AsyncIterable<SynthesizedAudio>,
): Promise<void> {
  const preSkip = (encoder.getLookahead() * OPUS_CLOCK) / SPEECH_RATE;
  const decoderConfig = {
    codec: 'opus',
    numberOfChannels: 1,
    sampleRate: OPUS_CLOCK,
    description: identification(preSkip),
  };
  let packets = 0;
  const add = async (frame: Int16Array, samples: number) => {
    const data = encoder.encode(frame, { frameSize: FRAME });
    const packet = new media.EncodedPacket(
      data,
      'key',
      (packets * FRAME) / SPEECH_RATE,
      samples / SPEECH_RATE,
    );
    await source.add(packet, { decoderConfig });
    packets += 1;
    if (packets % PACKETS_AT_ONCE === 0) await pause();
  };
  let rest = new Int16Array();
  for await (const { audio } of pieces) {
    const samples = joined(rest, toSamples(audio));
    const end = samples.length - (samples.length % FRAME);
    for (let at = 0; at < end; at += FRAME) await add(samples.subarray(at, at + FRAME), FRAME);
    rest = samples.slice(end);
  }
  for (let left = rest.length + encoder.getLookahead(), at = 0; left > 0; left -= FRAME, at += FRAME) {
    await add(padded(rest.subarray(at, at + FRAME)), Math.min(left, FRAME));
  }
}

/** Returns the identification header (RFC 7845, section 5.1). */
function identification(preSkip: number): Uint8Array {
  const header = Buffer.alloc(19);
  header.write('OpusHead');
  header.writeUInt8(1, 8); // Version
  header.writeUInt8(1, 9); // Channels
  header.writeUInt16LE(preSkip, 10);
  header.writeUInt32LE(SPEECH_RATE, 12);
  return header;
}

function joined(first: Int16Array, second: Int16Array): Int16Array<ArrayBuffer> {
  const all = new Int16Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function padded(samples: Int16Array): Int16Array {
  const frame = new Int16Array(FRAME);
  frame.set(samples);
  return frame;
}
