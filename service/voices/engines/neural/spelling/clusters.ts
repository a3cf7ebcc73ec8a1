interface Phonemes {
  phonemes: string[];
}

/**
 * Joins neighbouring phonemes that have ids as one, the longest sequence first, as in the reference implementation. A sequence that
 * crosses tokens belongs to the first of them.
 * @param clusters sequences of phonemes, such as `aɪ`
 */
export function joinClusters<Token extends Phonemes>(
  tokens: readonly Token[],
  clusters: readonly string[],
): readonly Token[] {
  if (clusters.length === 0) return tokens;
  const wanted = clusters.map((cluster) => Array.from(cluster)).toSorted((a, b) => b.length - a.length);
  const all = tokens.flatMap(({ phonemes }, token) => phonemes.map((phoneme) => ({ phoneme, token })));
  const joined = tokens.map((): string[] => []);
  for (let place = 0; place < all.length;) {
    const starts = (cluster: readonly string[]) =>
      cluster.every((phoneme, index) => all[place + index]?.phoneme === phoneme);
    const found = wanted.find(starts)?.length ?? 1;
    const sequence = all.slice(place, place + found).map(({ phoneme }) => phoneme);
    joined[all[place]?.token ?? 0]?.push(sequence.join(''));
    place += found;
  }
  return tokens.map((token, index) => ({ ...token, phonemes: joined[index] ?? [] }));
}
