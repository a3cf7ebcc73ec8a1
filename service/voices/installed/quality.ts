/** Qualities in the order of usefulness: `medium` suits most computers. */
const order = ['medium', 'high', 'low', 'x_low'];

/** Compares two qualities for a list that begins with the most useful one. Other qualities of imported voices come last. */
export function compareQualities(a: string, b: string): number {
  return rankOf(a) - rankOf(b);
}

function rankOf(quality: string): number {
  const rank = order.indexOf(quality);
  return rank === -1 ? order.length : rank;
}
