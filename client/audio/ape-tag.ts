import { ascii, concat, fromAscii, viewOf } from './bytes.js';
import type { Field, Proof } from './mark.js';
import { proofFields } from './mark.js';

/** Bytes of the header and of the footer. */
const END = 32;
/** Version 2 of the format. */
const VERSION = 2000;
/** The tag has a header. The second flag is set in the header only (https://wiki.hydrogenaud.io/index.php?title=APE_Tags_Header). */
const [HAS_HEADER, IS_HEADER] = [0x8000_0000, 0x2000_0000];

/**
 * Creates the last tag of an MP3 stream: the signature, which the tag at the start cannot have. Players know APEv2 tags after the
 * audio. ffmpeg takes an ID3v2 tag there for a damaged frame.
 */
export function apeProof(proof: Proof): Uint8Array {
  const fields = proofFields(proof);
  const items = concat(fields.map(item));
  return concat([
    end(HAS_HEADER | IS_HEADER, items, fields.length),
    items,
    end(HAS_HEADER, items, fields.length),
  ]);
}

function end(flags: number, items: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(END);
  const view = viewOf(bytes);
  bytes.set(fromAscii('APETAGEX'));
  for (const [index, value] of [VERSION, items.length + END, count, flags].entries())
    view.setUint32(8 + index * 4, value >>> 0, true);
  return bytes;
}

/** An item: the length of its value, flags of a text, its name, a zero and the value. */
function item([name, value]: Field): Uint8Array {
  const start = new Uint8Array(8);
  viewOf(start).setUint32(0, value.length, true);
  return concat([start, fromAscii(`${name}\0${value}`)]);
}

/** Returns the start of the APEv2 tag with a header at the end of a file, or undefined without one. */
export function lastApeTag(bytes: Uint8Array): number | undefined {
  const footer = bytes.length - END;
  if (ascii(bytes, footer, 8) !== 'APETAGEX') return undefined;
  const start = footer - viewOf(bytes).getUint32(footer + 12, true);
  return start >= 0 && ascii(bytes, start, 8) === 'APETAGEX' ? start : undefined;
}

/** Reads the items of the tag between two offsets. */
export function apeFields(bytes: Uint8Array, start: number, limit: number): Field[] {
  const fields: Field[] = [];
  const view = viewOf(bytes);
  for (let at = start + END; at + 8 < limit - END;) {
    const name = ascii(bytes, at + 8, limit - at - 8).split('\0', 1)[0] ?? '';
    const value = at + 8 + name.length + 1;
    const length = view.getUint32(at, true);
    fields.push([name, ascii(bytes, value, Math.min(length, limit - value))]);
    at = value + length;
  }
  return fields;
}
