import type * as Encoders from 'wasm-media-encoders';

/** An encoder that can be configured again after `finalize`. */
export type Mp3Codec = Encoders.WasmMediaEncoder<'audio/mpeg'>;

/** Encoders without work. Compiling an encoder takes 100 ms, but each needs some megabytes. */
const idle: Mp3Codec[] = [];
const MAX_IDLE = 1;

/** Loads the package with the first use. */
const encoders = (): typeof Encoders => require('wasm-media-encoders');

/** Returns an encoder for one stream at a time. */
export async function takeMp3Codec(): Promise<Mp3Codec> {
  return idle.pop() ?? encoders().createMp3Encoder();
}

/** Keeps an encoder for the next stream. `configure` resets it. */
export function returnMp3Codec(codec: Mp3Codec): void {
  if (idle.length < MAX_IDLE) idle.push(codec);
}
