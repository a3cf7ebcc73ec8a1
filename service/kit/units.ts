const MICROSECONDS = 1_000_000;

/** Converts seconds to whole microseconds, the unit of the database. Sums of integers are exact. */
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
 * Rounds seconds to a tenth of a millisecond, the precision of replies and charges. This removes the noise of
 * floating-point sums, and is shorter than a sample at 8 kHz.
 */
export function roundedSeconds(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000;
}
