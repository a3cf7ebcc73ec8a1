import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import { fieldOf } from '../../base/values.js';

/** The format of samples in audio events. */
export interface PcmFormat {
  /** Hertz. */
  rate: number;
  /** Bytes of a sample. */
  width: number;
  channels: number;
}

/** The largest values of a format. */
const MAX: PcmFormat = { rate: 384_000, width: 4, channels: 32 };
/** Bytes of a sample in Herald's WAV files. */
const WIDTH = 2;

/** Reads the format in the data of an audio event. @throws SpeechError `bad-reply` for an impossible format */
export function formatIn(data: unknown): PcmFormat {
  const value = (name: keyof PcmFormat): number => {
    const number = fieldOf(data, name);
    if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MAX[name])
      return number;
    throw new SpeechError('bad-reply', text('wyoming-format', { field: name, limit: MAX[name] }));
  };
  return { rate: value('rate'), width: value('width'), channels: value('channels') };
}

/** Whether two formats are the same. */
export const isSameFormat = (one: PcmFormat, other: PcmFormat): boolean =>
  one.rate === other.rate && one.width === other.width && one.channels === other.channels;

/** Samples of 16 bits in little-endian order. */
interface Samples {
  channels: number;
  pieces: readonly Uint8Array[];
}

/** Returns samples with 16 bits, in mono or stereo. More channels are mixed to mono. */
export function inSixteenBits(pieces: readonly Uint8Array[], { width, channels }: PcmFormat): Samples {
  const kept = channels <= 2 ? channels : 1;
  if (width === WIDTH && kept === channels) return { channels, pieces };
  const bytes = Buffer.concat(pieces);
  const mixed = channels / kept;
  const count = bytes.length / (width * mixed);
  const samples = Buffer.alloc(count * WIDTH);
  for (let index = 0; index < count; index++) {
    let sum = 0;
    for (let part = 0; part < mixed; part++) sum += sampleAt(bytes, (index * mixed + part) * width, width);
    samples.writeInt16LE(Math.min(0x7fff, Math.round(sum / mixed)), index * WIDTH);
  }
  return { channels: kept, pieces: [samples] };
}

/** Returns a sample in the range of 16 bits. As in WAV files, samples of one byte have no sign. */
function sampleAt(bytes: Buffer, at: number, width: number): number {
  if (width === 1) return (bytes.readUInt8(at) - 0x80) * 2 ** 8;
  return bytes.readIntLE(at, width) / 2 ** (8 * (width - WIDTH));
}
