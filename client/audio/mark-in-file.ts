import { AudioError } from '../base/audio-error.js';
import { apeFields, apeProof, lastApeTag } from './ape-tag.js';
import { ascii, concat, uint32, viewOf } from './bytes.js';
import { commentFields, type Field, id3Mark, type Mark, markOf, proofOf, UTF_8, wavMark } from './mark.js';
import { synchsafe, tagLength } from './mp3-tags.js';
import { beginsMp3, parseMp3 } from './mp3.js';
import { MP3_SOUND, mp3Parts, proofFor, type SignedMark, wavSound } from './signature.js';
import { checkLayout } from './wav-layout.js';
import { parseWav, writeWav } from './wav.js';

/** The place of a mark or of a signature in a file, in bytes, and its content. */
interface Place {
  start: number;
  end: number;
  fields: readonly Field[];
}

/** Bytes. A larger tag or chunk does not count as a mark. */
export const MAX_MARK = 4096;

/** Returns the first mark of a WAV or MP3, or undefined without a mark. Does not check the audio. */
export function readMark(bytes: Uint8Array): Mark | undefined {
  const [mark] = placesOf(bytes).flatMap(({ fields }) => markOf(fields) ?? []);
  return mark;
}

/** Returns the fields of all marks and signatures of a WAV or MP3. */
export const markFieldsIn = (bytes: Uint8Array): readonly Field[] =>
  placesOf(bytes).flatMap(({ fields }) => fields);

/** Returns a WAV or MP3 without marks. Without a mark, returns the same memory. Does not check the audio. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const places = placesOf(bytes);
  if (places.length === 0) return bytes;
  const starts = [0, ...places.map(({ end }) => end)];
  const parts = starts.map((start, index) => bytes.subarray(start, places[index]?.start));
  return isRiff(bytes) ? sized(concat(parts)) : concat(parts);
}

/**
 * Returns a complete WAV or MP3 with exactly one mark, which replaces former ones. Keeps the audio and all other chunks and tags.
 * A WAV without a declared length gets one. A WAV that players could read differently (`checkLayout`) loses its other chunks.
 * @throws AudioError `not-audio` for other bytes, and as `parseWav` for a WAV; with a signer, as `parseMp3` for an MP3
 */
export function withMark(bytes: Uint8Array, mark: SignedMark): Uint8Array {
  if (!isRiff(bytes)) {
    if (!beginsMp3(bytes)) throw new AudioError('not-audio', 'neither WAV nor MP3: a mark needs one of them');
    const proof = mark.signer && proofFor(mark, MP3_SOUND, mp3Parts(parseMp3(bytes)));
    return concat([id3Mark(mark, proof), withoutMark(bytes)]);
  }
  const { format, data, streaming } = parseWav(bytes);
  const chunk = wavMark(mark, proofFor(mark, wavSound(format), [data]));
  if (streaming) return writeWav(format, [data], chunk);
  const file = withoutMark(bytes);
  const marked = sized(concat([file, new Uint8Array(file.length % 2), chunk]));
  return hasLayout(marked) ? marked : writeWav(format, [data], chunk);
}

function hasLayout(bytes: Uint8Array): boolean {
  try {
    checkLayout(bytes);
    return true;
  } catch (error) {
    if (error instanceof AudioError) return false;
    throw error;
  }
}

const placesOf = (bytes: Uint8Array): Place[] => [...(isRiff(bytes) ? wavPlaces(bytes) : mp3Places(bytes))];

const isRiff = (bytes: Uint8Array): boolean => ['RIFF', 'RF64'].includes(ascii(bytes, 0, 4));

/** All ones in the size of a RIFF file mean that another chunk has the size, or that it is unknown. */
const UNKNOWN_SIZE = 0xffffffff;

/** Writes the size of a new file to its header. */
function sized(file: Uint8Array): Uint8Array {
  const view = viewOf(file);
  if (view.getUint32(4, true) !== UNKNOWN_SIZE) view.setUint32(4, file.length - 8, true);
  return file;
}

function* wavPlaces(bytes: Uint8Array): Generator<Place> {
  const view = viewOf(bytes);
  for (let start = 12; start + 8 <= bytes.length;) {
    const size = view.getUint32(start + 4, true);
    // The data of a stream, which extends to the end of the file.
    if (size === 0 && ascii(bytes, start, 4) === 'data') return;
    const end = start + 8 + size + (size % 2);
    const fields = size <= MAX_MARK && end <= bytes.length ? wavFieldsAt(bytes, start, end) : [];
    if (markOf(fields) !== undefined) yield { start, end, fields };
    start = end;
  }
}

function wavFieldsAt(bytes: Uint8Array, start: number, end: number): readonly Field[] {
  if (ascii(bytes, start, 4) !== 'LIST' || ascii(bytes, start + 8, 4) !== 'INFO') return [];
  const view = viewOf(bytes);
  for (let at = start + 12; at + 8 <= end;) {
    const size = view.getUint32(at + 4, true);
    const text = ascii(bytes, at + 8, Math.min(size, end - at - 8));
    const fields = ascii(bytes, at, 4) === 'ICMT' ? commentFields(text.split('\0', 1)[0] ?? '') : [];
    if (markOf(fields) !== undefined) return fields;
    at += 8 + size + (size % 2);
  }
  return [];
}

function* mp3Places(bytes: Uint8Array): Generator<Place> {
  for (let start = 0, length = tagLength(bytes, 0); length > 0; length = tagLength(bytes, start)) {
    const end = start + length;
    const fields = length <= MAX_MARK && end <= bytes.length ? id3Fields(bytes, start, end) : [];
    if (markOf(fields) !== undefined) yield { start, end, fields };
    start = end;
  }
  const end = bytes.length;
  const start = lastApeTag(bytes) ?? end;
  const fields = end - start <= MAX_MARK ? apeFields(bytes, start, end) : [];
  const proof = proofOf(fields);
  // Any other tag, such as one with a title, stays.
  if (proof !== undefined && Buffer.from(apeProof(proof)).equals(bytes.subarray(start)))
    yield { start, end, fields };
}

/** Reads the texts of a tag of version 4 without flags. Skips frames that `id3Mark` would not write. */
export function id3Fields(bytes: Uint8Array, start: number, end: number): readonly Field[] {
  if (ascii(bytes, start, 6) !== 'ID3\x04\x00\x00') return [];
  const fields: Field[] = [];
  for (let at = start + 10; at + 11 <= end && (uint32(bytes, at + 4) & 0x80808080) === 0;) {
    const last = at + 10 + synchsafe(bytes, at + 4);
    const isPlain = bytes[at + 8] === 0 && bytes[at + 9] === 0;
    if (ascii(bytes, at, 4) === 'TXXX' && isPlain && bytes[at + 10] === UTF_8 && last <= end)
      fields.push(...textField(bytes.subarray(at + 11, last)));
    at = last;
  }
  return fields;
}

/** Reads a name and its value. The value may end with a zero, as some editors write it. Returns nothing for other bytes. */
function textField(bytes: Uint8Array): Field[] {
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return [];
  const at = text.indexOf('\0');
  return at < 0 ? [] : [[text.slice(0, at), text.slice(at + 1).replace(/\0$/, '')]];
}
