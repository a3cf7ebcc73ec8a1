/** The built-in chimes. */
export const chimes = ['ding-dong', 'gong', 'three-tones', 'soft-bell'] as const;

export type ChimeName = (typeof chimes)[number];

/** Sounds and levels that the rendering adds to the speech. All times are in seconds. */
export interface Dressing {
  /** A built-in chime, or a complete WAV or MP3 file, played before the speech. */
  chime?: ChimeName | Uint8Array;
  /** Silence before the chime and the speech. */
  silenceBefore: number;
  /** Silence after the speech. */
  silenceAfter: number;
  /** Silence between two pieces. */
  gap: number;
  /** Number of times that the speech is played. */
  repeat: number;
  /** Percent of the amplitude. Applied after the loudness. */
  volume: number;
  /** Integrated loudness in LUFS (EBU R128, ITU-R BS.1770). Default: the loudness of the voice. */
  loudness?: number;
}

/** The dressing that changes nothing. */
export const noDressing: Dressing = {
  silenceBefore: 0,
  silenceAfter: 0,
  gap: 0,
  repeat: 1,
  volume: 100,
};

/** The ranges of the numbers: seconds, percent and LUFS. */
export const dressingRanges = {
  silenceBefore: { min: 0, max: 60 },
  silenceAfter: { min: 0, max: 60 },
  gap: { min: 0, max: 60 },
  repeat: { min: 1, max: 100 },
  volume: { min: 0, max: 400 },
  loudness: { min: -50, max: -10 },
} as const;
