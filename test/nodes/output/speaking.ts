import { wavHeader } from '@herald-speech/client';
import type { RenderedPart, RenderedAudio } from '../../../nodes/output/rendered-audio.js';

const FORMAT = { encoding: 'pcm', channels: 1, sampleRate: 8000, bitsPerSample: 16 } as const;

/** Returns the header of a WAV with 16-bit samples at 8,000 hertz. */
export const headerOf = (dataBytes: number | undefined): Buffer => Buffer.from(wavHeader(FORMAT, dataBytes));

/** Speech whose pieces the test adds one by one. */
export interface Speaking {
  rendering: RenderedAudio<{ count: number }>;
  /** Adds a piece. Resolves when the consumer asks for the next one. */
  add(data: Uint8Array): Promise<void>;
  end(): void;
  fail(error: Error): void;
}

/** Starts a speech in WAV format with a number of pieces. */
export function speaking(count: number): Speaking {
  const steps: (() => RenderedPart<{ count: number }> | undefined)[] = [];
  const asked: (() => void)[] = [];
  let wake = (): void => undefined;
  const step = (next: () => RenderedPart<{ count: number }> | undefined) => {
    steps.push(next);
    wake();
  };
  async function* parts() {
    for (;;) {
      while (steps.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const part = steps.shift()?.();
      if (part === undefined) return;
      yield part;
      asked.shift()?.();
    }
  }
  return {
    rendering: {
      extension: 'wav',
      parts: parts(),
      header: headerOf,
      trailer: (bytes) => Buffer.alloc(bytes % 2),
    },
    add: (data) =>
      new Promise((resolve) => {
        asked.push(resolve);
        step(() => ({ piece: { count }, data, start: 0, duration: 1 }));
      }),
    end: () => step(() => undefined),
    fail: (error) =>
      step(() => {
        throw error;
      }),
  };
}
