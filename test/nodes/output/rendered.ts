import type { RenderedAudio } from '../../../nodes/output/rendered-audio.js';

/** Length of a part in bytes. */
const PART_BYTES = 1_000_000;

/** Returns bytes as a rendering without a header. */
export function rendered(bytes: Uint8Array, extension = 'raw'): RenderedAudio<{ count: number }> {
  const count = Math.ceil(bytes.length / PART_BYTES);
  async function* parts() {
    for (let index = 0; index < count; index += 1) {
      const data = bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      yield { piece: { count }, data, start: index, duration: 1 };
    }
  }
  return { extension, parts: parts() };
}
