/** The format of the output. All formats are mono, except for players that accept stereo only. */
export interface OutputFormat {
  container: 'wav' | 'raw' | 'mp3';
  /** `pcm` means signed samples of 16 bits, little-endian. */
  encoding: 'pcm' | 'mulaw' | 'alaw' | 'mp3';
  /** Hertz. */
  sampleRate: number;
  /** Kilobits per second, for MP3. Default: 64, or the highest bit rate of the sample rate if that is lower. */
  bitrate?: number;
  /** 2 repeats each sample for a second channel. Default 1. */
  channels?: 1 | 2;
}

/** The sample rates of WAV and raw output, in hertz. */
export const sampleRates = [8000, 16_000, 22_050, 24_000, 44_100, 48_000] as const;

/** Bit rates of MP3 in kilobits per second, by sample rate (ISO 11172-3 and 13818-3, 2.4.2.3, and MPEG 2.5). */
const MPEG_1 = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG_2 = [8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160];
const MPEG_2_5 = [8, 16, 24, 32, 40, 48, 64];

/** Returns the bit rates of MP3 at a sample rate in hertz. */
export function bitratesAt(sampleRate: number): readonly number[] {
  if (sampleRate >= 32_000) return MPEG_1;
  return sampleRate >= 16_000 ? MPEG_2 : MPEG_2_5;
}

/** Kilobits per second, sufficient for one voice. */
export const DEFAULT_BITRATE = 64;
