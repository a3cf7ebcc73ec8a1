/** Rounds to three decimals: seconds to milliseconds. This removes the noise of floating-point sums, such as 76.30499999999999. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
