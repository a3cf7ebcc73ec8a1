/** Returns a pattern that matches any of the texts. Longer ones come first, since others may begin them. */
export function alternatives(texts: Iterable<string>): string {
  const sorted = [...texts].sort((one, other) => other.length - one.length);
  return sorted.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
}
