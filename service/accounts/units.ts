const MICROSECONDS = 1_000_000;

/** Seconds of audio as the database keeps them: whole microseconds, so that sums are exact. */
export function toMicroseconds(seconds: number): number {
  return Math.round(seconds * MICROSECONDS);
}

export function toSeconds(microseconds: number): number {
  return microseconds / MICROSECONDS;
}

export function toMinutes(microseconds: number): number {
  return toSeconds(microseconds) / 60;
}

/**
 * Seconds as replies tell them, and so as they are charged: sums of binary fractions end in noise, and a tenth of a
 * millisecond is finer than a sample at 8 kHz.
 */
export function rounded(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000;
}
