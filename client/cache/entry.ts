import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseAudio } from '../audio/join.js';
import type { Received } from '../http/reply.js';
import type { createSpeech } from '../interface/operations.js';
import { speechReply } from '../interface/speech.js';

/** The checked reply to a speech request. */
export type Spoken = Received<typeof createSpeech>;

/** Speech that the cache or the service gave. */
export interface CachedSpoken extends Spoken {
  /** Whether the caller pays nothing: the speech was in the cache, or another caller requests it. */
  cached: boolean;
}

/** Returns whether speech may be stored. The audio of another voice must not pass as the audio of the requested voice. */
export const isStorable = ({ value }: Spoken): boolean => value.voiceFallback === undefined;

/** Returns speech with separate memory: a caller may change or transfer its audio. */
export function copied({ value, bytes }: Spoken): Spoken {
  const audio = Buffer.from(value.audio);
  return { value: { ...value, audio }, audio: parseAudio(audio), bytes };
}

/*
 * The file of an entry:
 *   32 bytes  SHA-256 over the rest of the file
 *    4 bytes  length of the header in bytes, unsigned, big-endian
 *   header    JSON in UTF-8
 *   audio     a complete WAV or MP3 file
 */
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;

/** The header of an entry: its key, and the speech reply without audio and charge. */
const header = speechReply().omit({ audio: true, charged: true }).extend({ key: z.string() });

/** Returns the file of an entry. */
export function encodeEntry(key: string, { value }: Spoken): Buffer {
  const { audio, charged: _charged, ...facts } = value;
  const head = Buffer.from(JSON.stringify({ ...facts, key }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  const hash = createHash('sha256').update(length).update(head).update(audio).digest();
  return Buffer.concat([hash, length, head, audio]);
}

/** Returns the speech in the file of an entry, or undefined if the file is damaged or has another key. */
export function decodeEntry(key: string, file: Buffer): Spoken | undefined {
  if (file.length < HASH_BYTES + LENGTH_BYTES) return undefined;
  const hash = createHash('sha256').update(file.subarray(HASH_BYTES)).digest();
  return hash.equals(file.subarray(0, HASH_BYTES)) ? decodeWhole(key, file) : undefined;
}

/** Returns the speech in the file of an entry whose checksum is correct, or undefined if it has another key. */
export function decodeWhole(key: string, file: Buffer): Spoken | undefined {
  const start = HASH_BYTES + LENGTH_BYTES;
  const end = start + file.readUInt32BE(HASH_BYTES);
  return speechOf(key, file.toString('utf8', start, end), file.subarray(end));
}

/** Checks header and audio: a file with a correct hash may come from another program or version. */
function speechOf(key: string, head: string, bytes: Buffer): Spoken | undefined {
  try {
    const { key: stored, ...facts } = header.parse(JSON.parse(head));
    if (stored !== key) return undefined;
    return { value: { ...facts, audio: bytes }, audio: parseAudio(bytes), bytes: bytes.length };
  } catch {
    return undefined;
  }
}
