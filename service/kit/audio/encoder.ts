import { createMp3Encoder } from 'wasm-media-encoders';
import { toFloat } from './samples.js';

/** Audio encodings. `pcm` means 16-bit little-endian samples without a header. */
const encodings = ['pcm', 'mp3'] as const;
export type Encoding = (typeof encodings)[number];

/** Kilobits per second, sufficient for one voice. */
const BITRATE = 64;
/** Hertz. At this rate, the encoder delay and the padding of the last frame are shortest: 24 ms. */
const OUTPUT_RATE = 48_000;

/** Encodes samples piece by piece. `end` returns the buffered rest. The caller owns each returned array. */
export interface SampleEncoder {
  encode(samples: Int16Array): Uint8Array;
  end(): Uint8Array;
}

/** Starts the encoder of this thread. The previous encoder must have ended. */
export async function startEncoder(encoding: Encoding, sampleRate: number): Promise<SampleEncoder> {
  return encoding === 'pcm' ? pcm : startMp3(sampleRate);
}

const pcm: SampleEncoder = {
  encode: (samples) => {
    const bytes = new Uint8Array(samples.length * 2);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < samples.length; index += 1) {
      view.setInt16(index * 2, samples[index] ?? 0, true);
    }
    return bytes;
  },
  end: () => new Uint8Array(),
};

/** One encoder per thread, because compiling it takes 100 ms. A thread encodes one piece of audio at a time; `configure` resets the encoder. */
let mp3: ReturnType<typeof createMp3Encoder> | undefined;

async function startMp3(sampleRate: number): Promise<SampleEncoder> {
  mp3 ??= createMp3Encoder();
  const encoder = await mp3;
  encoder.configure({ channels: 1, sampleRate, bitrate: BITRATE, outputSampleRate: OUTPUT_RATE });
  // Copies, because the encoder reuses its output buffer.
  return {
    encode: (samples) => Uint8Array.from(encoder.encode([toFloat(samples)])),
    end: () => Uint8Array.from(encoder.finalize()),
  };
}
