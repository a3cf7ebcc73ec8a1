import { encodeAsAac, encodeAsFlac } from './encoders/aac-flac.js';
import type { Encode } from './encoders/encode.js';
import { encodeAsOpus } from './encoders/opus.js';
import { encodeAsMp3, encodeAsPcm, encodeAsWav } from './encoders/plain.js';
import { SPEECH_RATE } from './encoders/sample-rate.js';
import type { FormatName } from './request.js';

interface Format {
  /** Content type of the reply. */
  mime: string;
  /** Encoding of the pieces that the workers deliver. `wav` means samples without a header. */
  pieces: 'wav' | 'mp3';
  /** Hertz of the pieces. Default: the sample rate of the voice. */
  sampleRate?: number;
  encode: Encode;
}

/** The values of `response_format` (docs/openai.md#formats). */
export const formats: Readonly<Record<FormatName, Format>> = {
  mp3: { mime: 'audio/mpeg', pieces: 'mp3', encode: encodeAsMp3 },
  opus: { mime: 'audio/ogg', pieces: 'wav', sampleRate: SPEECH_RATE, encode: encodeAsOpus },
  aac: { mime: 'audio/aac', pieces: 'wav', sampleRate: SPEECH_RATE, encode: encodeAsAac },
  flac: { mime: 'audio/flac', pieces: 'wav', sampleRate: SPEECH_RATE, encode: encodeAsFlac },
  wav: { mime: 'audio/wav', pieces: 'wav', encode: encodeAsWav },
  pcm: { mime: 'audio/pcm', pieces: 'wav', sampleRate: SPEECH_RATE, encode: encodeAsPcm },
};
