import { AudioError } from '../base/audio-error.js';
import { ascii, fromAscii, uint32, viewOf } from './bytes.js';
import type { Field } from './mark.js';
import { id3Fields, MAX_MARK } from './mark-in-file.js';
import { tagLength } from './mp3-tags.js';
import { crcOf, opusPackets, pagesOf } from './ogg.js';
import { AAC_SOUND } from './signature.js';

/** The parts of a file that its mark and its signature depend on. */
export interface MarkedSound {
  /** The fields of the mark, among other comments. */
  fields: readonly Field[];
  /** The format of the sound, for its digest. */
  kind: string;
  /** The audio without header, tags and comments. */
  sound: readonly Uint8Array[];
}

/** Returns the mark and the sound of AAC in ADTS frames. Tags may be between frames. Bytes after the last frame count as sound. */
export function readAac(bytes: Uint8Array): MarkedSound {
  const fields: Field[] = [];
  const sound: Uint8Array[] = [];
  // A run of frames is one part. A part for each frame would fill the memory for a file of empty frames.
  let run = 0;
  for (let at = 0; at < bytes.length;) {
    const tag = tagLength(bytes, at);
    const end = at + (tag || adtsLength(bytes, at) || bytes.length);
    if (tag > 0) {
      if (at > run) sound.push(bytes.subarray(run, at));
      if (tag <= MAX_MARK) fields.push(...id3Fields(bytes, at, end));
      run = end;
    }
    at = end;
  }
  sound.push(bytes.subarray(run));
  return { fields, kind: AAC_SOUND, sound };
}

/** Returns the length of the ADTS frame at an offset, or 0 without one (ISO/IEC 13818-7, 6.2). Layer 0 differs from all MP3 frames. */
export function adtsLength(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf6) !== 0xf0) return 0;
  const length = (uint32(bytes, at + 3) >>> 13) & 0x1fff;
  return length < 7 ? 0 : length;
}

/** Bytes of the first block of a FLAC, and of the rate, the channels and the bits of its samples (RFC 9639, 8.2). */
const STREAM_INFO = { start: 8, format: 18, length: 34 };
const COMMENTS = 4;

/** Returns the mark and the sound of a FLAC. @throws AudioError `incomplete` */
export function readFlac(bytes: Uint8Array): MarkedSound {
  let fields: readonly Field[] = [];
  let at = 4;
  for (let isLast = false; !isLast;) {
    const header = uint32(bytes, at);
    const end = at + 4 + (header & 0xff_ffff);
    if (end > bytes.length) throw new AudioError('incomplete', 'truncated FLAC: ends before the audio');
    isLast = header >>> 31 === 1;
    if (((header >>> 24) & 0x7f) === COMMENTS) fields = readComments(bytes.subarray(at + 4, end));
    at = end;
  }
  if (at < STREAM_INFO.start + STREAM_INFO.length)
    throw new AudioError('incomplete', 'FLAC without a description of its samples');
  const format = uint32(bytes, STREAM_INFO.format) >>> 4;
  return { fields, kind: `flac ${format}`, sound: [bytes.subarray(at)] };
}

/** Returns the mark and the sound of an Ogg Opus (RFC 7845). @throws AudioError `incomplete` or `unsupported` */
export function readOpus(bytes: Uint8Array): MarkedSound {
  const { packets, end } = opusPackets(bytes);
  const [head, tags, ...sound] = packets;
  if (head === undefined || tags === undefined || ascii(tags, 0, 8) !== 'OpusTags')
    throw new AudioError('incomplete', 'truncated Ogg Opus: ends before the audio');
  const lengths = fromAscii(sound.map(({ length }) => length).join(' '));
  return { fields: readComments(tags.subarray(8)), kind: `opus ${end}`, sound: [head, lengths, ...sound] };
}

/** Reads Vorbis comments: the name of the encoder, the number of comments and the comments, each with its length. */
function readComments(bytes: Uint8Array): Field[] {
  const view = viewOf(bytes);
  const fields: Field[] = [];
  const lengthAt = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity);
  for (let at = 4 + lengthAt(0) + 4; at + 4 <= bytes.length;) {
    const end = at + 4 + lengthAt(at);
    if (end > bytes.length) break;
    const text = utf8.decode(bytes.subarray(at + 4, end));
    const equals = text.indexOf('=');
    if (equals > 0) fields.push([text.slice(0, equals).toLowerCase(), text.slice(equals + 1)]);
    at = end;
  }
  return fields;
}

const utf8 = new TextDecoder();

/**
 * Writes a text in place of another one of the same length to the comments of a FLAC or an Ogg Opus. Changes `bytes`.
 * @throws RangeError if the file does not contain the former text
 */
export function replaceComment(bytes: Uint8Array, former: string, text: string): void {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(former, 0, 'latin1');
  if (at < 0 || former.length !== text.length) throw new RangeError('no place for the text');
  bytes.set(fromAscii(text), at);
  if (ascii(bytes, 0, 4) !== 'OggS') return;
  for (const { start, end } of pagesOf(bytes)) {
    const view = viewOf(bytes.subarray(start, end));
    if (at < start || at >= end) continue;
    view.setUint32(22, 0, true);
    view.setUint32(22, crcOf(bytes.subarray(start, end)), true);
  }
}
