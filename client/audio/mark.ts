import { concat, lengthOf } from './bytes.js';

/** The note inside an audio file that its speech is synthetic (docs/outputs.md#mark-of-synthetic-speech). */
export interface Mark {
  /** The product that made the audio. Default `Herald`. */
  product?: string | undefined;
  /** Id of the voice. */
  voice?: string | undefined;
  /** Language tag, such as `en-us`. */
  language?: string | undefined;
}

/** The signature of a mark (docs/outputs.md#signature). */
export interface Proof {
  /** The public half of the key that signed: 32 bytes in Base64url. */
  key: string;
  /** 64 bytes in Base64url. */
  signature: string;
}

/** The term of the IPTC for media that a trained model made (https://cv.iptc.org/newscodes/digitalsourcetype/). */
const DIGITAL_SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

const PRODUCT = 'Herald';

/** A field of a mark. */
export type Field = readonly [name: string, value: string];

/** The first field of each mark. Readers recognize a mark by it. */
const SYNTHETIC = 'synthetic-speech';

/** A signature that is not known yet, of the same length. It reserves the place in a header. */
export const PENDING = '-'.repeat(86);

/** UTF-8 bytes of a value. The rest is cut off between two characters. */
export const MAX_VALUE_BYTES = 128;

/** Returns the fields of a mark without empty values: names in ASCII, values in well-formed Unicode without control characters. */
export function markFields({ product = PRODUCT, voice = '', language = '' }: Mark): Field[] {
  const values = { product: bounded(product), voice: bounded(voice), language: bounded(language) };
  const described = Object.entries(values).filter(([, value]) => value !== '');
  return [[SYNTHETIC, 'true'], ['digital-source-type', DIGITAL_SOURCE_TYPE], ...described];
}

/** Returns the fields of a signature. */
export const proofFields = (proof: Proof | undefined): Field[] =>
  proof === undefined
    ? []
    : [
        ['key', proof.key],
        ['signature', proof.signature],
      ];

/** Returns whether no field of a mark or of its signature is there twice. */
export function areSingle(fields: readonly Field[]): boolean {
  const names = fields.map(([name]) => name).filter((name) => OWN.includes(name));
  return new Set(names).size === names.length;
}

/** The fields that a signature covers besides the audio, in this order. */
const SIGNED = [SYNTHETIC, 'digital-source-type', 'product', 'voice', 'language'];

const OWN = [...SIGNED, 'key', 'signature'];

/** Returns the signed fields as lines. The values have no control characters. */
export function signedText(fields: Iterable<Field>): string {
  const values = new Map(fields);
  return SIGNED.map((name) => `${name}=${values.get(name) ?? ''}\n`).join('');
}

/** Returns the signature in fields, or undefined without one. */
export function proofOf(fields: Iterable<Field>): Proof | undefined {
  const values = new Map(fields);
  const [key = '', signature = PENDING] = [values.get('key'), values.get('signature')];
  return signature === PENDING ? undefined : { key, signature };
}

/**
 * Returns whether bytes have the remains of a signed mark: two of three texts. One changed byte damages one of them. A place without
 * a signature does not count.
 */
export function hasRemains(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (['=', '\0'].some((sign) => file.includes(`signature${sign}${PENDING}`))) return false;
  return REMAINS.filter((remain) => isIn(file, remain)).length >= 2;
}

const REMAINS = [
  { name: SYNTHETIC, value: /^[=\0]true/ },
  { name: 'key', value: /^[=\0][\w-]{43}/ },
  { name: 'signature', value: /^[=\0][\w-]{86}/ },
];

function isIn(file: Buffer, { name, value }: (typeof REMAINS)[number]): boolean {
  for (let at = file.indexOf(name); at >= 0; at = file.indexOf(name, at + 1))
    if (value.test(file.toString('latin1', at + name.length, at + name.length + 87))) return true;
  return false;
}

/** Returns the mark of fields, or undefined if they are not the fields of a mark. */
export function markOf(fields: Iterable<Field>): Mark | undefined {
  const values = new Map(fields);
  if (values.get(SYNTHETIC) !== 'true') return undefined;
  const [voice, language] = [values.get('voice'), values.get('language')];
  return {
    product: values.get('product') ?? '',
    ...(voice !== undefined && { voice }),
    ...(language !== undefined && { language }),
  };
}

/**
 * Creates the mark of a WAV: one chunk `LIST` of type `INFO` with an even number of bytes. It belongs between the format and
 * the data. The text is ASCII, because the chunk declares no character set. Other characters are percent-encoded.
 */
export function wavMark(mark: Mark, proof?: Proof): Uint8Array {
  const product = entry('ISFT', encoded(bounded(mark.product ?? PRODUCT)));
  const content = `INFO${product}${wavComment(mark, proof)}`;
  return Buffer.from(`LIST${uint32le(content.length)}${content}`, 'latin1');
}

/** Returns the entry `ICMT` of a mark, one character per byte. */
export function wavComment(mark: Mark, proof?: Proof): string {
  const fields = [...markFields(mark), ...proofFields(proof)];
  return entry('ICMT', fields.map(([name, value]) => `${name}=${encoded(value)}`).join('; '));
}

/** Reads the text of the entry `ICMT` of a mark. */
export function commentFields(comment: string): Field[] {
  return comment.split('; ').map((field) => {
    const at = field.indexOf('=');
    return [field.slice(0, at), decoded(field.slice(at + 1))];
  });
}

/**
 * Creates the mark of an MP3: an ID3v2.4 tag, which belongs to the start of the file. The text is UTF-8, so that no byte
 * resembles the start of a frame (id3.org, "ID3 tag version 2.4.0", 4.2).
 */
export function id3Mark(mark: Mark, proof?: Proof): Uint8Array {
  const product = frame('TSSE', bounded(mark.product ?? PRODUCT));
  return id3Tag([...markFields(mark), ...proofFields(proof)], [product]);
}

/** Creates the last tag of an AAC stream: the signature, which the tag at the start cannot have. */
export const id3Proof = (proof: Proof): Uint8Array => id3Tag(proofFields(proof));

function id3Tag(fields: readonly Field[], others: readonly Uint8Array[] = []): Uint8Array {
  const texts = fields.map(([name, value]) => frame('TXXX', `${name}\0${value}`));
  const frames = [...others, ...texts];
  return concat([ascii('ID3\x04\x00\x00'), synchsafe(lengthOf(frames)), ...frames]);
}

/** Replaces control characters and single surrogates, and cuts the text to the limit of bytes. */
function bounded(text: string): string {
  if (text.length <= MAX_VALUE_BYTES && isPrintableAscii.test(text)) return text;
  let result = '';
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const safe = isUnsafe(code) ? '\ufffd' : character;
    bytes += utf8.encode(safe).length;
    if (bytes > MAX_VALUE_BYTES) break;
    result += safe;
  }
  return result;
}

const isPrintableAscii = /^[ -~]*$/;

const isUnsafe = (code: number): boolean =>
  code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000);

const utf8 = new TextEncoder();

/** Encodes all characters but letters, digits and the punctuation of URLs. */
const encoded = (value: string): string => (isPlain.test(value) ? value : encodeURIComponent(value));
const isPlain = /^[\w:/.-]*$/;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An entry of `INFO`, one character per byte: its text ends with a zero, and has an even number of bytes. */
function entry(id: string, text: string): string {
  const size = text.length + 1;
  return `${id}${uint32le(size)}${text}\0${size % 2 === 0 ? '' : '\0'}`;
}

/** A frame of an ID3v2.4 tag with text in UTF-8. */
function frame(id: string, text: string): Uint8Array {
  const body = utf8.encode(text);
  return concat([ascii(id), synchsafe(body.length + 1), Uint8Array.of(0, 0, UTF_8), body]);
}

/** The byte before a text in UTF-8. */
export const UTF_8 = 3;

const ascii = (text: string): Uint8Array => utf8.encode(text);

function uint32le(value: number): string {
  return String.fromCharCode(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
}

/** Seven bits in each byte. */
function synchsafe(value: number): Uint8Array {
  return Uint8Array.of((value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127);
}
