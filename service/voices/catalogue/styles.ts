/** The prosody of a style relative to the neutral style. The voice settings of a request are applied on top. */
export interface Style {
  /** Semitones. */
  pitchShift: number;
  pitchVariance: number;
  speed: number;
}

/** Styles, tuned by ear. `neutral` comes first, so it is the default (docs/interface.md#voice). */
export const styles = {
  neutral: { pitchShift: 0, pitchVariance: 1, speed: 1 },
  happy: { pitchShift: 2, pitchVariance: 1.4, speed: 1.1 },
  sad: { pitchShift: -2, pitchVariance: 0.6, speed: 0.85 },
  serene: { pitchShift: -1, pitchVariance: 0.7, speed: 0.92 },
  angry: { pitchShift: 1, pitchVariance: 1.7, speed: 1.15 },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof styles;

function isStyle(name: string): name is StyleName {
  return Object.hasOwn(styles, name);
}

/** The names of all styles, the default first. */
export const styleNames = Object.keys(styles).filter(isStyle);
