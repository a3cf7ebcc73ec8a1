import {
  MP3_SOUND,
  type ParsedAudio,
  type SignedMark,
  Signing,
  type WavFormat,
  wavSound,
} from '@herald-speech/client/audio';
import { type Dressing, noDressing } from '../dressing/dressing.js';
import { bitrateFor } from '../encoders/bitrate.js';
import { Mp3Encoder } from '../encoders/mp3-encoder.js';
import { WavEncoder } from '../encoders/wav-encoder.js';
import { bitratesAt, type OutputFormat } from '../format/format.js';
import { FrameProducer } from './frame-producer.js';
import type { Producer } from './producer.js';
import { TrackProducer } from './track-producer.js';

/** The settings of a producer. */
interface ProducerOptions {
  format: OutputFormat | 'unchanged';
  dressing: Dressing;
  /** Number of pieces with repetitions; undefined if not known. */
  pieces: number | undefined;
  /** The mark of synthetic speech; undefined for files without a mark. */
  mark: SignedMark | undefined;
  /** Whether the file is read before it is complete. */
  live: boolean;
  signal: AbortSignal | undefined;
}

/** Starts the producer for an output format. `unchanged` means the format of the first piece. */
export async function startProducer(first: ParsedAudio, options: ProducerOptions): Promise<Producer> {
  const { format, dressing, mark, signal } = options;
  if (format !== 'unchanged') return encoded(format, options);
  if (first.format === 'wav') return wavTrack(first.wav.format, false, options);
  if (!isDressed(dressing)) return new FrameProducer(first.mp3, mark && new Signing(mark, MP3_SOUND), signal);
  const { sampleRate, channels } = first.mp3.first;
  return mp3Track({ sampleRate, channels, bitrate: bitrateFor(first.mp3) }, options);
}

/** Returns whether a dressing changes or adds samples. */
function isDressed({ chime, loudness, silenceBefore, silenceAfter, gap, repeat, volume }: Dressing): boolean {
  const hasSilence = silenceBefore > 0 || silenceAfter > 0 || gap > 0 || repeat > 1;
  return chime !== undefined || loudness !== undefined || hasSilence || volume !== noDressing.volume;
}

async function encoded(format: OutputFormat, options: ProducerOptions): Promise<Producer> {
  const { container, encoding, sampleRate, channels = 1, bitrate } = format;
  if (encoding === 'mp3') {
    const highest = bitratesAt(sampleRate).at(-1) ?? 64;
    return mp3Track({ sampleRate, channels, bitrate: bitrate ?? Math.min(64, highest) }, options);
  }
  const bitsPerSample = encoding === 'pcm' ? 16 : 8;
  return wavTrack({ encoding, sampleRate, channels, bitsPerSample }, container === 'raw', options);
}

function wavTrack(format: WavFormat, raw: boolean, options: ProducerOptions): Producer {
  const { dressing, mark, signal } = options;
  const { sampleRate } = format;
  const signing = raw || mark === undefined ? undefined : new Signing(mark, wavSound(format));
  const encoder = new WavEncoder(format, raw, { ...options, signing });
  const copied = isDressed(dressing) ? undefined : format;
  return new TrackProducer({ encoder, sampleRate, copied, signing }, dressing, signal);
}

async function mp3Track(
  settings: Parameters<typeof Mp3Encoder.start>[0],
  { dressing, mark, signal }: ProducerOptions,
): Promise<Producer> {
  const { sampleRate } = settings;
  const signing = mark && new Signing(mark, MP3_SOUND);
  const encoder = await Mp3Encoder.start({ ...settings, signing });
  return new TrackProducer({ encoder, sampleRate, copied: undefined, signing }, dressing, signal);
}
