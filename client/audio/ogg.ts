import { AudioError } from '../base/audio-error.js';
import { ascii, concat, viewOf } from './bytes.js';

/** A page of an Ogg file (RFC 3533). */
interface Page {
  start: number;
  end: number;
  serial: number;
  /** The position of its last sample. */
  position: bigint;
  /** Its segments: each of 255 bytes continues in the next one. */
  segments: readonly Uint8Array[];
}

/** Packets of a file: almost three hours of 20 ms. Bounds the memory for a hostile file, whose packets may be empty. */
const MAX_PACKETS = 500_000;
/** Bytes of the header of a page before its table of segments. */
const HEADER = 27;

/** Yields the pages of an Ogg file until its end or its first damaged page. */
export function* pagesOf(bytes: Uint8Array): Generator<Page> {
  const view = viewOf(bytes);
  for (let start = 0; start < bytes.length;) {
    const table = start + HEADER;
    if (ascii(bytes, start, 4) !== 'OggS' || table > bytes.length) return;
    const lengths = bytes.subarray(table, table + (bytes[start + 26] ?? 0));
    const segments: Uint8Array[] = [];
    let end = table + lengths.length;
    for (const length of lengths) segments.push(bytes.subarray(end, (end += length)));
    if (end > bytes.length) return;
    const [position, serial] = [view.getBigInt64(start + 6, true), view.getUint32(start + 14, true)];
    yield { start, end, serial, position, segments };
    start = end;
  }
}

/**
 * Returns the packets of an Ogg Opus, and the position of its last sample. The cuts of pages between packets do not matter. Bytes after
 * the last complete page are the last packet.
 * @throws AudioError `unsupported` for another codec, for several streams in one file, and for too many packets
 */
export function opusPackets(bytes: Uint8Array): { packets: Uint8Array[]; end: bigint } {
  const packets: Uint8Array[] = [];
  let parts: Uint8Array[] = [];
  let [end, read, serial]: [bigint, number, number | undefined] = [0n, 0, undefined];
  for (const page of pagesOf(bytes)) {
    serial ??= page.serial;
    if (page.serial !== serial) throw new AudioError('unsupported', 'Ogg with several streams');
    for (const segment of page.segments) {
      parts.push(segment);
      if (segment.length === 255) continue;
      if (packets.length === MAX_PACKETS)
        throw new AudioError('unsupported', `Ogg with over ${MAX_PACKETS} packets`);
      packets.push(concat(parts));
      parts = [];
    }
    if (page.position >= 0n) end = page.position;
    read = page.end;
  }
  if (read < bytes.length) packets.push(bytes.subarray(read));
  if (ascii(packets[0] ?? new Uint8Array(), 0, 8) !== 'OpusHead')
    throw new AudioError('unsupported', 'Ogg without Opus');
  return { packets, end };
}

/** Returns the checksum of a page whose checksum is 0: CRC-32 with polynomial 0x04c11db7, not reflected (RFC 3533, 6). */
export function crcOf(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}
