import { createMp3Encoder } from 'wasm-media-encoders';
import { toFloat } from './samples.js';

/** `pcm` is 16 bits, little endian, without a header: what a WAV holds. */
export const encodings = ['pcm', 'mp3'] as const;
export type Encoding = (typeof encodings)[number];

/** kbit/s, enough for one voice. */
const BITRATE = 64;
/** Hz. An MP3 ends on a whole frame, and behind the encoder's delay: at this rate both are shortest, 24 ms. */
const OUTPUT_RATE = 48_000;

/** Turns samples into bytes, piece by piece; `end` gives what was held back. Each result is the caller's own. */
export interface Encoder {
  encode(samples: Int16Array): Uint8Array;
  end(): Uint8Array;
}

/** The thread's encoder; the one before must have ended. */
export async function startEncoder(encoding: Encoding, sampleRate: number): Promise<Encoder> {
  return encoding === 'pcm' ? pcm : startMp3(sampleRate);
}

const pcm: Encoder = {
  encode: (samples) => {
    const bytes = Buffer.alloc(samples.length * 2);
    for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, index * 2);
    return bytes;
  },
  end: () => new Uint8Array(),
};

/** One for the thread, since compiling takes 100 ms: a thread encodes one thing at a time, `configure` begins anew. */
let mp3: ReturnType<typeof createMp3Encoder> | undefined;

async function startMp3(sampleRate: number): Promise<Encoder> {
  mp3 ??= createMp3Encoder();
  const encoder = await mp3;
  encoder.configure({ channels: 1, sampleRate, bitrate: BITRATE, outputSampleRate: OUTPUT_RATE });
  // The encoder reuses its output buffer: copy.
  return {
    encode: (samples) => Uint8Array.from(encoder.encode([toFloat(samples)])),
    end: () => Uint8Array.from(encoder.finalize()),
  };
}
