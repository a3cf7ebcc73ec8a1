import type { MonoAudio } from './wav.js';

/** Bytes per decoding step. Small, so that decoding stops soon after the requested seconds at any bit rate. */
const SLICE_BYTES = 32_768;

/**
 * Decodes the start of an MP3, mixed to mono.
 * @param maxSeconds maximum length; ignores the rest of the file
 * @returns undefined if the file contains no audio
 */
export async function decodeMp3(file: Uint8Array, maxSeconds: number): Promise<MonoAudio | undefined> {
  // The package is an ES module, and Node 20.18 cannot `require` ES modules.
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const pieces: Float32Array[] = [];
    let sampleRate = 0;
    let wanted = Number.POSITIVE_INFINITY;
    for (let at = 0; at < file.length && wanted > 0; at += SLICE_BYTES) {
      const decoded = decoder.decode(file.subarray(at, at + SLICE_BYTES));
      if (decoded.samplesDecoded === 0) continue;
      if (sampleRate === 0) wanted = maxSeconds * decoded.sampleRate;
      sampleRate = decoded.sampleRate;
      wanted -= decoded.samplesDecoded;
      pieces.push(mono(decoded.channelData));
    }
    return sampleRate === 0 ? undefined : { samples: joined(pieces), sampleRate };
  } finally {
    decoder.free();
  }
}

function mono([left = new Float32Array(), right]: readonly Float32Array[]): Float32Array {
  return right === undefined ? left : left.map((sample, index) => (sample + (right[index] ?? 0)) / 2);
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}
