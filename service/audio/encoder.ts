import { createMp3Encoder } from 'wasm-media-encoders';
import { toFloat } from './samples.js';

/** `pcm` is 16 bits, little endian, without a header: what a WAV holds. */
export const encodings = ['pcm', 'mp3'] as const;
export type Encoding = (typeof encodings)[number];

/** kbit/s: transparent for one voice at 16 kHz. */
const BITRATE = 64;
/** Samples of silence that encoder and decoder put in front (LAME: 576 and 529). */
const CODEC_DELAY = 1105;
/** Of 32768: about -40 dBFS. */
const SILENT = 330;
/** Hz. The lower rates of MP3 are unknown to many players, and their long frames make short speech longer. */
const rates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;

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
  const outputSampleRate = rates.find((rate) => rate >= sampleRate) ?? 48_000;
  mp3 ??= createMp3Encoder();
  const encoder = await mp3;
  encoder.configure({ channels: 1, sampleRate, bitrate: BITRATE, outputSampleRate });
  let isFirst = true;
  // The encoder reuses its output buffer: copy.
  return {
    encode: (samples) => {
      const heard = isFirst ? withoutDelay(samples, (CODEC_DELAY * sampleRate) / outputSampleRate) : samples;
      isFirst = false;
      return Uint8Array.from(encoder.encode([toFloat(heard)]));
    },
    end: () => Uint8Array.from(encoder.finalize()),
  };
}

/** Leaves out as much silence in front as the codec puts there, so that times and length stay what they were. */
function withoutDelay(samples: Int16Array, delay: number): Int16Array {
  const audible = samples.findIndex((sample) => Math.abs(sample) > SILENT);
  return samples.subarray(Math.min(Math.round(delay), Math.max(0, audible)));
}
