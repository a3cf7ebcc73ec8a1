import { AudioError } from '../base/audio-error.js';
import { ascii, viewOf } from './bytes.js';

/** Supported format tags (RFC 2361). Their blocks can be joined byte by byte. */
export const wavEncodings = { pcm: 1, float: 3, alaw: 6, mulaw: 7 } as const;

type WavEncoding = keyof typeof wavEncodings;

/** The format tag WAVE_FORMAT_EXTENSIBLE: the subformat field, after the channel mask, contains the actual tag. */
export const EXTENSIBLE = 0xfffe;

/** The subformat is a GUID: the tag in two bytes, then these fourteen bytes (KSDATAFORMAT_SUBTYPE). */
export const SUB_FORMAT_TAIL = '\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71';

/** The sample format of a WAV. */
export interface WavFormat {
  encoding: WavEncoding;
  channels: number;
  /** Hertz. */
  sampleRate: number;
  /** Storage size of a sample in bits. */
  bitsPerSample: number;
  /** Set only if the plain header is not sufficient: more than two channels, or fewer valid than stored bits. */
  extensible?: { validBitsPerSample: number; channelMask: number };
}

/** Returns the bytes of one block: one sample for each channel. */
export function blockAlign({ channels, bitsPerSample }: WavFormat): number {
  return channels * Math.ceil(bitsPerSample / 8);
}

/**
 * Parses the body of a `fmt ` chunk of 16, 18, 40 or more bytes. Ignores the byte rate, which is redundant and often wrong.
 * @throws AudioError `unsupported` for an encoding other than PCM, float, A-law and mu-law; `not-audio` for contradictory
 *   values
 */
export function readFormat(body: Uint8Array): WavFormat {
  if (body.length < 16)
    throw new AudioError('not-audio', `WAV format chunk of ${body.length} bytes: expected at least 16`);
  const view = viewOf(body);
  const format: WavFormat = {
    encoding: readEncoding(body, view),
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

function readEncoding(body: Uint8Array, view: DataView): WavEncoding {
  const known = !isExtensible(view) || (body.length >= 40 && ascii(body, 26, 14) === SUB_FORMAT_TAIL);
  const tag = view.getUint16(isExtensible(view) && known ? 24 : 0, true);
  for (const name in wavEncodings) if (isEncoding(name) && wavEncodings[name] === tag) return name;
  throw new AudioError(
    'unsupported',
    `WAV encoding ${tag}: expected ${Object.keys(wavEncodings).join(', ')}`,
  );
}

function isEncoding(name: string): name is WavEncoding {
  return name in wavEncodings;
}

function checkFormat(format: WavFormat, declaredAlign: number): void {
  const { encoding, channels, sampleRate, bitsPerSample } = format;
  if (channels === 0) throw new AudioError('not-audio', 'WAV with 0 channels: expected at least 1');
  if (sampleRate === 0)
    throw new AudioError('not-audio', 'WAV with a sample rate of 0 Hz: expected at least 1');
  if (!bitsAllowed[encoding](bitsPerSample)) {
    throw new AudioError('not-audio', `WAV with ${bitsPerSample} bits per sample: not valid for ${encoding}`);
  }
  if (declaredAlign === blockAlign(format)) return;
  const expected = `expected ${blockAlign(format)} for ${channels} channels of ${bitsPerSample} bits`;
  throw new AudioError('not-audio', `WAV with blocks of ${declaredAlign} bytes: ${expected}`);
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
