/** Rounds seconds to milliseconds. This removes the noise of floating-point sums, such as 76.30499999999999. */
export const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
