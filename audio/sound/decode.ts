import type { Mp3, ParsedAudio } from '@herald-speech/client/audio';
import { setImmediate } from 'node:timers/promises';
import { fitted, joined, type Sound } from './sound.js';
import { decodeWav } from './wav-samples.js';

/**
 * Decodes a complete WAV or MP3, mixed to one channel.
 * @throws AudioError `unsupported` for PCM of more than 32 bits
 */
export async function decode(audio: ParsedAudio, signal?: AbortSignal): Promise<Sound> {
  return audio.format === 'wav' ? decodeWav(audio.wav) : decodeMp3(audio.bytes, audio.mp3, signal);
}

/** Bytes per decoding step: about 10 ms of work. */
const SLICE = 16_384;

/**
 * Decodes an MP3, mixed to one channel, without the samples that players skip.
 * @param bytes the complete file
 * @param mp3 the parsed file
 */
async function decodeMp3(bytes: Uint8Array, mp3: Mp3, signal?: AbortSignal): Promise<Sound> {
  // The package is an ES module, and Node 20.18 cannot `require` ES modules.
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const parts: Float32Array[] = [];
    for (let at = 0; at < bytes.length; at += SLICE) {
      signal?.throwIfAborted();
      const { samplesDecoded, channelData } = decoder.decode(bytes.subarray(at, at + SLICE));
      if (samplesDecoded > 0) parts.push(mixed(channelData));
      await setImmediate();
    }
    const { sampleRate } = mp3.first;
    return { samples: fitted(joined(parts), Math.round(mp3.seconds * sampleRate)), sampleRate };
  } finally {
    decoder.free();
  }
}

function mixed([left = new Float32Array(), right]: readonly Float32Array[]): Float32Array {
  return right === undefined ? left : left.map((sample, index) => (sample + (right[index] ?? 0)) / 2);
}
