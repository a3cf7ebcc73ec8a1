import { AudioError } from './audio-error.js';
import { ascii, viewOf } from './bytes.js';

/** Format tags whose blocks can be joined byte by byte (RFC 2361 names them all). */
export const wavEncodings = { pcm: 1, float: 3, alaw: 6, mulaw: 7 } as const;

export type WavEncoding = keyof typeof wavEncodings;

/** Tag that says: the real one is in the sub format, behind the channel mask. */
export const EXTENSIBLE = 0xfffe;

/** The sub format of EXTENSIBLE is a GUID: the tag in two bytes, then these fourteen (KSDATAFORMAT_SUBTYPE). */
export const SUB_FORMAT_TAIL = '\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71';

/** How the samples of a WAV are laid out. */
export interface WavFormat {
  encoding: WavEncoding;
  channels: number;
  /** Hz */
  sampleRate: number;
  /** Bits that a sample takes up. */
  bitsPerSample: number;
  /** Only where the plain header can't say it: over two channels, or fewer bits used than taken up. */
  extensible?: { validBitsPerSample: number; channelMask: number };
}

/** Bytes of one block: one sample of every channel. */
export function blockAlign({ channels, bitsPerSample }: WavFormat): number {
  return channels * Math.ceil(bitsPerSample / 8);
}

/**
 * Reads the body of a `fmt ` chunk of 16, 18, 40 or more bytes.
 * Throws AudioError: `unsupported` for an encoding other than PCM, float, A-law and mu-law, `not-audio` for values
 * that contradict each other. The byte rate is not read, since it follows from the rest and is often wrong.
 */
export function readFormat(body: Uint8Array): WavFormat {
  if (body.length < 16)
    throw new AudioError('not-audio', `WAV format chunk has ${body.length} bytes, not 16 or more`);
  const view = viewOf(body);
  const format: WavFormat = {
    encoding: readEncoding(body),
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    bitsPerSample: view.getUint16(14, true),
  };
  checkFormat(format, view.getUint16(12, true));
  return isExtensible(view) ? withExtension(format, view) : format;
}

function isExtensible(view: DataView): boolean {
  return view.getUint16(0, true) === EXTENSIBLE;
}

function readEncoding(body: Uint8Array): WavEncoding {
  const view = viewOf(body);
  const known = !isExtensible(view) || (body.length >= 40 && ascii(body, 26, 14) === SUB_FORMAT_TAIL);
  const tag = view.getUint16(isExtensible(view) && known ? 24 : 0, true);
  for (const [name, value] of Object.entries(wavEncodings)) {
    if (value === tag && isEncoding(name)) return name;
  }
  throw new AudioError(
    'unsupported',
    `WAV encoding ${tag} is not one of ${Object.keys(wavEncodings).join(', ')}`,
  );
}

function isEncoding(name: string): name is WavEncoding {
  return name in wavEncodings;
}

function checkFormat(format: WavFormat, declaredAlign: number): void {
  const { encoding, channels, sampleRate, bitsPerSample } = format;
  if (channels === 0) throw new AudioError('not-audio', 'WAV has 0 channels');
  if (sampleRate === 0) throw new AudioError('not-audio', 'WAV has a sample rate of 0 Hz');
  if (!bitsAllowed[encoding](bitsPerSample)) {
    throw new AudioError('not-audio', `WAV has ${bitsPerSample} bits a sample, which ${encoding} can't have`);
  }
  if (declaredAlign === blockAlign(format)) return;
  const expected = `${channels} channels of ${bitsPerSample} bits take ${blockAlign(format)}`;
  throw new AudioError('not-audio', `WAV has blocks of ${declaredAlign} bytes, but ${expected}`);
}

const bitsAllowed: Record<WavEncoding, (bits: number) => boolean> = {
  pcm: (bits) => bits >= 1 && bits <= 64,
  float: (bits) => bits === 32 || bits === 64,
  alaw: (bits) => bits === 8,
  mulaw: (bits) => bits === 8,
};

function withExtension(format: WavFormat, view: DataView): WavFormat {
  const validBitsPerSample = view.getUint16(18, true);
  const plain = format.channels <= 2 && validBitsPerSample === format.bitsPerSample;
  return plain
    ? format
    : { ...format, extensible: { validBitsPerSample, channelMask: view.getUint32(20, true) } };
}
