import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type Hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { type Field, type Mark, markFields, PENDING, type Proof, signedText } from './mark.js';
import type { Mp3 } from './mp3.js';
import type { WavFormat } from './wav-format.js';

/** The name of the file of a key in a data folder. */
export const MARK_KEY_FILE = 'mark-key.pem';

/** Returns a new key as the content of its file: PKCS #8 in PEM. */
export function newMarkKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Signatures that a signer remembers, of about 400 bytes each: a cached announcement is signed again for each message. */
const REMEMBERED = 256;

/** A key that signs marks with Ed25519 (RFC 8032). */
export class MarkSigner {
  /** The public half: 32 bytes in Base64url. */
  readonly key: string;
  readonly #secret: KeyObject;
  /** The last signatures by message. Ed25519 has no random numbers: equal messages have equal signatures. */
  readonly #remembered = new Map<string, string>();

  /**
   * @param pem the content of the file of the key
   * @throws Error if it is no Ed25519 key
   */
  constructor(pem: string) {
    this.#secret = createPrivateKey(pem);
    const { crv, x } = createPublicKey(this.#secret).export({ format: 'jwk' });
    if (crv !== 'Ed25519' || x === undefined) throw new Error('not an Ed25519 key');
    this.key = x;
  }

  /** The place of a signature in a header that is written before the audio. */
  get pending(): Proof {
    return { key: this.key, signature: PENDING };
  }

  /** Signs a mark for a file whose audio has this digest. */
  sign(mark: Mark, digest: Uint8Array): Proof {
    const message = messageOf(markFields(mark), digest);
    const signature = this.#remembered.get(message) ?? this.#signatureOf(message);
    return { key: this.key, signature };
  }

  #signatureOf(message: string): string {
    const signature = sign(null, Buffer.from(message), this.#secret).toString('base64url');
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined && this.#remembered.size === REMEMBERED) this.#remembered.delete(oldest);
    this.#remembered.set(message, signature);
    return signature;
  }
}

/** Returns whether a signature belongs to the fields of a mark and to the audio with this digest. */
export function isSigned(fields: Iterable<Field>, digest: Uint8Array, { key, signature }: Proof): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key };
    const message = messageOf(fields, digest);
    const bytes = Buffer.from(signature, 'base64url');
    // Several texts decode to the same bytes.
    if (!isCanonical(signature) || !isCanonical(key)) return false;
    return verify(null, Buffer.from(message), createPublicKey({ key: jwk, format: 'jwk' }), bytes);
  } catch {
    return false; // The key has another length.
  }
}

const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

/** The first line tells the purpose, so that no signature of another kind fits. */
function messageOf(fields: Iterable<Field>, digest: Uint8Array): string {
  return `herald-mark-1\n${Buffer.from(digest).toString('hex')}\n${signedText(fields)}`;
}

/** A mark, and the key that signs it. Without a key, the mark has no signature. */
export interface SignedMark extends Mark {
  signer?: MarkSigner | undefined;
}

/** The kinds of sound in a digest. Equal samples in another format have another digest. */
export const [MP3_SOUND, AAC_SOUND] = ['mp3', 'aac'];

export function wavSound({ encoding, bitsPerSample, sampleRate, channels, extensible }: WavFormat): string {
  const more = extensible && ` ${extensible.validBitsPerSample} ${extensible.channelMask}`;
  return `wav ${encoding} ${bitsPerSample} ${sampleRate} ${channels}${more ?? ''}`;
}

/** The audio of a complete MP3, for its digest. */
export const mp3Parts = ({ sound, others }: Pick<Mp3, 'sound' | 'others'>): Uint8Array[] => [
  ...sound,
  ...others,
];

/** Computes the digest of the audio of a file, without header, tags and comments. */
export class SoundDigest {
  readonly #hash: Hash;

  /** @param kind the format, as `wavSound` returns it */
  constructor(kind: string) {
    this.#hash = createHash('sha256').update(`${kind}\n`);
  }

  add(audio: Uint8Array): void {
    this.#hash.update(audio);
  }

  /** Returns the digest of the audio so far. */
  soFar(): Uint8Array {
    return this.#hash.copy().digest();
  }
}

/** The signature of a file while its audio is made. */
export class Signing {
  /** Undefined without a key: a digest takes as long as all other work on a mark. */
  readonly #digest: SoundDigest | undefined;

  /** @param kind the format of the audio */
  constructor(
    readonly mark: SignedMark,
    kind: string,
  ) {
    this.#digest = mark.signer && new SoundDigest(kind);
  }

  add(audio: Uint8Array): void {
    this.#digest?.add(audio);
  }

  /** Returns the signature of the audio so far; undefined for a mark without a key. */
  proof(): Proof | undefined {
    return this.#digest && this.mark.signer?.sign(this.mark, this.#digest.soFar());
  }

  /** The place of the signature; undefined for a mark without a key. */
  get pending(): Proof | undefined {
    return this.mark.signer?.pending;
  }
}

/** Returns the signature of a mark for complete audio; undefined for a mark without a key. */
export function proofFor(mark: SignedMark, kind: string, audio: readonly Uint8Array[]): Proof | undefined {
  const signing = new Signing(mark, kind);
  for (const part of audio) signing.add(part);
  return signing.proof();
}
