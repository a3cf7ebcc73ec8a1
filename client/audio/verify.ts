import { AudioError } from '../base/audio-error.js';
import { ascii } from './bytes.js';
import { areSingle, hasRemains, type Mark, markOf, type Proof, proofOf, wavComment } from './mark.js';
import { markFieldsIn } from './mark-in-file.js';
import { tagLength } from './mp3-tags.js';
import { beginsMp3, parseMp3 } from './mp3.js';
import { adtsLength, type MarkedSound, readAac, readFlac, readOpus } from './other-files.js';
import { isSigned, MP3_SOUND, mp3Parts, SoundDigest, wavSound } from './signature.js';
import { checkLayout } from './wav-layout.js';
import { parseWav } from './wav.js';

/** The result of a check. */
export interface Verification {
  /**
   * - `unchanged`: signed with one of the given keys, and the audio and the mark are unchanged;
   * - `foreign`: the same with another key;
   * - `changed`: signed, but the audio or the mark is not the signed one, or not readable any more;
   * - `unsigned`: a mark without a signature, as earlier versions and some streams have it;
   * - `unmarked`: no mark. The audio may still be synthetic: a mark can be removed.
   */
  verdict: 'unchanged' | 'foreign' | 'changed' | 'unsigned' | 'unmarked';
  /** The mark. Without a valid signature, anybody may have written it. */
  mark?: Mark;
  /** The public key that the file names. */
  key?: string;
}

/**
 * Checks the mark of a complete WAV, MP3, AAC (ADTS), FLAC or Ogg Opus.
 * @param keys the trusted public keys, as `MarkSigner.key`
 * @throws AudioError `not-audio` for a file of another kind, which can have no mark; `incomplete` or `unsupported` for a file whose mark
 *   is not readable
 */
export function verifyAudio(bytes: Uint8Array, keys: readonly string[]): Verification {
  try {
    return verified(read(bytes), bytes, keys);
  } catch (error) {
    if (error instanceof AudioError && hasRemains(bytes)) return { verdict: 'changed' };
    throw error;
  }
}

function verified({ fields, sound }: Read, bytes: Uint8Array, keys: readonly string[]): Verification {
  const [mark, proof] = [markOf(fields), proofOf(fields)];
  if (mark === undefined || proof === undefined) {
    if (hasRemains(bytes)) return { verdict: 'changed', ...(mark && { mark }) };
    return mark === undefined ? { verdict: 'unmarked' } : { verdict: 'unsigned', mark };
  }
  const facts = { mark, key: proof.key };
  const digest = areSingle(fields) ? digestOf(() => sound(mark, proof)) : undefined;
  if (digest === undefined || !isSigned(fields, digest, proof)) return { verdict: 'changed', ...facts };
  return { verdict: keys.includes(proof.key) ? 'unchanged' : 'foreign', ...facts };
}

type Sound = Pick<MarkedSound, 'kind' | 'sound'>;

/** The fields of a file, and its audio if it is valid. */
interface Read extends Pick<MarkedSound, 'fields'> {
  /** @throws AudioError */
  sound(mark: Mark, proof: Proof): Sound;
}

/** @throws AudioError */
function read(bytes: Uint8Array): Read {
  const id = ascii(bytes, 0, 4);
  if (id === 'fLaC') return all(readFlac(bytes));
  if (id === 'OggS') return all(readOpus(bytes));
  if (id === 'RIFF' || id === 'RF64') return { fields: markFieldsIn(bytes), sound: wavSoundIn(bytes) };
  if (beginsAac(bytes)) return all(readAac(bytes));
  const fields = markFieldsIn(bytes);
  // A mark tells that damaged bytes were an MP3 or AAC.
  if (fields.length === 0 && !beginsMp3(bytes))
    throw new AudioError('not-audio', 'neither WAV, MP3, AAC, FLAC nor Ogg: other files have no mark');
  return { fields, sound: () => ({ kind: MP3_SOUND, sound: mp3Parts(parseMp3(bytes)) }) };
}

const all = (read: MarkedSound): Read => ({ fields: read.fields, sound: () => read });

const wavSoundIn =
  (bytes: Uint8Array): Read['sound'] =>
  (mark, proof) => {
    checkLayout(bytes);
    if (
      !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(wavComment(mark, proof), 'latin1')
    )
      throw new AudioError('incomplete', 'WAV whose mark is written in another way');
    const { format, data } = parseWav(bytes);
    return { kind: wavSound(format), sound: [data] };
  };

function beginsAac(bytes: Uint8Array): boolean {
  let at = 0;
  for (let skip = tagLength(bytes, at); skip > 0; skip = tagLength(bytes, at)) at += skip;
  return adtsLength(bytes, at) > 0;
}

/** Returns the digest of the audio; undefined for audio that is damaged. */
function digestOf(sound: () => Sound): Uint8Array | undefined {
  try {
    const { kind, sound: parts } = sound();
    const digest = new SoundDigest(kind);
    for (const part of parts) digest.add(part);
    return digest.soFar();
  } catch (error) {
    if (error instanceof AudioError) return undefined;
    throw error;
  }
}
