import {
  type Gapless,
  id3Mark,
  mp3InfoFrame,
  type Mp3Frame,
  readMp3Frame,
  type Signing,
} from '@herald-speech/client/audio';
import { joinedBytes } from './bytes.js';

/** Samples of silence that the encoder LAME adds at the start. */
export const ENCODER_DELAY = 576;
/** The name of the encoder. Players ignore delay and padding under an unknown name. */
export const ENCODER = 'LAME3.100';

/** Counts the frames of a stream of MP3 data. A frame may continue in the next data. */
export class FrameCounter {
  #frames = 0;
  #bytes = 0;
  /** Bytes before the next frame header. */
  #skip = 0;
  #rest: Uint8Array = new Uint8Array();

  get frames(): number {
    return this.#frames;
  }

  count(data: Uint8Array): void {
    this.#bytes += data.length;
    const bytes = Buffer.concat([this.#rest, data]);
    let at = this.#skip;
    for (
      let frame = readMp3Frame(bytes, at);
      frame && at + 4 <= bytes.length;
      frame = readMp3Frame(bytes, at)
    ) {
      this.#frames += 1;
      at += frame.length;
    }
    this.#rest = bytes.subarray(Math.min(at, bytes.length));
    this.#skip = Math.max(0, at - bytes.length);
  }

  /** Returns the average length for each frame. Exact to one byte for a constant bit rate. */
  *lengths(): Generator<number> {
    for (let frame = 0; frame < this.#frames; frame += 1) yield this.#bytes / this.#frames;
  }
}

/** Returns a frame header of mono or stereo audio. Rates in hertz and kilobits per second. */
export function frameFor(sampleRate: number, bitrate: number, channels: number): Mp3Frame | undefined {
  const version = sampleRate >= 32_000 ? 3 : sampleRate >= 16_000 ? 2 : 0;
  for (let bits = 0; bits < 64; bits += 1) {
    const mode = channels === 1 ? 0xc0 : 0;
    const header = Uint8Array.of(0xff, 0xe3 | (version << 3), ((bits & 15) << 4) | ((bits >> 4) << 2), mode);
    const frame = readMp3Frame(header, 0);
    if (frame?.sampleRate === sampleRate && frame.bitrate === bitrate) return frame;
  }
  return undefined;
}

/** The facts for an info frame. */
interface Mp3Totals {
  first: Mp3Frame;
  constantBitrate: boolean;
  gapless: Gapless | undefined;
  /** The mark of synthetic speech; undefined for a file without a mark. */
  signing: Signing | undefined;
}

/** Creates the tag and the info frame. Without `dataBytes`, the number of frames is not known yet. */
export function mp3Header(
  { signing, ...totals }: Mp3Totals,
  counter: FrameCounter,
  dataBytes: number | undefined,
): Uint8Array {
  const known = dataBytes !== undefined;
  const info = mp3InfoFrame({
    ...totals,
    frames: known ? counter.frames : 0,
    bytes: dataBytes ?? 0,
    lengths: known ? counter.lengths() : [],
  });
  const tag = signing && id3Mark(signing.mark, known ? signing.proof() : signing.pending);
  return joinedBytes([...(tag === undefined ? [] : [tag]), info]);
}
